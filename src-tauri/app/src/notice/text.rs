//! What a notification says. The first line is ours alone; what an agent wrote comes second, short and escaped.

use crate::words::{self, Language};
use countersign_core::notices::Notice;
use countersign_core::safe_text::SafeText;

/// Characters of a notification's text at the most; the request itself is never cut.
const CHARS: usize = 120;

/// The two texts; `agent` is who asks, where one asks.
pub fn of(notice: &Notice, agent: Option<&str>, language: Language) -> (String, String) {
    match notice {
        Notice::Many { requests, agents } => {
            (words::many_came(language, *requests), words::agents_wait(language, *agents))
        }
        Notice::One(new) => {
            let title = SafeText::line(&new.title).plain();
            let text = match agent {
                Some(agent) => format!("{}: {title}", SafeText::line(agent).plain()),
                None => title,
            };
            (words::one_waits(language, new.class).into(), body(&text))
        }
    }
}

fn body(text: &str) -> String {
    let short: String = match text.chars().count() > CHARS {
        true => text.chars().take(CHARS - 1).chain(['…']).collect(),
        false => text.to_owned(),
    };
    // Some services read markup in the body.
    short.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_core::class::Class;
    use countersign_core::id::{AgentId, RequestId};
    use countersign_core::notices::New;

    fn one(class: Class, title: &str) -> Notice {
        let (request, agent) = (RequestId("r".into()), AgentId("a".into()));
        Notice::One(New { request, agent, class, title: title.into() })
    }

    #[test]
    fn a_notification_is_short_escaped_and_shows_what_is_hidden() {
        let notice = one(Class::Ask, &format!("<b>&\u{202e}{}", "x".repeat(300)));
        let (title, body) = of(&notice, Some("A<i>"), Language::English);
        assert_eq!(title, "A question is waiting for you");
        assert!(body.starts_with("A&lt;i&gt;: &lt;b&gt;&amp;⟦U+202E⟧xxx") && body.ends_with("x…"), "{body}");
        assert_eq!(of(&one(Class::Ask, "Which?"), None, Language::English).1, "Which?");
    }

    #[test]
    fn the_first_line_is_ours_in_both_languages_for_every_class_and_for_many() {
        for language in [Language::English, Language::Spanish] {
            for class in Class::ALL {
                let (title, body) = of(&one(class, "Title"), Some("Agent"), language);
                assert!(!title.is_empty() && !title.contains("Title"), "{title}");
                assert_eq!(body, "Agent: Title");
            }
        }
        let many = |requests, agents| of(&Notice::Many { requests, agents }, None, Language::English);
        assert_eq!(many(12, 3), ("12 new requests".into(), "3 agents are waiting for you.".into()));
        assert_eq!(many(4, 1).1, "1 agent is waiting for you.");
        let (title, body) = of(&Notice::Many { requests: 50, agents: 2 }, None, Language::Spanish);
        assert_eq!((title.as_str(), body.as_str()), ("50 peticiones nuevas", "2 agentes te esperan."));
    }
}
