// Prints everything that a program finds when it is executed: one `key value` line each, into the file of its environment's INHERITED_TO.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;
static FILE *out;

// Bytes that are not printable ASCII as \xHH, so that a line stays a line.
static void put_bytes(const char *text) {
	for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
		if (*byte < 0x20 || *byte > 0x7e || *byte == '\\') fprintf(out, "\\x%02x", *byte);
		else fputc(*byte, out);
	}
	fputc('\n', out);
}

static void put_list(const char *key, char **list) {
	int count = 0;
	for (; list[count]; count++) {
		fprintf(out, "%s.%d ", key, count);
		put_bytes(list[count]);
	}
	fprintf(out, "%s.count %d\n", key, count);
}

static void put_file(const char *key, const char *path) {
	char text[4096];
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = descriptor < 0 ? -1 : read(descriptor, text, sizeof text - 1);
	if (descriptor >= 0) close(descriptor);
	if (length < 0) length = snprintf(text, sizeof text, "cannot be read: error %d", errno);
	while (length > 0 && text[length - 1] == '\n') length--;
	text[length] = 0;
	fprintf(out, "%s ", key);
	put_bytes(text);
}

static void put_link(const char *key, const char *path) {
	char text[4096];
	ssize_t length = readlink(path, text, sizeof text - 1);
	text[length < 0 ? 0 : length] = 0;
	fprintf(out, "%s ", key);
	put_bytes(text);
}

// Which descriptors are open has to be asked before this program opens its own.
enum { DESCRIPTORS = 4096 };
static char is_open[DESCRIPTORS];

static void put_descriptor(int number) {
	char path[64], target[4096];
	snprintf(path, sizeof path, "/proc/self/fd/%d", number);
	ssize_t length = readlink(path, target, sizeof target - 1);
	target[length < 0 ? 0 : length] = 0;
	// Each run has pipes and sockets of its own: their numbers say nothing.
	char *bracket = strchr(target, '[');
	if (bracket && (!strncmp(target, "pipe:", 5) || !strncmp(target, "socket:", 7))) *bracket = 0;
	fprintf(out, "descriptor.%d %s status=%o close-on-exec=%d offset=%ld signal=%d owner=%d\n", number, target, fcntl(number, F_GETFL),
		fcntl(number, F_GETFD) & FD_CLOEXEC, (long)lseek(number, 0, SEEK_CUR), fcntl(number, F_GETSIG), fcntl(number, F_GETOWN));
}

// The kernel's own calls: libc hides the signals that its threads use.
static void put_signals(void) {
	struct { void *handler; unsigned long flags; void *restorer; unsigned long mask; } action;
	unsigned long blocked = 0, pending = 0;
	syscall(SYS_rt_sigprocmask, 0, NULL, &blocked, sizeof blocked);
	syscall(SYS_rt_sigpending, &pending, sizeof pending);
	for (int number = 1; number <= 64; number++) {
		unsigned long bit = 1UL << (number - 1);
		if (syscall(SYS_rt_sigaction, number, NULL, &action, sizeof action.mask)) continue;
		const char *does = action.handler == (void *)0 ? "default" : action.handler == (void *)1 ? "ignored" : "handled";
		fprintf(out, "signal.%d %s%s%s\n", number, does, blocked & bit ? " blocked" : "", pending & bit ? " pending" : "");
	}
}

