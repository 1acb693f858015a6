// Attempts to write outside from inside, each by another way round: refused, with nothing changed.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { PATIENCE } from "../support/box.ts";
import { isThere, makeStage, noFloor, type Stage, snapshot, users } from "./stage.ts";

setDefaultTimeout(PATIENCE);

const PYTHON = "/usr/bin/python3";

/** Python that opens a file by a way of its own; what it says is ignored, what is changed is not. */
const python = (text: string) =>
	`${PYTHON} - <<'E'\nimport ctypes, mmap, os, socket, sys\nO = os.environ["O"]\nI = os.environ["I"]\n${text}\nE`;

/** The attempts. `$O` is outside, `$I` inside, `$T` is tmx. */
const ATTEMPTS: readonly [name: string, needs: string, line: string][] = [
	["a link inside that leads out", "sh", "ln -s $O way && echo lost >way/file; rm -rf way/tree"],
	["the root of a process, by /proc", "sh", "echo lost >/proc/self/root$O/file; cd /proc/self/root$O && /bin/rm -rf tree"],
	[
		"a directory that is opened, then the parent of it",
		PYTHON,
		python('d = os.open(I, os.O_RDONLY)\nos.unlink("../outside/file", dir_fd=d)'),
	],
	["a directory outside that is opened for reading", PYTHON, python('d = os.open(O, os.O_RDONLY)\nos.unlink("file", dir_fd=d)')],
	[
		"a file opened for reading, opened anew by its descriptor",
		PYTHON,
		python('f = os.open(O + "/file", os.O_RDONLY)\nos.write(os.open(f"/proc/self/fd/{f}", os.O_WRONLY), b"lost")'),
	],
	["a file opened by O_PATH", PYTHON, python('f = os.open(O + "/file", os.O_PATH)\nos.truncate(f"/proc/self/fd/{f}", 0)')],
	[
		"a shared mapping of a file opened for reading",
		PYTHON,
		python('f = os.open(O + "/file", os.O_RDONLY)\nmmap.mmap(f, 5, mmap.MAP_SHARED, mmap.PROT_WRITE)[:] = b"lost!"'),
	],
	["a file opened for reading, truncated as it is opened", PYTHON, python('os.open(O + "/file", os.O_RDONLY | os.O_TRUNC)')],
	[
		"fallocate, sendfile and copy_file_range into it",
		PYTHON,
		python('s = os.open(I + "/mine", os.O_RDONLY)\nd = os.open(O + "/file", os.O_RDWR)\nos.copy_file_range(s, d, 5)'),
	],
	[
		"a file without a name that is given one outside",
		PYTHON,
		python(
			'f = os.open(I, os.O_TMPFILE | os.O_RDWR)\nos.write(f, b"lost")\nctypes.CDLL(None).linkat(-100, f"/proc/self/fd/{f}".encode(), -100, f"{O}/new".encode(), 0x400)',
		),
	],
	[
		"a file exchanged with one outside, from either side",
		PYTHON,
		python(
			'c = ctypes.CDLL(None)\na, b = f"{I}/mine".encode(), f"{O}/file".encode()\nc.renameat2(-100, a, -100, b, 2)\nc.renameat2(-100, b, -100, a, 2)',
		),
	],
	[
		"a file opened by its handle, as root may",
		PYTHON,
		python(
			'c = ctypes.CDLL(None)\nh, m = ctypes.create_string_buffer(256), ctypes.c_int()\nh[0] = 128\nc.name_to_handle_at(-100, f"{O}/file".encode(), h, ctypes.byref(m), 0)\nf = c.open_by_handle_at(os.open(I, os.O_RDONLY), h, os.O_WRONLY)\nos.write(f, b"lost")',
		),
	],
	["a rename by a root that is moved over it", "mv", "mv -T $I $O/tree; mv -T tmp $O/empty"],
	[
		"user and mount namespaces",
		"unshare",
		"unshare -Urm sh -c 'mount --bind $I $O && echo lost >$O/file'; unshare -Ur sh -c 'echo lost >$O/file'",
	],
	["chroot, and the way back in", "unshare", "unshare -Ur chroot / /bin/rm $O/file; chroot / /bin/rm $O/file"],
	["a sandbox of its own", "bwrap", "bwrap --bind / / --dev /dev /bin/rm -rf $O/tree"],
	["privileges of a program", "sudo", "sudo -n /bin/rm $O/file; su -c '/bin/rm $O/file'"],
	["a second session with wider roots", "sh", "$T floor --policy $P --root $O -- /bin/rm -rf $O/tree"],
	["a session that believes that a floor holds", "sh", "TMX_FLOOR= $T floor --policy $P --root $O -- /bin/rm $O/file"],
	["less of Landlock asked for", "sh", "$T floor --abi 0 --policy $P --root $O -- /bin/rm $O/file"],
	["a child that outlives its parent", "setsid", "setsid -f sh -c 'sleep 0.2; /bin/rm $O/file' & sleep 0.6"],
	["a scheduler of this user", "at", "echo /bin/rm $O/file | at now; sleep 0.5"],
	[
		"the memory of a process outside",
		PYTHON,
		python('pid = int(os.environ["S"])\nos.open(f"/proc/{pid}/mem", os.O_RDWR)\nopen(O + "/new", "w")'),
	],
	[
		"ptrace of a process outside",
		PYTHON,
		python('pid = int(os.environ["S"])\nc = ctypes.CDLL(None, use_errno=True)\nif c.ptrace(16, pid, 0, 0) == 0: open(O + "/traced", "w")'),
	],
	["descriptors of a process outside", "sh", "echo lost >/proc/$S/fd/3; echo lost >/proc/$S/cwd/file; echo lost >/proc/$S/root$O/file"],
	[
		"the policy: a root more",
		"sh",
		"echo '{}' >$P/policy/floor.json; rm -f $P/policy/floor.json; mv $P/policy $P/gone; ln -sf /bin/true $P/rm; $T build --out $P",
	],
	[
		"names with line breaks and bytes that are no text",
		"sh",
		'n=$(printf \'a\\nb\\377\'); mkdir "$O/$n"; cp mine "$O/$n"; touch "$O/../outside/$n"',
	],
];

describe.skipIf(noFloor !== "")(`attempts (skipped where there is no floor${noFloor && `: ${noFloor}`})`, () => {
	for (const user of users) {
		describe(user.name, () => {
			let stage: Stage;
			let before: string[];
			beforeAll(async () => {
				stage = await makeStage(user);
				before = [...snapshot(stage.outside), ...snapshot(stage.shims)];
			});
			afterAll(() => stage.remove());

			for (const [name, needs, line] of ATTEMPTS) {
				const there = isThere(needs);
				test.skipIf(!there)(`${name}${there ? "" : ` (there is no ${needs})`}`, async () => {
					const file = join(stage.outside, "file");
					const sleeper = Bun.spawn([...user.as, "sh", "-c", `exec 3<>'${file}'; exec sleep 30`], { env: stage.env, cwd: stage.outside });
					const env = { O: stage.outside, I: stage.root, T: BINARY, P: stage.shims, S: String(sleeper.pid) };
					const ran = await stage.under(["/bin/sh", "-c", line], [], env);
					sleeper.kill();
					await sleeper.exited;
					expect({ now: [...snapshot(stage.outside), ...snapshot(stage.shims)], said: ran.stderr }).toEqual({
						now: before,
						said: ran.stderr,
					});
					expect(readFileSync(file, "utf8")).toBe("kept\n");
				});
			}
		});
	}
});
