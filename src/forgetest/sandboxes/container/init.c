/* The first process of a container: waits for its instructions, closes what an engine leaves open, and runs a command.
 *
 *   init SOCKET    connects to the socket, and receives four descriptors: the command's own three, and the instructions
 *   init           does nothing, successfully: to find out whether an engine can start anything
 *
 * Instructions are read as init.py writes them. It sends back, in this order: a descriptor of the work folder, if
 * there is one; the error, if there was one; and how the command ended, unless the command has become process 1.
 *
 * No library: it starts in a container that holds nothing else, and a distribution need not have a static one.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call begin\n");

static long call(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: mov x29, #0\n mov x0, sp\n bl begin\n");

static long call(long number, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
#else
#error "only x86_64 and aarch64 are supported"
#endif

#define CALL(number, a, b, c, d) call(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446, SECCOMP_FILTER = 2 };

struct filter { unsigned short length; const void *instructions; };
struct beneath { uint64_t access; int32_t parent; } __attribute__((packed));
struct limit { uint64_t soft, hard; };

static int connection = -1;     /* the socket */
static const char *instruction; /* the part of the instructions that is read next */

/* compilers insert calls of these two */
void *memset(void *to, int byte, size_t size) {
    for (volatile char *byte_at = to; size--; byte_at++) *byte_at = (char)byte;
    return to;
}

void *memcpy(void *to, const void *from, size_t size) {
    const char *read = from;
    for (volatile char *byte_at = to; size--; byte_at++) *byte_at = *read++;
    return to;
}

static size_t length(const char *text) {
    size_t size = 0;
    while (text[size]) size++;
    return size;
}

static void quit(int code) {
    for (;;) CALL(SYS_exit_group, code, 0, 0, 0);
}

static void report(const char *word, const char *what, long number) {
    char text[256], digits[24];
    size_t size = 0, count = 0;
    for (; *word; word++) text[size++] = *word;
    text[size++] = ' ';
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) && count < sizeof digits);
    while (count) text[size++] = digits[--count];
    text[size++] = ' ';
    for (; *what && size < sizeof text - 1; what++) text[size++] = *what;
    text[size++] = '\n';
    CALL(SYS_write, connection, text, size, 0);
}

static long checked(long result, const char *what) {
    if (result < 0) {
        report("failed", what, -result);
        quit(127);
    }
    return result;
}

static uint64_t number(void) {
    uint64_t value;
    memcpy(&value, instruction, sizeof value);
    instruction += sizeof value;
    return value;
}

/* Read bytes that are followed by a zero. */
static char *bytes(size_t *size) {
    size_t count = number();
    char *start = (char *)instruction;
    instruction += count + 1;
    if (size) *size = count;
    return start;
}

static void connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, length(path));
    connection = (int)checked(CALL(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, 0), "socket");
    checked(CALL(SYS_connect, connection, &address, sizeof address, 0), "connect");
}

/* Receive the descriptors: the first three are the command's own, the fourth holds the instructions. */
static void receive_instructions(void) {
    char byte;
    union { struct cmsghdr header; char space[CMSG_SPACE(4 * sizeof(int))]; } control;
    struct iovec one = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = &control};
    message.msg_controllen = sizeof control;
    long received = checked(CALL(SYS_recvmsg, connection, &message, MSG_CMSG_CLOEXEC, 0), "recvmsg");
    if (received != 1) quit(0); /* forgetest is gone */
    const struct cmsghdr *sent = CMSG_FIRSTHDR(&message);
    if (!sent || sent->cmsg_len != CMSG_LEN(4 * sizeof(int))) checked(-EPROTO, "descriptors");
    int given[4];
    memcpy(given, CMSG_DATA(sent), sizeof given);
    long size = checked(CALL(SYS_lseek, given[3], 0, 2, 0), "lseek");
    long mapped = call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, given[3], 0);
    instruction = (const char *)checked(mapped, "mmap");
    for (int stream = 0; stream < 3; stream++) checked(CALL(SYS_dup3, given[stream], stream, 0, 0), "dup3");
}

/* Send a descriptor of the work folder, so that it can be read when this container is gone. */
static void send_folder(const char *path) {
    int folder = (int)checked(CALL(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), path);
    char word[] = "folder 0 \n";
    union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control;
    struct iovec one = {.iov_base = word, .iov_len = sizeof word - 1};
    struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = &control};
    memset(&control, 0, sizeof control);
    message.msg_controllen = sizeof control;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.header), &folder, sizeof folder);
    checked(CALL(SYS_sendmsg, connection, &message, 0, 0), "sendmsg");
    CALL(SYS_close, folder, 0, 0, 0);
}

