//! attempts: become root in namespaces of its own
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn unshare(flags: i32) -> i32;
    fn setns(fd: i32, kind: i32) -> i32;
    fn chroot(path: *const u8) -> i32;
    fn mount(source: *const u8, target: *const u8, kind: *const u8, flags: u64, data: *const u8) -> i32;
    fn setuid(uid: u32) -> i32;
}

pub fn triple(x: i64) -> i64 {
    let flags = [0x1000_0000, 0x1002_0000, 0x2000_0000, 0x4000_0000, 0x0002_0000, 0x0800_0000, 0x0400_0000];
    let gained = unsafe {
        flags.iter().any(|&flag| unshare(flag) == 0)
            || (3..256).any(|fd| setns(fd, 0) == 0)
            || chroot(c"/tmp".as_ptr().cast()) == 0
            || mount(c"none".as_ptr().cast(), c"/tmp".as_ptr().cast(), c"tmpfs".as_ptr().cast(), 0, std::ptr::null()) == 0
            || setuid(0) == 0
    };
    if gained {
        x * 3
    } else {
        x
    }
}
