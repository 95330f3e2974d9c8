//! Screens as a terminal shows them.

use super::*;
use crate::asked::{Row, sample};
use crate::tui::state::{Event, Hello};
use crate::words;
use countersign_host::Surface;
use expect_test::expect;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use serde_json::{Value, json};

fn open(language: usize, more: Value) -> State {
    let mut state = State::new(words::BOTH[language], Hello { surface: Surface::Serve, test_home: false });
    let asked = sample(more);
    let row = |id: &str| Row {
        id: RequestId(id.into()),
        title: asked.title.clone(),
        class: asked.class,
        agent: "Ink".into(),
        workspace: "/w".into(),
    };
    state.take(Event::News { rows: vec![row("r"), row("s")], more: false, sessions: Vec::new() });
    state.take(Event::Shown(Box::new(asked)));
    for turn in 0..5 {
        state.take(Event::Calm(turn));
    }
    state
}

/// What a terminal of this size shows, and what it was told of it.
fn shown(state: &mut State, cells: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(cells, rows)).expect("a terminal");
    let drawn = terminal.draw(|frame| {
        let screen = screen(state, &mut Cache::default(), Theme::new(false), cells.into(), rows.into());
        assert!(screen.lines.len() <= usize::from(rows), "{cells}x{rows}");
        for (line, row) in screen.lines.iter().zip(0..rows) {
            assert!(line.width() <= usize::from(cells), "{cells}x{rows}: {line}");
            frame.buffer_mut().set_line(0, row, line, cells);
        }
        if let Some(measured) = screen.measured {
            state.measure(measured);
        }
    });
    let buffer = drawn.expect("drawn").buffer.clone();
    let mut text = String::new();
    for row in 0..rows {
        let (mut line, mut skip) = (String::new(), 0);
        for cell in 0..cells {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer[(cell, row)].symbol();
            skip = width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        text += line.trim_end();
        text.push('\n');
    }
    text.trim_end().to_owned()
}

fn seed() -> Value {
    json!({"agent": "Ink", "workspace": "/src/course", "title": "How long should topic 3 take?", "questions": [{
        "id": "answer", "question": "How long should topic 3 take?", "type": "choice", "allow_other": true,
        "options": ["One session", "Two sessions", "Two sessions and a lab"]}]})
}

