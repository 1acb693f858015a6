// Times programs in turn, round after round, and prints every duration: timer ROUNDS < PLAN.
//
// The plan is lines of two fields, the key and the rest after one space:
//   row LABEL       begins a row
//   in DIRECTORY    its working directory
//   set NAME=VALUE  a variable for this row, on top of PATH and HOME as they are here
//   run PROGRAM     what is executed
//   word WORD       its argv, one line a word
//   files COUNT     makes that many empty files in the directory before each run, outside the timing, and adds their names to argv
// The output is one line a row: LABEL, a tab, and the microseconds of each round; a run that fails ends everything with exit 1.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 64, VARIABLES = 32 };

struct row {
	char *label, *directory, *program;
	char *variables[VARIABLES];
	int variable_count;
	char **words;
	int word_count, file_count;
	long *microseconds;
};
static struct row rows[ROWS];
static int row_count;
static const char *const KEPT[] = { "PATH", "HOME", NULL };

static void fail(const char *what, const char *which) {
	fprintf(stderr, "timer: %s: %s\n", which, what);
	exit(1);
}

static void add_word(struct row *row, char *word) {
	row->words = realloc(row->words, sizeof *row->words * (row->word_count + 2));
	row->words[row->word_count++] = word;
	row->words[row->word_count] = NULL;
}

static void add_variable(struct row *row, char *entry) {
	if (row->variable_count == VARIABLES - 1) fail("too many variables", row->label);
	row->variables[row->variable_count++] = entry;
}

static struct row *begin(char *label) {
	if (row_count == ROWS) fail("too many rows", label);
	struct row *row = &rows[row_count++];
	row->label = label;
	row->directory = "/";
	for (int k = 0; KEPT[k]; k++) {
		char *value = getenv(KEPT[k]), *entry;
		if (value && asprintf(&entry, "%s=%s", KEPT[k], value) > 0) add_variable(row, entry);
	}
	return row;
}

static void read_plan(void) {
	char *line = NULL;
	size_t room = 0;
	struct row *row = NULL;
	for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
		if (line[length - 1] == '\n') line[--length] = 0;
		char *rest = strchr(line, ' ');
		if (!rest) fail("a line without a value", line);
		*rest++ = 0;
		rest = strdup(rest);
		if (!strcmp(line, "row")) row = begin(rest);
		else if (!row) fail("stands before the first row", line);
		else if (!strcmp(line, "in")) row->directory = rest;
		else if (!strcmp(line, "set")) add_variable(row, rest);
		else if (!strcmp(line, "run")) row->program = rest;
		else if (!strcmp(line, "word")) add_word(row, rest);
		else if (!strcmp(line, "files")) row->file_count = atoi(rest);
		else fail("unknown key", line);
	}
	free(line);
}

static void make_files(struct row *row) {
	char path[4096];
	for (int k = 0; k < row->file_count; k++) {
		snprintf(path, sizeof path, "%s/f%d", row->directory, k);
		int descriptor = open(path, O_WRONLY | O_CREAT, 0644);
		if (descriptor < 0) fail("cannot be made", path);
		close(descriptor);
	}
}

static long run(struct row *row) {
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, row->directory);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	struct timespec before, after;
	int status;
	pid_t child;
	clock_gettime(CLOCK_MONOTONIC, &before);
	if (posix_spawn(&child, row->program, &actions, NULL, row->words, row->variables)) fail("cannot be executed", row->program);
	while (waitpid(child, &status, 0) < 0) {}
	clock_gettime(CLOCK_MONOTONIC, &after);
	posix_spawn_file_actions_destroy(&actions);
	if (status) fail("did not succeed", row->label);
	return (after.tv_sec - before.tv_sec) * 1000000 + (after.tv_nsec - before.tv_nsec) / 1000;
}

int main(int argc, char **argv) {
	int rounds = argc > 1 ? atoi(argv[1]) : 0;
	if (rounds < 1) fail("usage: timer ROUNDS < PLAN", "timer");
	read_plan();
	for (struct row *row = rows; row < rows + row_count; row++) {
		row->microseconds = calloc(rounds, sizeof *row->microseconds);
		for (int k = 0; k < row->file_count; k++) {
			char *name;
			if (asprintf(&name, "f%d", k) > 0) add_word(row, name);
		}
	}
	int warm_up = rounds < 10 ? 1 : 3;
	for (int round = -warm_up; round < rounds; round++) {
		for (int k = 0; k < row_count; k++) {
			// Each round begins with another row, so that none is always the one after the same neighbour's leavings.
			struct row *row = &rows[(k + round + warm_up) % row_count];
			make_files(row);
			long took = run(row);
			if (round >= 0) row->microseconds[round] = took;
		}
	}
	for (struct row *row = rows; row < rows + row_count; row++) {
		printf("%s\t", row->label);
		for (int k = 0; k < rounds; k++) printf("%ld%s", row->microseconds[k], k + 1 < rounds ? " " : "\n");
	}
	return 0;
}
