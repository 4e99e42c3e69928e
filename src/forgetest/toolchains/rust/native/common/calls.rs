//! The numbers of system calls.

#[cfg(target_arch = "x86_64")]
pub const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
pub const ARCHITECTURE: u32 = 0xC000_00B7;

/// `file_setattr` of Linux 6.17, the newest call that was looked at. New calls have the same number everywhere.
pub const NEWEST: u32 = 469;
pub const CLONE3: u32 = 435;

/// io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig fsmount fspick pidfd_open
/// pidfd_getfd process_madvise mount_setattr memfd_secret process_mrelease statmount listmount lsm_get_self_attr
/// lsm_set_self_attr lsm_list_modules open_tree_attr
pub const FORBIDDEN_EVERYWHERE: &[u32] = &[
    425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442, 447, 448, 457, 458, 459, 460, 461, 467,
];

#[cfg(target_arch = "x86_64")]
mod by_architecture {
    /// execve execveat ptrace process_vm_readv process_vm_writev memfd_create userfaultfd bpf perf_event_open unshare
    /// setns mount umount2 pivot_root chroot keyctl add_key request_key name_to_handle_at open_by_handle_at kcmp shmget
    /// semget msgget mq_open sync syncfs io_setup io_destroy io_getevents io_submit io_cancel io_pgetevents splice tee
    /// vmsplice
    pub const FORBIDDEN: &[u32] = &[
        59, 322, 101, 310, 311, 319, 323, 321, 298, 272, 308, 165, 166, 155, 161, 250, 248, 249, 303, 304, 312, 29, 64,
        68, 240, 162, 306, 206, 207, 208, 209, 210, 333, 275, 276, 278,
    ];
    /// First and last of the numbers that no call has had so far.
    pub const UNUSED: (u32, u32) = (337, 423);
    /// fork vfork
    pub const FORKING: &[u32] = &[57, 58];
    pub const CLONE: u32 = 56;
    pub const GETTID: u32 = 186;
    pub const PRCTL: u32 = 157;
    pub const PRLIMIT: u32 = 302;
    pub const SOCKET: u32 = 41;
    /// mmap mprotect pkey_mprotect
    pub const PROTECT: &[u32] = &[9, 10, 329];
    /// clock_gettime clock_nanosleep timer_create
    pub const CLOCKS: &[u32] = &[228, 230, 222];
    /// read write; mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn; writev; sched_yield mremap;
    /// madvise; nanosleep; clone; exit; sigaltstack; prctl; futex; sched_getaffinity; restart_syscall;
    /// clock_nanosleep exit_group; set_robust_list; getrandom; rseq; clone3
    pub const INWARD: &[(u32, u32)] = &[
        (0, 1), (9, 15), (20, 20), (24, 25), (28, 28), (35, 35), (56, 56), (60, 60), (131, 131), (157, 157),
        (202, 202), (204, 204), (219, 219), (230, 231), (273, 273), (318, 318), (334, 334), (435, 435),
    ];
}

#[cfg(target_arch = "aarch64")]
mod by_architecture {
    pub const FORBIDDEN: &[u32] = &[
        221, 281, 117, 270, 271, 279, 282, 280, 241, 97, 268, 40, 39, 41, 51, 219, 217, 218, 264, 265, 272, 194, 190,
        186, 180, 81, 267, 0, 1, 4, 2, 3, 292, 76, 77, 75,
    ];
    pub const UNUSED: (u32, u32) = (295, 423);
    pub const FORKING: &[u32] = &[];
    pub const CLONE: u32 = 220;
    pub const GETTID: u32 = 178;
    pub const PRCTL: u32 = 167;
    pub const PRLIMIT: u32 = 261;
    pub const SOCKET: u32 = 198;
    pub const PROTECT: &[u32] = &[222, 226, 288];
    pub const CLOCKS: &[u32] = &[113, 115, 107];
    pub const INWARD: &[(u32, u32)] = &[
        (63, 64), (66, 66), (93, 94), (98, 99), (101, 101), (115, 115), (123, 124), (128, 128), (132, 132), (134, 135),
        (139, 139), (167, 167), (214, 216), (220, 220), (222, 222), (226, 226), (233, 233), (278, 278), (293, 293),
        (435, 435),
    ];
}

pub use by_architecture::*;
