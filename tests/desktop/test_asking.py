"""An agent asks, the window shows it, the person answers there, the agent gets the answer."""

import pytest
from house import ERAS

PROTOCOLS = {"current": "2026-07-28", "legacy": "2025-11-25"}


@pytest.mark.parametrize("route", ["http", "bridge"])
@pytest.mark.parametrize("era", ERAS)
def test_an_agent_gets_the_option_that_the_person_picks(agent, window, era, route):
    program = agent.start(era, route)
    assert program.protocol == PROTOCOLS[era]
    call = program.ask("Which library draws the chart?", ["Chart.js", "D3", "ECharts"])
    window.open("Which library draws the chart?")
    assert window.title() == "Which library draws the chart?"
    assert call.open
    window.pick("D3")
    window.press("send")
    assert call.text() == "The person chose: D3."
    structured = call.result()["structured"]
    assert (structured["state"], structured["chosen"], structured["decided_by"]) == ("answered", ["D3"], "person")


FAMILY = "👨\u200d👩\u200d👧 yes"


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("question", "options", "multiple", "picks", "own", "said"),
    [
        ("Which port?", ["4780", "8080"], False, [], "whichever is free", "Their own answer: whichever is free"),
        ("Which checks?", ["format", "lint", "tests"], True, ["lint", "tests"], None, "The person chose: lint; tests."),
        ("Which files?", ["a.rs", "b.rs"], True, ["a.rs"], "c.rs too", "The person chose: a.rs.\nTheir own answer: c.rs too"),
        ("¿A qué entorno debe desplegarse esto?", ["Preproducción", "Producción"], False, ["Producción"], None, "The person chose: Producción."),
        ("Ship it? 🚀", [FAMILY, "no ✋🏽"], False, [FAMILY], None, f"The person chose: {FAMILY}."),
        ("هل تريد حذف الجدول؟", ["نعم", "لا"], False, ["لا"], None, "The person chose: لا."),
        ("לפרוס לייצור?", ["כן", "לא, עדיין"], False, ["לא, עדיין"], None, "The person chose: לא, עדיין."),
        ("テーブルを削除しますか？", ["はい", "いいえ"], False, [], "明日にする", "Their own answer: 明日にする"),
    ],
    ids=["own answer", "several", "several and own", "Spanish", "emoji", "Arabic", "Hebrew", "Japanese"],
)
def test_answers_of_every_kind_and_script_arrive_as_given(agent, window, era, question, options, multiple, picks, own, said):
    call = agent.start(era).ask(question, options, multiple=multiple)
    window.answer(question, *picks, own=own)
    assert call.text() == said


def test_a_person_who_does_not_answer_is_not_taken_for_one_who_agrees(agent, window):
    call = agent.start().ask("Delete the table?", ["Yes", "No"])
    window.open("Delete the table?")
    window.press("decline")
    assert call.text().startswith("The person didn't answer.")
    assert call.result()["structured"]["state"] == "declined"


def test_what_an_agent_hides_in_its_text_is_shown(agent, window):
    agent.start().ask("Run \u202egpj.exe\u202c now?", ["p\u0430ypal", "no\u200bpe"])
    window.open("Run ⟦U+202E⟧gpj.exe⟦U+202C⟧ now?")
    shown = window.text("detail")
    assert "p⟦U+0430⟧ypal" in shown and "no⟦U+200B⟧pe" in shown
    assert not {"\u202e", "\u200b"} & set(shown)
