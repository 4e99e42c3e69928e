//! The folders of a step, and what the runs find and leave in them.

use crate::libc::*;
use crate::plan::Content;
use std::ffi::{c_int, CString};

const O_RDONLY: c_int = 0;

/// The folders of a step; without namespaces they are elsewhere.
pub struct Folders {
    pub work: String,
    pub object: String,
    pub inputs: String,
}

impl Folders {
    /// Reads them from the environment, which no program is to see.
    pub fn take_from_environment() -> Self {
        let folders = std::env::var("FOLDERS").unwrap_or_default();
        std::env::remove_var("FOLDERS");
        match folders.split(':').collect::<Vec<_>>()[..] {
            [work, object, inputs] => Folders { work: work.into(), object: object.into(), inputs: inputs.into() },
            _ => give_up("FOLDERS does not name three folders"),
        }
    }

    /// Removes what a run left; false where something cannot be removed.
    pub fn clear(&self) -> bool {
        is_cleared(&self.work) && is_cleared(&self.object)
    }
}

/// Returns the path of an argument that is a file, written now unless it is mounted.
pub fn path_of(content: &Content, index: usize, folders: &Folders) -> CString {
    let path = match content {
        Content::File(name) => format!("{}/{name}", folders.inputs),
        Content::Bytes(bytes) => {
            let path = format!("{}/argument{index}", folders.work);
            if std::fs::write(&path, bytes).is_err() {
                give_up("writing an argument");
            }
            path
        }
    };
    CString::new(path).expect("no NUL")
}

/// Opens the standard input of a run: a mounted file, or one that has no name any more.
pub unsafe fn open_input(content: &Content, folders: &Folders) -> c_int {
    let path = match content {
        Content::File(name) => format!("{}/{name}", folders.inputs),
        Content::Bytes(bytes) => {
            let path = format!("{}/input", folders.object);
            if std::fs::write(&path, bytes).is_err() {
                give_up("writing an input");
            }
            path
        }
    };
    let name = CString::new(path).expect("no NUL");
    let fd = open(name.as_ptr(), O_RDONLY | O_CLOEXEC);
    if fd < 0 {
        give_up("opening an input");
    }
    if matches!(content, Content::Bytes(_)) {
        unlink(name.as_ptr());
    }
    fd
}

/// Removes everything in a folder; false where something cannot be removed.
fn is_cleared(folder: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().all(|entry| {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => std::fs::remove_dir_all(&path).is_ok(),
            _ => std::fs::remove_file(&path).is_ok(),
        }
    })
}
