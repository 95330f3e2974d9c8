//! Printing to stdout. A reader that has gone (`| head -1`) has seen enough; that is no fault of this program.

/// Prints a line, or nothing when nobody reads any more.
macro_rules! out {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($words)*);
    }};
}

pub(crate) use out;
