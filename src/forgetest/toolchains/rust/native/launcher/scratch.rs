//! The writable folders, and whatever else a test could count.

use crate::child::root;
use crate::libc::*;
use crate::private::Private;
use std::ffi::{c_int, c_long, c_void, CStr, CString};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const MOST_BETWEEN_RUNS: u8 = 4;

/// Makes the folders as they were for the first test: empty, with the same permissions and a fresh time. Returns false
/// if something cannot be removed.
pub fn reset(private: &mut Private) -> bool {
    advance_counters(MOST_BETWEEN_RUNS);
    folders().iter().all(|folder| {
        let path = Path::new(folder.to_str().expect("UTF-8"));
        let _ = std::fs::set_permissions(path, Permissions::from_mode(0o700));
        let is_clean = unsafe { is_empty(folder, &mut private.buffer) } || unsafe { clear_in_child(path) };
        is_clean && unsafe { utimensat(AT_FDCWD, folder.as_ptr(), std::ptr::null(), 0) } == 0
    })
}

/// Processes and files get consecutive numbers, by which a test could tell how many ran before it. This uses up a random
/// number of both, below `most`.
pub fn advance_counters(most: u8) {
    let mut random = [0u8; 2];
    unsafe { getrandom(random.as_mut_ptr(), random.len(), 0) };
    for folder in folders() {
        let path = CString::new([folder.as_bytes(), b"/counted"].concat()).expect("no NUL");
        for _ in 0..random[0] % most {
            unsafe {
                close(open(path.as_ptr(), O_RDWR | O_CREAT, 0o600));
                unlink(path.as_ptr());
            }
        }
    }
    for _ in 0..random[1] % most {
        unsafe { use_process_number() };
    }
}

/// Without namespaces, /tmp is the host's: these are the folders that belong to this step.
fn folders() -> [CString; 2] {
    ["/tmp", "/x"].map(|folder| CString::new(root() + folder).expect("no NUL"))
}

/// Starts a process that shares all memory and ends at once.
unsafe fn use_process_number() {
    const SHARE_MEMORY_AND_WAIT: c_int = 0x100 | 0x4000;
    const SIGCHLD: c_int = 17;
    extern "C" fn end(_: *mut c_void) -> c_int {
        0
    }
    let mut stack = [0u128; 256];
    let top = stack.as_mut_ptr().add(stack.len()).cast();
    let pid = clone(end, top, SHARE_MEMORY_AND_WAIT | SIGCHLD, std::ptr::null_mut());
    if pid > 0 {
        wait4(pid, &mut 0, 0, &mut [0; 18]);
    }
}

/// Looks into a folder without copying names into other memory.
unsafe fn is_empty(folder: &CStr, buffer: &mut [u8]) -> bool {
    const GETDENTS64: c_long = if cfg!(target_arch = "x86_64") { 217 } else { 61 };
    const ENTRY_OF_DOTS: c_long = 24;
    let fd = open(folder.as_ptr(), O_CLOEXEC);
    if fd < 0 {
        return false;
    }
    let size = syscall(GETDENTS64, fd as c_long, buffer.as_mut_ptr(), buffer.len());
    close(fd);
    size == 2 * ENTRY_OF_DOTS // `.` and `..`
}

/// Empties a folder in a process of its own, so that names that a test chose do not stay in this one's memory.
unsafe fn clear_in_child(folder: &Path) -> bool {
    let pid = fork();
    if pid == 0 {
        _exit(if clear(folder) { 0 } else { 1 })
    }
    let mut status = 1;
    pid > 0 && wait4(pid, &mut status, 0, &mut [0; 18]) == pid && status == 0
}

/// Removes what a test left: the next one must learn nothing from it and must not lack the space. Folders inside of
/// folders are moved up first, because no path reaches the bottom of a deep one.
fn clear(folder: &Path) -> bool {
    let mut moved = 0u64;
    loop {
        let Ok(entries) = std::fs::read_dir(folder) else { return false };
        let mut is_empty = true;
        for entry in entries {
            is_empty = false;
            let Ok(entry) = entry else { return false };
            let path = entry.path();
            let is_gone = match entry.file_type() {
                Ok(kind) if kind.is_dir() => lift_content(&path, folder, &mut moved) && std::fs::remove_dir(&path).is_ok(),
                _ => std::fs::remove_file(&path).is_ok(),
            };
            if !is_gone {
                return false;
            }
        }
        if is_empty {
            return true;
        }
    }
}

/// Removes the files in a folder and moves the folders in it to another.
fn lift_content(folder: &Path, target: &Path, moved: &mut u64) -> bool {
    let _ = std::fs::set_permissions(folder, Permissions::from_mode(0o700));
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    for entry in entries {
        let Ok(entry) = entry else { return false };
        let path = entry.path();
        let is_gone = match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                let _ = std::fs::set_permissions(&path, Permissions::from_mode(0o700));
                // an empty folder of the same name gives way; one that is not gives the next number a try
                (0..1_000).any(|_| {
                    *moved += 1;
                    std::fs::rename(&path, target.join(format!("moved-{moved}"))).is_ok()
                })
            }
            _ => std::fs::remove_file(&path).is_ok(),
        };
        if !is_gone {
            return false;
        }
    }
    true
}
