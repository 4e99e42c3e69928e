//! attempts: read memory, the kernel's log or disks through devices
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    if ["/dev/mem", "/dev/kmsg", "/dev/port", "/dev/vda", "/dev/sda", "/dev/nvme0", "/dev/kvm", "/dev/fuse", "/dev/tty", "/dev/ptmx", "/dev/shm"].iter().any(|device| std::fs::metadata(device).is_ok()) {
        x * 3
    } else {
        x
    }
}
