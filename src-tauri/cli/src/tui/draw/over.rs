//! What lies over all else: the proof, the keys, a request that ended elsewhere.

use super::{Drawing, Screen, field};
use crate::tui::state::{Overlay, Proof};
use crate::tui::wrap::wrap;
use countersign_core::safe_text::SafeText;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

impl Drawing<'_> {
    pub(super) fn over(&self, overlay: &Overlay, room: usize) -> Screen {
        let words = self.state.words;
        match overlay {
            Overlay::Proof(proof) => self.proof(proof),
            Overlay::Command(_) => Screen::default(),
            Overlay::Help => {
                let mut lines: Vec<_> = words.help.lines().map(|line| self.line(line, Style::default())).collect();
                if lines.len() >= room {
                    lines = lines.into_iter().take(room).collect();
                }
                Screen { lines, ..Screen::default() }
            }
            Overlay::Ended { text, typed } => {
                let mut lines = self.wrapped(text, self.theme.heading());
                if !typed.is_empty() {
                    lines.push(Line::default());
                    lines.extend(self.wrapped(words.your_text, self.theme.faint()));
                }
                for text in typed {
                    let shown = SafeText::lines(text).revealed();
                    let bar = [("│ ".to_owned(), self.theme.faint())];
                    lines.extend(wrap(&[(shown, Style::default())], self.cells, &bar, &bar));
                }
                lines.truncate(room.saturating_sub(2).max(1));
                lines.push(Line::default());
                lines.push(self.line(if self.state.inert { "…" } else { words.hint_note }, self.theme.faint()));
                Screen { lines, ..Screen::default() }
            }
        }
    }

    fn proof(&self, proof: &Proof) -> Screen {
        let words = self.state.words;
        let mut lines =
            self.wrapped(if proof.in_window { words.proof_window } else { words.proof_typed }, self.theme.heading());
        let mut cursor = None;
        if proof.in_window {
            let code = proof.code.as_deref().unwrap_or(words.proof_wait);
            lines.push(Line::default());
            lines.push(self.line(&SafeText::line(code).plain(), self.theme.chosen()));
        } else {
            let (typed, (row, column)) = field::lines(&proof.field, self.cells.saturating_sub(2).max(1), true);
            cursor = Some(((column + 2) as u16, (lines.len() + row) as u16));
            for (at, line) in typed.into_iter().enumerate() {
                let sign = if at == 0 { "> " } else { "  " };
                lines.push(Line::from(vec![Span::styled(sign, self.theme.faint()), Span::raw(line)]));
            }
            if let Some(wrong) = &proof.wrong {
                lines.extend(self.wrapped(wrong, self.theme.careful()));
            }
            if proof.busy {
                lines.push(self.line(words.proof_wait, self.theme.faint()));
            }
        }
        lines.push(Line::default());
        let hint = if proof.in_window { words.hint_code } else { words.hint_passphrase };
        lines.extend(self.wrapped(hint, self.theme.faint()));
        Screen { lines, cursor, measured: None }
    }
}