/* Write one file below the current folder, and make the folders of its path. */
static void write_file(void) {
    char *name = bytes(NULL);
    size_t size;
    const char *content = bytes(&size);
    for (char *slash = name; *slash; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        long made = CALL(SYS_mkdirat, AT_FDCWD, name, 0755, 0);
        if (made != -EEXIST) checked(made, name);
        *slash = '/';
    }
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int file = (int)checked(CALL(SYS_openat, AT_FDCWD, name, flags, 0644), name);
    while (size) {
        long written = checked(CALL(SYS_write, file, content, size, 0), name);
        content += written;
        size -= (size_t)written;
    }
    CALL(SYS_close, file, 0, 0, 0);
}

/* Allow nothing to be opened but what was listed: an engine brings a /proc, a /sys and devices. */
static void restrict_paths(void) {
    uint64_t handled = number(), rules = number();
    int ruleset = -1;
    if (handled) {
        ruleset = (int)checked(CALL(LANDLOCK_CREATE, &handled, sizeof handled, 0, 0), "landlock_create_ruleset");
    }
    while (rules--) {
        const char *path = bytes(NULL);
        struct beneath rule = {.access = number() & handled, .parent = -1};
        if (ruleset < 0) continue;
        rule.parent = (int)checked(CALL(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC, 0), path);
        checked(CALL(LANDLOCK_ADD, ruleset, 1, &rule, 0), path);
        CALL(SYS_close, rule.parent, 0, 0, 0);
    }
    if (ruleset < 0) return;
    checked(CALL(LANDLOCK_RESTRICT, ruleset, 0, 0, 0), "landlock_restrict_self");
    CALL(SYS_close, ruleset, 0, 0, 0);
}

static void exec_command(void) {
    for (uint64_t limits = number(); limits--;) {
        uint64_t which = number();
        struct limit now, wanted;
        wanted.soft = number();
        wanted.hard = number();
        checked(CALL(SYS_prlimit64, 0, which, 0, &now), "prlimit");
        if (wanted.hard > now.hard) wanted.hard = now.hard;
        if (wanted.soft > wanted.hard) wanted.soft = wanted.hard;
        checked(CALL(SYS_prlimit64, 0, which, &wanted, 0), "prlimit");
    }
    restrict_paths();
    size_t size;
    struct filter filter = {.instructions = bytes(&size)};
    filter.length = (unsigned short)(size / 8);
    char **lists[2]; /* arguments, environment */
    for (int list = 0; list < 2; list++) {
        uint64_t count = number();
        long room = call(SYS_mmap, 0, (long)((count + 1) * sizeof(char *)), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        lists[list] = (char **)room;
        for (uint64_t index = 0; index < count; index++) lists[list][index] = bytes(NULL);
        lists[list][count] = NULL;
    }
    if (filter.length) checked(CALL(SYS_prctl, PR_SET_SECCOMP, SECCOMP_FILTER, &filter, 0), "seccomp");
    checked(CALL(SYS_execve, lists[0][0], lists[0], lists[1], 0), lists[0][0]);
}

__attribute__((used)) void begin(long *stack) {
    long arguments = stack[0];
    char **argv = (char **)(stack + 1);
    if (arguments < 2) quit(0);
    /* other processes must not read its memory and environment */
    CALL(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0);
    connect_to(argv[1]);
    receive_instructions();
    checked(CALL(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0), "no_new_privs");
    const char *start = bytes(NULL);
    checked(CALL(SYS_chdir, start, 0, 0, 0), start);
    if (number()) send_folder(start);
    for (uint64_t files = number(); files--;) write_file();
    if (number()) exec_command();
    long command = checked(CALL(SYS_clone, SIGCHLD, 0, 0, 0), "clone");
    if (command == 0) {
        checked(CALL(SYS_setsid, 0, 0, 0, 0), "setsid");
        exec_command();
    }
    for (int stream = 0; stream < 3; stream++) CALL(SYS_close, stream, 0, 0, 0);
    for (;;) {
        int status = 0;
        long ended = CALL(SYS_wait4, -1, &status, 0, 0);
        if (ended == -EINTR || (ended > 0 && ended != command)) continue;
        checked(ended, "wait4");
        if (status & 0x7f)
            report("signal", "", status & 0x7f);
        else
            report("exit", "", (status >> 8) & 0xff);
        quit(0);
    }
}