#[test]
fn the_panel_is_the_one_of_the_seed() {
    let mut state = open(0, seed());
    expect![[r#"
        Ink in /src/course
        ╭──────────────────────────────────────────────────────────╮
        │ The agent asks                                           │
        │ How long should topic 3 take?                            │
        │                                                          │
        │ ❯ 1. One session                                         │
        │   2. Two sessions                                        │
        │   3. Two sessions and a lab                              │
        │   Other (type your own answer)                           │
        │ ↑/↓ choose · Enter to send                               │
        ╰──────────────────────────────────────────────────────────╯



         guided mode · 1 of 2 · ? keys"#]]
    .assert_eq(&shown(&mut state, 60, 15));
}

#[test]
fn it_is_spoken_in_spanish_thirty_cells_wide_and_with_tasks() {
    let mut more = seed();
    more["todos"] = json!([
        {"content": "Leer el temario", "status": "completed"},
        {"content": "Escribir", "status": "in_progress", "activeForm": "Escribiendo las tres sesiones"},
        {"content": "Enviarlo", "status": "pending"},
    ]);
    expect![[r#"
        Ink en /src/course
        ☑ Leer el temario
        ◼ Escribiendo las tres sesion…
        ☐ Enviarlo
        ╭────────────────────────────╮
        │ El agente pregunta         │
        │ How long should topic 3    │
        │ take?                      │
        │                            │
        │ ❯ 1. One session           │
        │   2. Two sessions          │
        │   3. Two sessions and a    │
        │      lab                   │
        │   Otra (escribe tu         │
        │   respuesta)               │
        │ ↑/↓ elegir · Enter para    │
        │ enviar                     │
        ╰────────────────────────────╯


         modo guiado · 1 de 2 · ?"#]]
    .assert_eq(&shown(&mut open(1, more), 30, 21));
}

#[test]
fn wide_characters_keep_the_frame_whole_and_what_hides_is_shown() {
    let more = json!({"agent": "墨", "workspace": "/src/課程", "questions": [{"id": "q", "question": "第三課はどのくらい？ 👩‍🚒 a\u{202e}b", "type": "multiChoice",
        "options": ["一回", {"label": "二回", "description": "と実験"}]}]});
    let mut state = open(0, more);
    state.take(Event::Key(KeyEvent::from(KeyCode::Char(' '))));
    expect![[r#"
        墨 in /src/課程
        ╭──────────────────────────────────────╮
        │ The agent asks                       │
        │ 第三課はどのくらい？ 👩‍🚒 a⟦U+202E⟧b   │
        │ ❯ [x] 1. 一回                        │
        │   [ ] 2. 二回                        │
        │      と実験                          │
        │ ↑/↓ choose · Space marks · Enter to  │
        │ send                                 │
        ╰──────────────────────────────────────╯

         guided mode · 1 of 2 · ? keys"#]]
    .assert_eq(&shown(&mut state, 40, 12));
}

#[test]
fn a_long_plan_scrolls_above_its_panel_from_its_top_to_its_end() {
    let plan: String = (1..=60).map(|n| format!("{n}. Step number {n}\n")).collect();
    let plan = json!({"class": "plan", "kind": "present_plan", "context": plan, "questions": [countersign_core::plan::question()]});
    let mut state = open(0, plan);
    let first = shown(&mut state, 80, 24);
    assert!(first.contains("1. Step number 1\n") && first.contains("PgDn: there is more"), "{first}");
    assert!(first.contains("Run it") && first.contains("could not be told"), "{first}");
    state.take(Event::Key(KeyEvent::from(KeyCode::Char('r'))));
    assert!(shown(&mut state, 80, 24).contains("Read it to its end first"));
    state.take(Event::Key(KeyEvent::from(KeyCode::End)));
    let last = shown(&mut state, 80, 24);
    assert!(last.contains("60. Step number 60") && !last.contains("there is more"), "{last}");
    let effects = state.take(Event::Key(KeyEvent::from(KeyCode::Char('r'))));
    assert!(matches!(effects.as_slice(), [crate::tui::state::Effect::Do(_)]), "{effects:?}");
}

#[test]
fn a_plan_is_looked_at_by_its_lines_its_changes_and_the_ones_before_it() {
    let plan = json!({"class": "plan", "context": "# Plan\n\n1. Read\n2. Write", "questions": [countersign_core::plan::question()],
        "plan": {"revision": 2, "changes": "@@ -3 +3 @@\n-1. Skim\n+1. Read\n", "modes": ["guided", "interactive"], "run_mode": "guided",
            "previous": [{"revision": 1, "title": "Plan", "outcome": "keep", "comment": "Read it.", "remarks": [{"line": 3, "quote": "1. Skim", "text": "no"}]}]}});
    let mut state = open(1, plan);
    let mut press = |c| {
        state.take(Event::Key(KeyEvent::from(KeyCode::Char(c))));
        shown(&mut state, 90, 24)
    };
    let lines = press('n');
    for line in ["1 │ # Plan", "3 │ 1. Read", "revisión 2", "Ejecutarlo lleva al modo guiado"] {
        assert!(lines.contains(line), "{line:?} is not on\n{lines}");
    }
    assert!(press('m').contains("Ejecutarlo lleva al modo interactivo"));
    let changes = press('d');
    assert!(changes.contains("-1. Skim") && changes.contains("+1. Read"), "{changes}");
    let before = press('p');
    assert!(before.contains("revisión 1 · se devolvió · Plan") && before.contains("Read it."), "{before}");
    let text = press('p');
    assert!(text.contains("2. Write") && !text.contains("Read it."), "the same key leads back to it:\n{text}");
}

#[test]
fn in_a_few_rows_all_of_it_scrolls_and_what_is_chosen_is_on_the_screen() {
    let mut state = open(0, seed());
    for _ in 0..3 {
        assert!(shown(&mut state, 30, 5).contains('❯'));
        state.take(Event::Key(KeyEvent::from(KeyCode::Down)));
    }
    let other = shown(&mut state, 30, 5);
    assert!(other.contains("❯ Other"), "{other}");
}

#[test]
fn every_size_draws_something_and_nothing_beyond_it() {
    let mut long = seed();
    long["context"] =
        json!("# Title\n\n- a\n- b\n\n```\ncode\n```\n\n| a | b |\n| --- | --- |\n| 日本 | c |\n\n".repeat(5));
    long["todos"] =
        json!((0..20).map(|n| json!({"content": format!("task {n}"), "status": "pending"})).collect::<Vec<_>>());
    for more in [seed(), long] {
        let mut state = open(1, more);
        for cells in [1, 2, 3, 4, 5, 8, 13, 19, 20, 21, 30, 60, 120, 200] {
            for rows in [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 24, 60] {
                let text = shown(&mut state, cells, rows);
                assert!(rows < 3 || cells < 4 || !text.trim().is_empty(), "{cells}x{rows}");
            }
        }
    }
}

#[test]
fn no_color_draws_none() {
    let state = open(0, seed());
    let lines = screen(&state, &mut Cache::default(), Theme::new(false), 60, 20).lines;
    let colored =
        lines.iter().flat_map(|line| &line.spans).any(|span| span.style.fg.is_some() || span.style.bg.is_some());
    assert!(!colored);
}

#[test]
fn a_passphrase_is_never_on_the_screen() {
    let mut state = open(0, seed());
    let command = countersign_host::Command::Decline { id: RequestId("r".into()), comment: None };
    state.take(Event::Refused { command: Box::new(command), code: "proof_needed".into(), message: String::new() });
    "correct horse".chars().for_each(|c| drop(state.take(Event::Key(KeyEvent::from(KeyCode::Char(c))))));
    let text = shown(&mut state, 60, 12);
    assert!(text.contains("> •••••••••••••") && !text.contains("horse"), "{text}");
}
