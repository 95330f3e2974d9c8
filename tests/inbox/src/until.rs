//! Waiting for a condition, with a bound.

use std::time::Duration;

/// Longer than anything here takes; a test that gets there has failed.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What a future gives, in time.
pub async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(done) => done,
        Err(_) => panic!("not in time: {what}"),
    }
}

/// The first value that a look gives.
pub async fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    in_time(what, async {
        loop {
            if let Some(found) = look() {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await
}
