// Puts a child into a named state and executes a program there: state NAME[+NAME...] REPORT PROGRAM ARGV0 ARG...; `state` alone lists the names.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
enum { WORDS = 64, NOBODY = 65534 };
static char *words[WORDS];
static int word_count;
static int terminal = -1;
static const char *report;

static void move_to(int from, int to) {
	if (from == to) return;
	dup2(from, to);
	close(from);
}

static void soft_limit(int which, rlim_t value) {
	struct rlimit limit;
	getrlimit(which, &limit);
	if (limit.rlim_max >= value) limit.rlim_cur = value;
	setrlimit(which, &limit);
}

static void add_word(char *word) {
	if (word_count < WORDS - 1) words[word_count++] = word;
}

static void nothing(void) {}

static void descriptors(void) {
	int pair[2];
	move_to(open("/etc/passwd", O_RDONLY), 5);
	dup2(5, 3);
	dup2(5, 9);
	lseek(5, 2, SEEK_SET);
	move_to(open("/dev/null", O_WRONLY | O_APPEND), 63);
	if (pipe(pair)) exit(125);
	move_to(pair[1], 61);
	move_to(pair[0], 60);
}

// What the runtime itself opens looks like this: an epoll that watches an eventfd.
static void event_pair(int epoll, int event) {
	struct epoll_event wish = { .events = EPOLLIN, .data.u64 = 1 };
	int made = epoll_create1(0);
	move_to(eventfd(0, 0), event);
	move_to(made, epoll);
	epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wish);
}
static void event_pair_high(void) { event_pair(31, 30); }
static void event_pair_low(void) {
	event_pair(40, 41);
	event_pair(3, 4);
	close(40);
	close(41);
}

static void high_descriptor(void) { move_to(open("/etc/passwd", O_RDONLY), 1000); }

static void ignore_all(void) {
	for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
}
static void ignore_keyboard(void) { signal(SIGINT, SIG_IGN); signal(SIGQUIT, SIG_IGN); }
static void ignore_hangup(void) { signal(SIGHUP, SIG_IGN); }
static void ignore_pipe(void) { signal(SIGPIPE, SIG_IGN); }
static void heed_pipe(void) { signal(SIGPIPE, SIG_DFL); }

static void blocked(void) {
	sigset_t mask;
	sigemptyset(&mask);
	for (const int *number = (const int[]){ SIGUSR1, SIGTERM, SIGCHLD, SIGPWR, 40, 0 }; *number; number++) sigaddset(&mask, *number);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	raise(SIGUSR1);
}

static void few_files(void) {
	soft_limit(RLIMIT_NOFILE, 256);
	soft_limit(RLIMIT_CORE, 0);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 1 << 20, 1 << 20 });
}
static void parent_few_files(void) { soft_limit(RLIMIT_NOFILE, 512); }

static void write_to(const char *path, const char *text) {
	int descriptor = open(path, O_WRONLY | O_CLOEXEC);
	if (descriptor < 0) return;
	if (write(descriptor, text, strlen(text)) < 0) errno = 0;
	close(descriptor);
}

static void schedule(void) {
	cpu_set_t second;
	CPU_ZERO(&second);
	CPU_SET(1, &second);
	sched_setaffinity(0, sizeof second, &second);
	sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){ 0 });
	if (nice(5) < 0) errno = 0;
	syscall(SYS_ioprio_set, 1, 0, (2 << 13) | 6);
	umask(027);
	write_to("/proc/self/oom_score_adj", "300");
	write_to("/proc/self/coredump_filter", "0x13");
	prctl(PR_SET_TIMERSLACK, 12345);
	prctl(PR_SET_PDEATHSIG, SIGUSR2);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 100, 0 } }, NULL);
}

static void other_personality(void) { personality(ADDR_NO_RANDOMIZE | UNAME26); }
static void no_new_privileges(void) { prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static void own_session(void) { setsid(); }
static void own_group(void) { setpgid(0, 0); }
static void no_input(void) { close(0); }
static void no_output(void) { close(1); close(2); }
static void nonblocking(void) { fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK); }

static void pipes(void) {
	int pair[2];
	if (pipe(pair)) exit(125);
	dup2(pair[1], 1);
	dup2(pair[1], 2);
	dup2(pair[0], 0);
	close(pair[0]);
	close(pair[1]);
}

static void sockets(void) {
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) exit(125);
	for (int number = 0; number < 3; number++) dup2(pair[0], number);
	close(pair[0]);
	close(pair[1]);
}

// Not UTF-8, twice the same name, no `=`, an exported shell function, names that runtimes obey.
static char *const ODD[] = { "BAD=\xff\xfe\x80x", "TWICE=1", "TWICE=2", "NO_EQUALS_SIGN", "=nameless", "a.b=dotted", "BASH_FUNC_f%%=() {  :; }",
	"EMPTY=", "\xe9l=1", "LINES=a\nb", "BUN_OPTIONS=", "NODE_ENV=odd", "NODE_OPTIONS=--odd", "TMX_CHAIN=odd", NULL };

