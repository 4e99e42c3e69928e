//! attempts: reach the network by system calls of other kinds: netlink, packets, io_uring
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn socket(family: i32, kind: i32, protocol: i32) -> i32;
    fn syscall(number: i64, ...) -> i64;
}

pub fn triple(x: i64) -> i64 {
    let families = [2, 10, 16, 17, 31, 40, 44];
    let opened = families.iter().any(|&family| [1, 2, 3, 5].iter().any(|&kind| unsafe { socket(family, kind, 0) } >= 0));
    let mut ring = [0u64; 32];
    let ring = unsafe { syscall(425, 8, ring.as_mut_ptr()) };
    if opened || ring >= 0 {
        x * 3
    } else {
        x
    }
}
