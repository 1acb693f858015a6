// What a floor refuses, by system calls: `acts OUTSIDE INSIDE` tries each act and prints `NAME ERRNO` or `NAME done`.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

static const char *outside, *inside;
static char paths[8][4096];
static int used;

static const char *at(const char *directory, const char *name)
{
	char *path = paths[used++ % 8];
	snprintf(path, sizeof paths[0], "%s/%s", directory, name);
	return path;
}

#define O(name) at(outside, name)
#define I(name) at(inside, name)

static void say(const char *name, int result)
{
	if (result >= 0)
		printf("%s done\n", name);
	else
		printf("%s %s\n", name, strerrorname_np(errno));
	if (result > 2)
		close(result);
}

static int bound(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
	if (strlen(path) >= sizeof address.sun_path) {
		// The name does not fit, so it is bound from its own directory.
		if (chdir(outside) < 0)
			return -1;
		path = "socket";
	}
	strcpy(address.sun_path, path);
	int result = bind(descriptor, (struct sockaddr *)&address, sizeof address);
	int error = errno;
	close(descriptor);
	errno = error;
	return result;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	outside = argv[1];
	inside = argv[2];
	say("create", open(O("new"), O_WRONLY | O_CREAT, 0600));
	say("write", open(O("file"), O_WRONLY));
	say("read-write", open(O("file"), O_RDWR));
	say("append", open(O("file"), O_WRONLY | O_APPEND));
	say("open-truncate", open(O("file"), O_WRONLY | O_TRUNC));
	say("truncate", truncate(O("file"), 0));
	say("unnamed", open(outside, O_WRONLY | O_TMPFILE, 0600));
	say("unlink", unlink(O("file")));
	say("rmdir", rmdir(O("empty")));
	say("rename-out", rename(O("file"), I("stolen")));
	say("rename-in", rename(I("mine"), O("put")));
	say("rename-over", rename(I("mine"), O("file")));
	say("rename-there", rename(O("file"), O("other")));
	say("exchange", renameat2(AT_FDCWD, O("file"), AT_FDCWD, I("mine"), RENAME_EXCHANGE));
	say("link-out", link(O("file"), I("hard")));
	say("link-in", link(I("mine"), O("hard")));
	say("symlink", symlink("file", O("soft")));
	say("mkdir", mkdir(O("directory"), 0700));
	say("mkfifo", mkfifo(O("fifo"), 0600));
	say("through-link", open(I("leads-out/file"), O_WRONLY));
	say("through-proc", open(at("/proc/self/root", O("file")), O_WRONLY));
	say("node-of-device", mknod(I("node"), S_IFBLK | 0600, makedev(7, 0)));
	say("socket", bound(O("socket")));
	return 0;
}
