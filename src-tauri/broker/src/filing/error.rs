//! Why a file is not taken. Each text says what to do; people and models read it.

use crate::error::BrokerError;
use countersign_core::given::PathError;
use countersign_core::inside::InsideError;
use countersign_core::limit;
use std::io;
use std::path::Path;

/// A refusal. Nothing is left behind of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FileError {
    #[error("{0}")]
    Path(#[from] PathError),
    #[error("{0}")]
    Inside(#[from] InsideError),
    #[error("this session works in no folder; give `workspace`")]
    NoFolder,
    #[error("there is no file `{path}`")]
    Missing { path: String },
    #[error("`{path}` is a folder; give a file")]
    Folder { path: String },
    #[error("`{path}` is a link to `{to}`; give the file itself")]
    Link { path: String, to: String },
    #[error("`{path}` is no regular file")]
    Special { path: String },
    #[error("`{path}` has {bytes} bytes; {limit} are allowed")]
    TooBig { path: String, bytes: u64, limit: u64 },
    #[error("`{path}` is not inside the workspace: it leads out of it by a link; give a path in it")]
    LeadsOut { path: String },
    #[error("`{path}` leads through a link; give the path that it leads to, `{real}`")]
    Through { path: String, real: String },
    #[error("`{path}` is not a folder, so nothing can be put in it")]
    NotAFolder { path: String },
    #[error("`{path}` is one of Countersign's own files, which no agent is given")]
    Own { path: String },
    #[error("`{path}` changed while it was read; give it again once nobody writes to it")]
    Moving { path: String },
    /// What was shown is not what is there.
    #[error("`{path}` is not the file that was shown any more, so nothing was moved and nobody decided")]
    Changed { path: String },
    /// Somebody else took the name in the same moment.
    #[error("other files took the name again and again; try once more")]
    Taken,
    #[error("`{path}`: {why}")]
    System { path: String, why: String },
}

impl FileError {
    pub(crate) fn too_big(path: &str, bytes: u64) -> Self {
        Self::TooBig { path: path.to_owned(), bytes, limit: limit::GIVEN_FILE_BYTES }
    }
}

pub(crate) fn system(path: &str, error: &io::Error) -> FileError {
    FileError::System { path: path.to_owned(), why: error.to_string() }
}

pub(crate) fn spelled(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl From<FileError> for BrokerError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Changed { .. } => Self::Stale,
            FileError::Missing { .. } => Self::NotFound(error.to_string()),
            FileError::Path(_)
            | FileError::Inside(_)
            | FileError::NoFolder
            | FileError::Folder { .. }
            | FileError::Link { .. }
            | FileError::Special { .. }
            | FileError::TooBig { .. }
            | FileError::LeadsOut { .. }
            | FileError::Through { .. }
            | FileError::NotAFolder { .. }
            | FileError::Own { .. }
            | FileError::Moving { .. }
            | FileError::Taken
            | FileError::System { .. } => Self::Invalid(error.to_string()),
        }
    }
}
