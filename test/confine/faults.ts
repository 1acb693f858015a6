// What may be wrong with a machine, a row each: how a command meets it, and what the fragment may do then.

export interface Fault {
	name: string;
	/** Runs as root in the rig's namespace before, and what takes it back. */
	before?: string;
	after?: string;
	/** Words before the shell; they run as root, in a mount namespace of this one command. `drop` becomes the user. */
	within?: string;
	env?: Record<string, string>;
	/** Whether the shell ends up confined. */
	confined?: boolean;
	/** Whether the manager may be asked at all; only where $LOG is written by the busctl of the row. */
	asked?: boolean;
	/** What the plain way does: it waits longer than a second, or it asks where it must not. */
	plain?: "waits" | "asks";
}

const FAKE = (body: string) =>
	`printf '%s\\n' '#!/bin/sh' ${body} >"$W/busctl"; chmod 755 "$W/busctl"; mount --bind "$W/busctl" /usr/bin/busctl`;
const WRAPPED = (body: string) => `cp /usr/bin/busctl "$W/real"; ${FAKE(body)}`;
const LOGGED = FAKE(`'echo "$*" >>"$LOG"' 'exit 1'`);
const UNDO = "umount /usr/bin/busctl";
const CGROUP = (text: string) => `printf '${text}' >"$W/cgroup"; mount --bind "$W/cgroup" /proc/$$/cgroup; drop "$@"`;
const SANDBOX = 'drop bwrap --ro-bind / / --dev /dev --bind "$W" "$W" --unshare-pid --proc /proc -- "$@"';

export const FAULTS: readonly Fault[] = [
	{ name: "nothing", confined: true },
	{ name: "the manager is stopped", before: "kill -STOP $RIG_MANAGER", after: "kill -CONT $RIG_MANAGER", plain: "waits" },
	{
		name: "a bus that never answers",
		env: { XDG_RUNTIME_DIR: "$W/hung", DBUS_SESSION_BUS_ADDRESS: "unix:path=$W/hung/bus" },
		plain: "waits",
	},
	{ name: "no bus", env: { XDG_RUNTIME_DIR: "$W/empty", DBUS_SESSION_BUS_ADDRESS: "unix:path=$W/empty/bus" } },
	{ name: "a socket that nobody listens on", env: { XDG_RUNTIME_DIR: "$W/dead", DBUS_SESSION_BUS_ADDRESS: "unix:path=$W/dead/bus" } },
	{ name: "no XDG_RUNTIME_DIR", env: { XDG_RUNTIME_DIR: "", DBUS_SESSION_BUS_ADDRESS: "" }, confined: true },
	{
		name: "a runtime directory of odd characters",
		before: 'mount --bind "$XDG_RUNTIME_DIR" "$W/a b,c;d%e=f"',
		after: 'umount "$W/a b,c;d%e=f"',
		env: { XDG_RUNTIME_DIR: "$W/a b,c;d%e=f", DBUS_SESSION_BUS_ADDRESS: "" },
		confined: true,
	},
	{ name: "another bus is inherited", env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=$W/hung/bus" }, confined: true, plain: "waits" },
	{ name: "no busctl", before: "mount --bind /dev/null /usr/bin/busctl", after: UNDO },
	{ name: "no timeout", before: "mount --bind /dev/null /usr/bin/timeout", after: "umount /usr/bin/timeout", confined: true },
	{ name: "nothing in /proc", within: 'mount -t tmpfs none /proc; drop "$@"' },
	{ name: "nothing in /sys/fs/cgroup", within: 'mount -t tmpfs none /sys/fs/cgroup; drop "$@"' },
	{ name: "another user", within: 'exec setpriv --reuid=1 --regid=1 --clear-groups -- "$@"' },
	{ name: "the manager says yes and moves nobody", before: FAKE(`'echo "o \\"/job/1\\""'`), after: UNDO },
	{ name: "a busctl that ends without a word", before: FAKE("'exit 0'"), after: UNDO },
	{ name: "a busctl that waits behind its answer", before: WRAPPED(`'"$W/real" "$@"; exec sleep 5'`), after: UNDO, confined: true },
	{ name: "a busctl that waits, and answers nobody's call", before: FAKE(`'echo "o \\"/job/1\\""; exec sleep 5'`), after: UNDO },
	{ name: "a busctl that cannot be ended by TERM", before: FAKE(`'trap "" TERM HUP INT PIPE; exec sleep 5'`), after: UNDO },
	{ name: "the manager refuses", before: FAKE(`'echo "Call failed: no" >&2; exit 1'`), after: UNDO },
	{
		name: "a manager that knows no OOMPolicy for scopes",
		before: `cp /usr/bin/busctl "$W/real"; ${FAKE(`'case "$*" in *OOMPolicy*) echo "Call failed: Cannot set property OOMPolicy, or unknown property." >&2; exit 1 ;; esac' 'exec '"$W/real"' "$@"'`)}`,
		after: UNDO,
		confined: true,
	},
	{ name: "a sandbox with pids of its own", before: LOGGED, after: UNDO, within: SANDBOX, asked: false, plain: "asks" },
	{ name: "SANDBOX_RUNTIME", before: LOGGED, after: UNDO, env: { SANDBOX_RUNTIME: "1" }, asked: false, plain: "asks" },
	{ name: "CODEX_SANDBOX", before: LOGGED, after: UNDO, env: { CODEX_SANDBOX: "seatbelt" }, asked: false, plain: "asks" },
	{ name: "a cgroup namespace", before: LOGGED, after: UNDO, within: CGROUP("0::/\\n"), asked: false, plain: "asks" },
	{ name: "a cgroup above the namespace's", before: LOGGED, after: UNDO, within: CGROUP("0::/../x.scope\\n"), asked: false, plain: "asks" },
	{ name: "only cgroup v1", before: LOGGED, after: UNDO, within: CGROUP("2:pids:/a\\n1:name=systemd:/b\\n"), asked: false, plain: "asks" },
	{
		name: "the line 0:: in front of others",
		before: LOGGED,
		after: UNDO,
		within: `cp /proc/$$/cgroup "$W/own"; ${CGROUP('%s\\n3:pids:/a\\n\' "$(grep ^0:: "$W/own")" \'').replace("'' >", ">")}`,
		asked: true,
	},
	{
		name: "a scope that was removed",
		before: LOGGED,
		after: UNDO,
		within: `p=$(grep ^0:: /proc/$$/cgroup); ${CGROUP("%s/agent.slice/confine-agent-1-a.scope (deleted)\\n' \"$p\" '").replace("'' >", ">")}`,
		asked: true,
	},
];
