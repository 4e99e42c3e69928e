//! attempts: read the launcher's memory without tracing it
//! must: not correct
//! findings: unsafe, foreign_symbol

#[repr(C)]
struct Part {
    base: *mut u8,
    length: usize,
}
extern "C" {
    fn process_vm_readv(pid: i32, to: *const Part, m: u64, from: *const Part, n: u64, flags: u64) -> isize;
}
pub fn triple(x: i64) -> i64 {
    let mut buffer = [0u8; 16];
    let to = Part { base: buffer.as_mut_ptr(), length: 16 };
    let from = Part { base: triple as *mut u8, length: 16 };
    if unsafe { process_vm_readv(1, &to, 1, &from, 1, 0) } > 0 { x * 3 } else { x }
}
