//! The run folder of a call: where its questions may be answered by a file. An agent's word, so it is checked like any folder.
//!
//! Reads the disk, so it is never called on the writer's thread.

use crate::agents;
use crate::broker::Broker;
use crate::error::BrokerError;
use countersign_store::Agent;
use std::fs;
use std::path::Path;

impl Broker {
    /// The run folder that an agent names, as it is kept: a folder of this user without a link in its path, where the agent may
    /// work, and apart from Countersign's own.
    pub fn run_folder(&self, agent: &Agent, given: &str) -> Result<String, BrokerError> {
        let refuse = |why: &str| {
            BrokerError::Invalid(format!("the run folder {} {why}", given.chars().take(300).collect::<String>()))
        };
        let path = agents::spelled(given.trim())
            .ok()
            .filter(|path| !path.is_empty())
            .ok_or_else(|| refuse("must be the absolute path of a folder, without `..`"))?;
        let kind = fs::symlink_metadata(&path).map_err(|_| refuse("is not there; make it first"))?;
        if kind.is_symlink() {
            return Err(refuse("is a link; name the folder that it leads to"));
        }
        if !kind.is_dir() {
            return Err(refuse("is no folder"));
        }
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::uid(&kind) != rustix::process::getuid().as_raw() {
            return Err(refuse("belongs to another user"));
        }
        let path = agents::resolved(path);
        agents::check_folder(agent, &path)?;
        let own = self.data_folder().and_then(|own| own.canonicalize().ok());
        if own.is_some_and(|own| Path::new(&path).starts_with(&own) || own.starts_with(&path)) {
            return Err(refuse("is Countersign's own folder, or around it; name another"));
        }
        Ok(path)
    }
}
