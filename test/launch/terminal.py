# Drives one program on a terminal of its own and prints what was seen, a JSON object: terminal.py PLAN PROGRAM [ARG...].
# PLAN is a JSON list of steps: ["expect", TEXT], ["send", TEXT], ["size", ROWS, COLUMNS], ["shell"] to run it under a job-control bash.
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

plan = json.loads(sys.argv[1])
pid, master = pty.fork()
if pid == 0:
    # The size is there before the program starts.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 31, 97, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])


def resize(rows, columns):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


seen = b""
at = 0


def more(seconds):
    """Read what comes within the time; whether the terminal is still open."""
    global seen
    ready, _, _ = select.select([master], [], [], seconds)
    if not ready:
        return True
    try:
        data = os.read(master, 65536)
    except OSError:
        return False
    seen += data
    return data != b""


def expect(text):
    global at
    deadline = time.monotonic() + 20
    wanted = text.encode()
    while wanted not in seen[at:]:
        if time.monotonic() > deadline or not more(0.1):
            print(json.dumps({"missing": text, "seen": seen.decode("utf8", "replace")}))
            os.kill(pid, signal.SIGKILL)
            sys.exit(1)
    at = seen.index(wanted, at) + len(wanted)


resize(31, 97)
for step in plan:
    if step[0] == "expect":
        expect(step[1])
    elif step[0] == "send":
        os.write(master, step[1].encode())
    elif step[0] == "size":
        resize(step[1], step[2])
while more(20):
    pass
_, status = os.waitpid(pid, 0)
ended = {"signal": os.WTERMSIG(status)} if os.WIFSIGNALED(status) else {"status": os.WEXITSTATUS(status)}
print(json.dumps({**ended, "seen": seen.decode("utf8", "replace")}))
