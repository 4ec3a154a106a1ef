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

/// cachestat of Linux 6.5, the same number on every architecture. Above are fchmodat2, setxattrat and open_tree_attr,
/// which would have to be refused anyway, and nothing that programs do not do without.
inline constexpr unsigned newest_allowed_call = 451;

}  // namespace agentrun::seccomp
