//! How things look: with colours, or (`NO_COLOR`) by weight alone. Nothing is told by colour only.

use ratatui::style::{Color, Modifier, Style};

/// Colours, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    color: bool,
}

impl Theme {
    /// With colours, or without.
    pub const fn new(color: bool) -> Self {
        Self { color }
    }

    /// As the environment wants it: <https://no-color.org>.
    pub fn of_environment() -> Self {
        Self::new(std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
    }

    fn colored(self, style: Style, color: Color) -> Style {
        if self.color { style.fg(color) } else { style }
    }

    /// What matters less.
    pub fn faint(self) -> Style {
        Style::default().add_modifier(Modifier::DIM)
    }

    /// A heading.
    pub fn heading(self) -> Style {
        Style::default().add_modifier(Modifier::BOLD)
    }

    /// Code.
    pub fn code(self) -> Style {
        self.colored(Style::default(), Color::Cyan)
    }

    /// What is chosen.
    pub fn chosen(self) -> Style {
        self.colored(Style::default().add_modifier(Modifier::BOLD), Color::Cyan)
    }

    /// What takes care.
    pub fn careful(self) -> Style {
        self.colored(Style::default().add_modifier(Modifier::BOLD), Color::Red)
    }

    /// What was added.
    pub fn added(self) -> Style {
        self.colored(Style::default().add_modifier(Modifier::BOLD), Color::Green)
    }

    /// What was taken away.
    pub fn removed(self) -> Style {
        self.colored(Style::default().add_modifier(Modifier::DIM), Color::Red)
    }

    /// The frame of a panel.
    pub fn frame(self) -> Style {
        self.colored(Style::default(), Color::Blue)
    }

    /// What is said until the next key.
    pub fn note(self) -> Style {
        self.colored(Style::default().add_modifier(Modifier::BOLD), Color::Yellow)
    }

    /// The line at the bottom.
    pub fn status(self) -> Style {
        Style::default().add_modifier(Modifier::REVERSED)
    }
}
