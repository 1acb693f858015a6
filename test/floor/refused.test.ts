// Under the floor nothing outside is made, changed or taken away, by whatever program; for root and for an ordinary user.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { PATIENCE } from "../support/box.ts";
import { works } from "../support/shell.ts";
import { isThere, makeStage, noFloor, type Stage, snapshot, users } from "./stage.ts";

setDefaultTimeout(PATIENCE);

const ACTS = join(import.meta.dir, "acts");

/** Error numbers that stand for a refusal: another name for a file elsewhere would be a link between two places (EXDEV). */
const REFUSED = ["EACCES", "EXDEV"];

/** Programs that try a list of acts: what makes them, and how they are called. */
const PROGRAMS: readonly [name: string, needs: string, argv: (stage: Stage) => string[]][] = [
	["C", "cc", ({ root }) => [join(root, "acts")]],
	["Python", "/usr/bin/python3", () => ["/usr/bin/python3", join(ACTS, "acts.py")]],
	["node", "node", () => ["node", join(ACTS, "acts.mjs")]],
	["perl", "perl", () => ["perl", join(ACTS, "acts.pl")]],
];

/** Lines of a shell, each of which must fail; `$O` is outside, `$I` inside. */
const LINES: readonly [needs: string, line: string][] = [
	["sh", "echo x >$O/new"],
	["sh", "echo x >>$O/file"],
	["sh", ": >$O/file"],
	["sh", "exec 3<>$O/file && echo x >&3"],
	["/bin/rm", "/bin/rm $O/file"],
	["/bin/rm", "/bin/rm -rf $O/tree"],
	["/bin/rm", "cd $O && /bin/rm -rf -- *"],
	["rmdir", "/bin/rmdir $O/empty"],
	["mv", "/bin/mv $O/file $I/stolen"],
	["mv", "/bin/mv $I/mine $O/put"],
	["mv", "/bin/mv $O/tree $O/moved"],
	["cp", "cp $I/mine $O/file"],
	["cp", "cp --remove-destination $I/mine $O/file"],
	["ln", "ln $O/file $I/hard"],
	["ln", "ln -s x $O/soft"],
	["tee", "echo x | tee $O/file"],
	["dd", "dd if=/dev/zero of=$O/file bs=1 count=1 conv=notrunc"],
	["truncate", "truncate -s 0 $O/file"],
	["touch", "touch $O/new"],
	["mkdir", "mkdir -p $O/a/b"],
	["mkfifo", "mkfifo $O/fifo"],
	["install", "install -D $I/mine $O/a/b"],
	["sed", "sed -i s/kept/lost/ $O/file"],
	["find", "find $O -name leaf -delete"],
	["sort", "sort -o $O/file $I/mine"],
	["split", "cd $O && split -b 1 file"],
	["tar", "tar -C $I -cf - mine | tar -C $O -xf -"],
	["tar", "tar -cf $O/archive.tar -C $I mine"],
	["gzip", "gzip $O/file"],
	["awk", 'awk \'BEGIN { print "x" > ENVIRON["O"] "/new" }\''],
	["awk", 'awk \'BEGIN { print "x" >> ENVIRON["O"] "/file" }\''],
	["awk", 'awk \'BEGIN { exit system("rm -f " ENVIRON["O"] "/file") }\''],
	["busybox", "busybox rm -rf $O/tree"],
	["busybox", "busybox touch $O/new"],
	["busybox", "busybox mv $I/mine $O/put"],
	["busybox", "busybox sh -c 'echo x >$O/file'"],
	["busybox", "busybox sed -i s/kept/lost/ $O/file"],
	["busybox", "busybox mkfifo $O/fifo"],
	["sqlite3", "sqlite3 $O/base.db 'create table a (b)'"],
	["make", "printf 'all:\\n\\t/bin/rm -rf $(O)/tree\\n' | make -f -"],
	["git", "git init -q $O/repository"],
	["git", "git -C $I init -q made && git clone -q $I/made $O/clone"],
	["git", "cd $O && git init -q ."],
	["git", "git -C $I init -q made; git -C $I/made --work-tree=$O clean -fdx"],
	["cc", "echo 'int main(void) { return 0; }' | cc -x c - -o $O/program"],
	["zsh", "zsh -fc 'echo x >! $O/file'"],
	["unshare", "unshare --user --map-root-user --mount mount -t tmpfs none $O"],
	["script", "script -qec true $O/typescript"],
	["env", "env -i /bin/rm $O/file"],
	["setsid", "setsid -w /bin/rm $O/file"],
	["nohup", "nohup /bin/rm $O/file"],
];

describe.skipIf(noFloor !== "")(`outside (skipped where there is no floor${noFloor && `: ${noFloor}`})`, () => {
	for (const user of users) {
		describe(user.name, () => {
			let stage: Stage;
			let before: string[];
			beforeAll(async () => {
				stage = await makeStage(user);
				if (works(["cc", "--version"])) await stage.run(["cc", "-o", join(stage.root, "acts"), join(ACTS, "acts.c")]);
				before = snapshot(stage.outside);
			});
			afterAll(() => stage.remove());

			for (const [name, needs, argv] of PROGRAMS) {
				const there = works([needs, "--version"]);
				test.skipIf(!there)(`${name}${there ? "" : ` (there is no ${needs})`}`, async () => {
					const ran = await stage.under([...argv(stage), stage.outside, stage.root]);
					const lines = ran.stdout.trim().split("\n");
					expect(ran.stderr).toBe("");
					expect(lines.length).toBeGreaterThan(12);
					expect(lines.filter((line) => !REFUSED.includes(line.split(" ")[1] ?? ""))).toEqual([]);
					expect(snapshot(stage.outside)).toEqual(before);
				});
			}

			test("each line of a shell fails, and nothing is changed", async () => {
				const lines = LINES.filter(([needs]) => isThere(needs));
				const left = LINES.length - lines.length;
				if (left > 0) console.log(`${left} lines are left out: their programs are missing`);
				for (const [, line] of lines) {
					const ran = await stage.under(["/bin/sh", "-c", `set -e\n${line}`], [], { O: stage.outside, I: stage.root });
					expect({ line, done: ran.status === 0 && !line.includes("clean") }).toEqual({ line, done: false });
					expect({ line, now: snapshot(stage.outside) }).toEqual({ line, now: before });
				}
			});

			test("without the floor each line does something: the test can fail", async () => {
				for (const [needs, line] of LINES) {
					if (!isThere(needs) || /^(unshare|env)$/.test(needs)) continue;
					const other = await makeStage(user);
					const untouched = snapshot(other.outside);
					await other.run(["/bin/sh", "-c", line], other.root, { O: other.outside, I: other.root });
					const moved = snapshot(other.outside);
					other.remove();
					expect({ line, changed: moved.join() !== untouched.join() }).toEqual({ line, changed: true });
				}
			});
		});
	}
});
