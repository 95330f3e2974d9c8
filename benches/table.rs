//! The table, as markdown, a row as soon as it is known. Absent: files, and any failing over a number.

/// What a figure is held to.
#[derive(Debug, Clone, Copy)]
pub enum Budget {
    /// So much at the most.
    AtMost(f64, &'static str),
    /// So much at the least.
    AtLeast(f64, &'static str),
    /// Nothing; it is told for its own sake.
    None(&'static str),
}

/// Begins the table.
pub fn begin() {
    println!("| figure | ours (p50 / p99) | beside it, same run | held | budget | |");
    println!("|---|---|---|---|---|---|");
}

/// One row: what, ours, the peer's, and the figure that is held to a budget.
pub fn row(what: &str, ours: &str, peer: &str, figure: f64, budget: Budget) {
    let (budget_shown, unit) = match budget {
        Budget::AtMost(most, unit) => (format!("≤ {most}{unit}"), unit),
        Budget::AtLeast(least, unit) => (format!("≥ {least}{unit}"), unit),
        Budget::None(unit) => ("–".into(), unit),
    };
    let digits = if figure.abs() < 10.0 { 2 } else { 1 };
    println!(
        "| {what} | {ours} | {peer} | **{figure:.digits$}{unit}** | {budget_shown} | {} |",
        verdict(figure, budget)
    );
}

/// Says what could not be measured, and why.
pub fn skipped(what: &str, why: &str) {
    println!("| {what} | – | – | – | – | skipped: {why} |");
}

fn verdict(figure: f64, budget: Budget) -> &'static str {
    let times = match budget {
        Budget::AtMost(most, _) => figure / most,
        Budget::AtLeast(least, _) => least / figure,
        Budget::None(_) => return "",
    };
    match times {
        held if held <= 1.0 => "held",
        twice if twice <= 2.0 => "within twice",
        _ => "OVER TWICE",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_held_within_twice_or_over() {
        for (figure, budget, want) in [
            (5.0, Budget::AtMost(5.0, "×"), "held"),
            (9.9, Budget::AtMost(5.0, "×"), "within twice"),
            (10.1, Budget::AtMost(5.0, "×"), "OVER TWICE"),
            (7.0, Budget::AtLeast(5.0, "×"), "held"),
            (2.6, Budget::AtLeast(5.0, "×"), "within twice"),
            (2.4, Budget::AtLeast(5.0, "×"), "OVER TWICE"),
            (f64::NAN, Budget::AtMost(5.0, "×"), "OVER TWICE"),
        ] {
            assert_eq!(verdict(figure, budget), want, "{figure} {budget:?}");
        }
    }
}