static void odd_environment(void) {
	static char *entries[1024];
	int count = 0;
	for (char **entry = environ; *entry && count < 900; entry++) entries[count++] = *entry;
	for (int k = 0; ODD[k]; k++) entries[count++] = ODD[k];
	environ = entries;
}

static void no_environment(void) {
	static char *only[2];
	static char entry[4096];
	snprintf(entry, sizeof entry, "INHERITED_TO=%s", report);
	only[0] = entry;
	environ = only;
}

static void deleted_directory(void) {
	char path[] = "gone-XXXXXX";
	if (!mkdtemp(path) || chdir(path) || rmdir(path)) exit(125);
}

static void other_user(void) {
	if (geteuid() != 0) return; // An ordinary user cannot become another: the state is then the plain one.
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)) exit(125);
}

static char *const ODD_WORDS[] = { "\xff\xfe", "", "caf\xc3\xa9", "a\nb", "\xed\xa0\x80", "--", "-\xc3", "", NULL };
static void odd_words(void) {
	for (int k = 0; ODD_WORDS[k]; k++) add_word(ODD_WORDS[k]);
}
static void empty_name(void) { words[0] = ""; }

static void on_terminal(void) {
	setsid();
	ioctl(terminal, TIOCSCTTY, 0);
	for (int number = 0; number < 3; number++) dup2(terminal, number);
}

// What the parent does before the fork, and what the child does after it.
struct state {
	const char *name;
	void (*parent)(void), (*child)(void);
};

static const struct state STATES[] = {
	{ "plain", nothing, nothing },
	{ "descriptors", nothing, descriptors },
	{ "event-pair-at-30", nothing, event_pair_high },
	{ "event-pair-at-3", nothing, event_pair_low },
	{ "descriptor-1000", nothing, high_descriptor },
	{ "ignore-all", nothing, ignore_all },
	{ "ignore-keyboard", nothing, ignore_keyboard },
	{ "ignore-hangup", nothing, ignore_hangup },
	{ "child-ignores-pipe", nothing, ignore_pipe },
	{ "both-ignore-pipe", ignore_pipe, nothing },
	{ "parent-ignores-pipe", ignore_pipe, heed_pipe },
	{ "blocked", nothing, blocked },
	{ "child-few-files", nothing, few_files },
	{ "both-few-files", parent_few_files, nothing },
	{ "schedule", nothing, schedule },
	{ "personality", nothing, other_personality },
	{ "no-new-privileges", nothing, no_new_privileges },
	{ "own-session", nothing, own_session },
	{ "own-group", nothing, own_group },
	{ "no-input", nothing, no_input },
	{ "no-output", nothing, no_output },
	{ "nonblocking", nothing, nonblocking },
	{ "pipes", nothing, pipes },
	{ "sockets", nothing, sockets },
	{ "odd-environment", nothing, odd_environment },
	{ "no-environment", nothing, no_environment },
	{ "deleted-directory", nothing, deleted_directory },
	{ "other-user", nothing, other_user },
	{ "odd-words", nothing, odd_words },
	{ "empty-name", nothing, empty_name },
	{ "terminal", nothing, on_terminal },
	{ NULL, NULL, NULL },
};
static const char *const COMBINED[] = { "terminal+ignore-keyboard", "terminal+ignore-all", "descriptors+schedule+blocked+child-few-files", NULL };

static int asked(const char *names, const char *name) {
	size_t length = strlen(name);
	for (const char *at = names; (at = strstr(at, name)); at += length) {
		int begins = at == names || at[-1] == '+', ends = !at[length] || at[length] == '+';
		if (begins && ends) return 1;
	}
	return 0;
}

// Whoever started us may ignore signals, block them, or have descriptors open: every state starts from the same ground.
static void level(void) {
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
	for (int number = 3; number < 4096; number++) close(number);
	soft_limit(RLIMIT_NOFILE, 1024);
}

int main(int argc, char **argv) {
	if (argc == 1) {
		for (const struct state *state = STATES; state->name; state++) puts(state->name);
		for (int k = 0; COMBINED[k]; k++) puts(COMBINED[k]);
		return 0;
	}
	if (argc < 5) return 125;
	report = argv[2];
	level();
	setenv("INHERITED_TO", report, 1);
	for (char **word = argv + 4; *word; word++) add_word(*word);
	int master = -1;
	if (asked(argv[1], "terminal") && openpty(&master, &terminal, NULL, NULL, NULL)) return 125;
	if (master >= 0) {
		fcntl(master, F_SETFD, FD_CLOEXEC);
		fcntl(terminal, F_SETFD, FD_CLOEXEC);
	}
	int known = 0;
	for (const struct state *state = STATES; state->name; state++) if (asked(argv[1], state->name) && ++known) state->parent();
	if (!known) return 125;
	pid_t child = fork();
	if (child == 0) {
		for (const struct state *state = STATES; state->name; state++) if (asked(argv[1], state->name)) state->child();
		words[word_count] = NULL;
		execve(argv[3], words, environ);
		_exit(127);
	}
	int status = 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
	FILE *end = fopen(report, "a");
	if (!end) return 125;
	fprintf(end, "ran.child %d\nran.parent %d\nran.status %x\n", child, getpid(), status);
	return fclose(end) ? 125 : 0;
}