static void put_limits(void) {
	struct rlimit limit;
	for (int which = 0; which < 16; which++) {
		if (getrlimit(which, &limit)) continue;
		fprintf(out, "limit.%d %llu %llu\n", which, (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
	}
}

static void put_prctl(void) {
	int value = 0;
	fprintf(out, "no-new-privileges %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	fprintf(out, "dumpable %d\n", prctl(PR_GET_DUMPABLE));
	fprintf(out, "huge-pages-disabled %d\n", prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
	fprintf(out, "keep-capabilities %d\n", prctl(PR_GET_KEEPCAPS));
	fprintf(out, "secure-bits %x\n", prctl(PR_GET_SECUREBITS));
	fprintf(out, "timer-slack %d\n", prctl(PR_GET_TIMERSLACK));
	prctl(PR_GET_CHILD_SUBREAPER, &value);
	fprintf(out, "subreaper %d\n", value);
	value = 0;
	prctl(PR_GET_PDEATHSIG, &value);
	fprintf(out, "parent-death-signal %d\n", value);
}

// Lines of /proc/self/status that an exec hands on; the memory figures are each program's own.
static const char *const STATUS[] = { "Uid:", "Gid:", "Groups:", "Threads:", "Seccomp", "Umask:", "Cap", "Mems_allowed_list:", "Cpus_allowed_list:",
	"Speculation", "THP_", "VmLck:", NULL };

static void put_status(void) {
	char line[4096];
	FILE *status = fopen("/proc/self/status", "re");
	while (status && fgets(line, sizeof line, status)) {
		for (int k = 0; STATUS[k]; k++) {
			if (!strncmp(line, STATUS[k], strlen(STATUS[k]))) fprintf(out, "status.%s", line);
		}
	}
	if (status) fclose(status);
}

static void put_schedule(void) {
	struct sched_param parameters = { 0 };
	struct itimerval timer;
	sched_getparam(0, &parameters);
	fprintf(out, "scheduler %d priority %d\n", sched_getscheduler(0), parameters.sched_priority);
	fprintf(out, "nice %d\n", getpriority(PRIO_PROCESS, 0));
	fprintf(out, "io-priority %ld\n", syscall(SYS_ioprio_get, 1, 0));
	for (int which = 0; which < 3; which++) {
		getitimer(which, &timer);
		fprintf(out, "timer.%d %s\n", which, timer.it_value.tv_sec || timer.it_value.tv_usec ? "armed" : "off");
	}
}

static void put_terminals(void) {
	struct termios mode;
	for (int number = 0; number < 3; number++) {
		if (tcgetattr(number, &mode)) fprintf(out, "terminal.%d none\n", number);
		else fprintf(out, "terminal.%d foreground %d modes %x %x %x %x\n", number, tcgetpgrp(number), mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag);
	}
}

static void put_process(void) {
	char directory[8192];
	stack_t stack;
	fprintf(out, "process.id %d\nprocess.parent %d\nprocess.group %d\nprocess.session %d\n", getpid(), getppid(), getpgrp(), getsid(0));
	fprintf(out, "directory ");
	put_bytes(getcwd(directory, sizeof directory) ? directory : "gone");
	mode_t mask = umask(0);
	umask(mask);
	fprintf(out, "umask %03o\n", mask);
	fprintf(out, "executed ");
	put_bytes((char *)getauxval(AT_EXECFN));
	fprintf(out, "secure %lu\npersonality %x\n", getauxval(AT_SECURE), personality(0xffffffff));
	sigaltstack(NULL, &stack);
	fprintf(out, "signal-stack %d\n", stack.ss_flags);
}

int main(int argc, char **argv) {
	for (int number = 0; number < DESCRIPTORS; number++) is_open[number] = fcntl(number, F_GETFD) != -1;
	int report = open(getenv("INHERITED_TO"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	// As high as the limit of open files lets it, out of the way of what was inherited.
	int high = fcntl(report, F_DUPFD_CLOEXEC, 200);
	out = fdopen(high < 0 ? report : high, "w");
	if (argc < 0 || !out) return 1;
	put_list("argv", argv);
	put_list("environment", environ);
	put_process();
	put_signals();
	put_limits();
	for (int number = 0; number < DESCRIPTORS; number++) if (is_open[number]) put_descriptor(number);
	put_prctl();
	put_status();
	put_schedule();
	put_terminals();
	put_file("command", "/proc/self/comm");
	put_file("out-of-memory", "/proc/self/oom_score_adj");
	put_file("core-filter", "/proc/self/coredump_filter");
	put_file("control-group", "/proc/self/cgroup");
	put_file("login", "/proc/self/loginuid");
	put_file("audit-session", "/proc/self/sessionid");
	put_link("program", "/proc/self/exe");
	put_link("root", "/proc/self/root");
	return fflush(out) ? 1 : 0;
}
