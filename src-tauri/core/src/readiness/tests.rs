//! The rules together: the corpus, and whatever else a text may be.

use super::*;
use expect_test::expect_file;
use proptest::prelude::*;

/// A verdict in a line: `fit`, or the rules with what they found.
fn line(text: &str) -> String {
    let written = text.replace("\\n", "\n");
    let verdict = check(&[("AC-1", written.as_str())]).remove(0);
    let show = |finding: &Finding| match &finding.words[..] {
        [] => finding.rule.word().to_owned(),
        words => format!("{}({})", finding.rule.word(), words.join(", ")),
    };
    let why = verdict.findings.iter().map(show).collect::<Vec<_>>().join(" ");
    format!("{} | {text}", if verdict.fit { "fit" } else { &why })
}

/// Each line of the corpus is a verdict, a bar and a criterion (`\n` is a new line); `#` begins a remark.
#[test]
fn the_verdicts_on_the_corpus_stay() {
    let corpus = include_str!("corpus.txt");
    let judged = |kept: &str| match kept.split_once(" | ") {
        Some((_, text)) if !kept.starts_with('#') => line(text),
        _ => kept.to_owned(),
    };
    let now: String = corpus.lines().map(|kept| judged(kept) + "\n").collect();
    let criteria = || corpus.lines().filter(|line| !line.starts_with('#') && line.contains(" | "));
    assert!(criteria().count() >= 80);
    assert!(criteria().filter(|line| line.starts_with("fit")).count() >= 35);
    expect_file!["./corpus.txt"].assert_eq(&now);
}

#[test]
fn what_is_said_twice_names_the_earlier_one_and_what_is_too_long_its_length() {
    let long = format!("Returns 404 for {}", "an unknown id or ".repeat(30));
    let verdicts = check(&[
        ("AC-1", "GET /v1/refunds/{id} returns 404 for an unknown id"),
        ("AC-2", "GET /v1/refunds/{id} returns 403 for another's id"),
        ("AC-3", "- get /v1/refunds/{id} returns 404, for the unknown id."),
        ("AC-4", &long),
    ]);
    let fit: Vec<bool> = verdicts.iter().map(|verdict| verdict.fit).collect();
    assert_eq!(fit, [true, true, false, false]);
    assert_eq!(verdicts[2].findings, [Finding { rule: Rule::Duplicate, words: vec![], of: Some("AC-1".into()) }]);
    assert_eq!(verdicts[3].findings, [Finding { rule: Rule::TooLong, words: vec!["525".into()], of: None }]);
    let json = serde_json::to_value(&verdicts[2]).expect("JSON");
    assert_eq!(json["findings"][0], serde_json::json!({"rule": "duplicate", "words": [], "of": "AC-1"}));
}

#[test]
fn each_finding_says_what_is_wrong_and_how_to_mend_it_in_both_languages() {
    let finding = |rule, words: &[&str]| Finding {
        rule,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        of: (rule == Rule::Duplicate).then(|| "AC-2".into()),
    };
    let vague = finding(Rule::VagueWords, &["fast", "user-friendly"]);
    assert_eq!(
        vague.message(Language::English),
        "“fast”, “user-friendly” can be read in several ways; say how it is measured (a number with its unit) or leave it out"
    );
    assert!(vague.message(Language::Spanish).starts_with("«fast», «user-friendly» se puede"));
    for rule in Rule::ALL {
        assert_eq!(serde_json::to_value(rule).expect("JSON"), rule.word());
        let finding = finding(rule, &["512"]);
        assert_ne!(finding.message(Language::English), finding.message(Language::Spanish));
        assert_ne!(rule.title(Language::English), rule.title(Language::Spanish));
    }
    assert!(finding(Rule::TooLong, &["512"]).message(Language::English).contains("512 characters; up to 400"));
    assert!(finding(Rule::Duplicate, &[]).message(Language::Spanish).contains("AC-2"));
}

#[test]
fn a_thousand_criteria_of_five_thousand_characters_are_judged_in_one_go() {
    let texts: Vec<String> =
        (0..1_000).map(|n| format!("fast “ ` {n} returns \" when « ").chars().cycle().take(5_000).collect()).collect();
    let ids: Vec<String> = (0..1_000).map(|n| format!("AC-{n}")).collect();
    let criteria: Vec<(&str, &str)> = ids.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    let verdicts = check(&criteria);
    assert_eq!(verdicts.len(), 1_000);
    assert!(verdicts.iter().all(|verdict| !verdict.fit));
}

proptest! {
    #[test]
    fn any_text_gets_the_same_verdict_twice_and_found_words_stand_in_it(text in any::<String>(), other in "[a-z `\"«».,\n0-9<>/_-]{0,80}") {
        let criteria = [("AC-1", text.as_str()), ("AC-2", other.as_str()), ("AC-3", text.as_str())];
        let verdicts = check(&criteria);
        prop_assert_eq!(&verdicts, &check(&criteria));
        for ((_, text), verdict) in criteria.iter().zip(&verdicts) {
            for finding in verdict.findings.iter().filter(|finding| finding.rule == Rule::VagueWords) {
                prop_assert!(finding.words.iter().all(|word| text.contains(word.as_str())));
            }
        }
    }
}
