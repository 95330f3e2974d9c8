"""docs/asking.md, row by row."""

import unittest

from house import ROOT

from countersign_client.reply import Blank, Question, Refused, read

OPTIONS = ["Alpha", "Beta", "Gamma, with cheese"]
QUESTIONS = {
    "one": Question("choice", OPTIONS, True),
    "several": Question("multiChoice", OPTIONS, True),
    "closed one": Question("choice", OPTIONS),
    "closed several": Question("multiChoice", OPTIONS),
    "text": Question("text"),
    "confirm": Question("confirm"),
}


def outcome(question, text):
    """As the table writes it."""
    try:
        reply = read(question, text)
    except Blank:
        return "nothing yet"
    except Refused:
        return "refused"
    value = reply.value
    if question.type == "text":
        said = [f"“{value}”"]
    elif isinstance(value, bool):
        said = ["yes" if value else "no"]
    elif isinstance(value, dict):
        said = [*value["chosen"], f"own words “{value['other']}”"]
    else:
        said = [value] if isinstance(value, str) else list(value)
    if reply.comment:
        said.append(f"comment “{reply.comment}”")
    return "; ".join(said).replace("\n", "⏎")


class Replies(unittest.TestCase):
    def test_every_row_of_the_table_is_what_happens_here_too(self):
        rows = [row for row in (ROOT / "docs/asking.md").read_text("utf-8").splitlines() if row.startswith("| `")]
        self.assertGreaterEqual(len(rows), 60)
        for row in rows:
            written, kind, _, here, *_ = (cell.strip() for cell in row[1:-1].split(" | "))
            text = written.strip("`").translate(str.maketrans({"⏎": "\n", "␍": "\r", "␣": " ", "⌑": "\ufeff"}))
            self.assertEqual(outcome(QUESTIONS[kind], text), here, row)

    def test_an_option_that_looks_like_the_number_of_another_is_itself(self):
        question = Question("choice", ["2", "4", "8"], True)
        self.assertEqual([read(question, text).value for text in ("2", "3")], ["2", "8"])


if __name__ == "__main__":
    unittest.main()
