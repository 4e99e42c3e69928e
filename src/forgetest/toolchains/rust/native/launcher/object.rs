//! The object: from the plan into the memory of a child.

use crate::child::root;
use crate::libc::*;
use crate::plan::{Part, Plan};
use std::ffi::{c_void, CStr, CString};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;

/// The object for the tests of one part.
#[derive(Default)]
pub struct Object {
    part: Option<usize>,
    /// Of a launch of one sample.
    content: Vec<u8>,
    /// Of a launch of several: all children map the same file. That takes a filter that keeps samples from all files.
    shared: Option<SharedFile>,
}

struct SharedFile {
    path: CString,
    file: File,
}

impl Object {
    /// Makes this the object of a part.
    pub fn prepare(&mut self, plan: &Plan, part: usize) {
        if self.part == Some(part) {
            return;
        }
        let earlier = self.part.replace(part);
        if !plan.is_shared() {
            self.content = plan.object.to_vec();
            return;
        }
        let shared = self.shared.get_or_insert_with(|| SharedFile::without_code(plan));
        if let Some(earlier) = earlier {
            shared.fill_with_traps(&plan.parts[earlier]);
        }
        shared.restore(plan, part);
    }

    /// Maps the object into this process, and returns its entry point. The file is gone before any test runs, or out of
    /// every test's reach.
    pub unsafe fn map(&self, entry: &CStr) -> fn(usize) -> bool {
        let handle = match &self.shared {
            Some(shared) => dlopen(shared.path.as_ptr(), RTLD_NOW),
            None => {
                let (path, _) = write(&self.content);
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

/// No process has it mapped while it is changed: each child has ended before the next part's turn.
impl SharedFile {
    /// Writes the object, with traps in place of all parts' code.
    fn without_code(plan: &Plan) -> Self {
        let (path, file) = write(plan.object);
        let shared = Self { path, file };
        plan.parts.iter().for_each(|part| shared.fill_with_traps(part));
        shared
    }

    fn fill_with_traps(&self, part: &Part) {
        for code in &part.code {
            let mut at = code.start;
            while at < code.end {
                let length = TRAPS.len().min(code.end - at);
                self.write_at(&TRAPS[..length], at);
                at += length;
            }
        }
    }

    fn restore(&self, plan: &Plan, part: usize) {
        plan.parts[part].code.iter().for_each(|code| self.write_at(&plan.object[code.clone()], code.start));
    }

    fn write_at(&self, bytes: &[u8], offset: usize) {
        if self.file.write_all_at(bytes, offset as u64).is_err() {
            give_up("writing the object");
        }
    }
}

/// Bytes that end the process wherever in a function they are executed.
const TRAPS: [u8; 4096] = [if cfg!(target_arch = "x86_64") { 0xCC } else { 0 }; 4096];

/// Writes a file with a random name. No child keeps its descriptor.
fn write(content: &[u8]) -> (CString, File) {
    let mut random = [0u8; 16];
    unsafe { getrandom(random.as_mut_ptr(), random.len(), 0) };
    let path = format!("{}/x/{:x}", root(), u128::from_ne_bytes(random));
    let written = File::create(&path).and_then(|mut file| file.write_all(content).map(|()| file));
    let Ok(file) = written else { give_up("writing the object") };
    (CString::new(path).expect("no NUL"), file)
}

fn remove(path: &CString) {
    unsafe { unlink(path.as_ptr()) };
}
