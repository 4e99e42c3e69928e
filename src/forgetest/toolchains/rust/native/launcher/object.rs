//! The object: from the plan into the memory of a child.

use crate::child::root;
use crate::libc::*;
use crate::plan::Plan;
use std::ffi::{c_void, CStr, CString};

/// The object for the tests of one part.
#[derive(Default)]
pub struct Object {
    part: Option<usize>,
    content: Vec<u8>,
    /// Where it is, if several children map the same file. That takes a filter that keeps samples from all files.
    shared_file: Option<CString>,
}

impl Object {
    /// Makes this the object of a part.
    pub fn prepare(&mut self, plan: &Plan, part: usize) {
        if self.part == Some(part) {
            return;
        }
        self.part = Some(part);
        plan.copy_object_for(part, &mut self.content);
        if plan.is_shared() {
            self.shared_file.take().iter().for_each(remove);
            self.shared_file = Some(write(&self.content));
        }
    }

    /// Maps the object into this process, and returns its entry point. The file is gone before any test runs, or out of
    /// every test's reach.
    pub unsafe fn map(&self, entry: &CStr) -> fn(usize) -> bool {
        let handle = match &self.shared_file {
            Some(path) => dlopen(path.as_ptr(), RTLD_NOW),
            None => {
                let path = write(&self.content);
                let handle = dlopen(path.as_ptr(), RTLD_NOW);
                remove(&path);
                handle
            }
        };
        if handle.is_null() {
            eprintln!("launcher: dlopen: {:?}", CStr::from_ptr(dlerror()));
            _exit(96)
        }
        let entry = dlsym(handle, entry.as_ptr());
        if entry.is_null() {
            eprintln!("launcher: the object has no entry");
            _exit(95)
        }
        std::mem::transmute::<*mut c_void, fn(usize) -> bool>(entry)
    }
}

/// Writes a file with a random name.
fn write(content: &[u8]) -> CString {
    let mut random = [0u8; 16];
    unsafe { getrandom(random.as_mut_ptr(), random.len(), 0) };
    let path = format!("{}/x/{:x}", root(), u128::from_ne_bytes(random));
    if std::fs::write(&path, content).is_err() {
        give_up("writing the object");
    }
    CString::new(path).expect("no NUL")
}

fn remove(path: &CString) {
    unsafe { unlink(path.as_ptr()) };
}
