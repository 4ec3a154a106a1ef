#pragma once
// System calls that no confined program gets, and why.

#include <cerrno>

namespace agentrun::seccomp {

struct DeniedCall {
  const char* name;
  int error;  ///< ENOSYS where programs then go another way, as on a kernel without it
};

inline constexpr DeniedCall denied_calls[] = {
    // Work in the kernel that no filter sees: io_uring opens, connects and sends by itself.
    {"io_uring_setup", ENOSYS},
    {"io_uring_enter", ENOSYS},
    {"io_uring_register", ENOSYS},
    // Other processes of the user, whose memory and descriptors reach past every rule.
    {"ptrace", EPERM},
    {"process_vm_readv", EPERM},
    {"process_vm_writev", EPERM},
    {"process_madvise", EPERM},
    {"pidfd_getfd", EPERM},
    {"kcmp", EPERM},
    // Keyrings hold the user's keys (Kerberos, ecryptfs) and are no files.
    {"keyctl", ENOSYS},
    {"add_key", ENOSYS},
    {"request_key", ENOSYS},
    // Parts of the kernel with a history of holes and no use here.
    {"bpf", EPERM},
    {"userfaultfd", EPERM},
    {"perf_event_open", EPERM},
    {"modify_ldt", EPERM},
    {"vm86", EPERM},
    {"vm86old", EPERM},
    {"lookup_dcookie", EPERM},
    {"nfsservctl", ENOSYS},
    {"uselib", ENOSYS},
    // The view of the file system.
    {"mount", EPERM},
    {"umount", EPERM},
    {"umount2", EPERM},
    {"pivot_root", EPERM},
    {"chroot", EPERM},
    {"fsopen", EPERM},
    {"fsconfig", EPERM},
    {"fsmount", EPERM},
    {"fspick", EPERM},
    {"move_mount", EPERM},
    {"open_tree", EPERM},
    {"mount_setattr", EPERM},
    {"open_by_handle_at", EPERM},  // opens by number what no path leads to
    {"quotactl", EPERM},
    {"quotactl_fd", EPERM},
    {"swapon", EPERM},
    {"swapoff", EPERM},
    // Namespaces. clone3 has its flags in memory, where a filter cannot look: the C library falls back to clone.
    {"setns", EPERM},
    {"clone3", ENOSYS},
    // The machine.
    {"acct", EPERM},
    {"adjtimex", EPERM},
    {"clock_adjtime", EPERM},
    {"clock_settime", EPERM},
    {"settimeofday", EPERM},
    {"stime", EPERM},
    {"sethostname", EPERM},
    {"setdomainname", EPERM},
    {"reboot", EPERM},
    {"kexec_load", EPERM},
    {"kexec_file_load", EPERM},
    {"init_module", EPERM},
    {"finit_module", EPERM},
    {"delete_module", EPERM},
    {"create_module", ENOSYS},
    {"iopl", EPERM},
    {"ioperm", EPERM},
    {"syslog", EPERM},
    {"vhangup", EPERM},
};

/// Without a namespace for them these reach the memory and the queues of the user's other programs.
inline constexpr const char* shared_ipc_calls[] = {
    "shmget", "shmat",  "shmctl", "shmdt",  "semget", "semop",   "semtimedop",
    "semctl", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink",
};

/// Modes, owners, times, attributes: what Landlock has no rule for.
inline constexpr const char* metadata_calls[] = {
    "chmod",     "fchmod",    "fchmodat",    "chown",        "fchown",       "lchown",
    "fchownat",  "utime",     "utimes",      "futimesat",    "utimensat",    "setxattr",
    "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
};

/// Commands (type and number) that change files through a descriptor that is open for reading: no rule of Landlock's
/// sees them. The user's own files would do.
inline constexpr unsigned file_commands[] = {
    0x6602,  // FS_IOC_SETFLAGS
    0x7602,  // FS_IOC_SETVERSION
    0x5820,  // FS_IOC_FSSETXATTR
    0x6609,  // EXT4_IOC_MIGRATE
    0x6611,  // EXT4_IOC_SWAP_BOOT
    0x6613,  // FS_IOC_SET_ENCRYPTION_POLICY
    0x6617,  // FS_IOC_ADD_ENCRYPTION_KEY
    0x6618,  // FS_IOC_REMOVE_ENCRYPTION_KEY
    0x6685,  // FS_IOC_ENABLE_VERITY: makes a file unchangeable
    // btrfs makes and removes subvolumes without asking a security module.
    0x9401,
    0x9402,
    0x940e,
    0x940f,
    0x9410,
    0x9413,
    0x9417,
    0x9418,
    0x941a,
    0x9425,
    0x943f,
};

/// cachestat of Linux 6.5, the same number on every architecture. Above are fchmodat2, setxattrat and open_tree_attr,
/// which would have to be refused anyway, and nothing that programs do not do without.
inline constexpr unsigned newest_allowed_call = 451;

}  // namespace agentrun::seccomp
