// Under the floor the work of a session goes on: what programs do within the root, and what they need besides, passes.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { PATIENCE } from "../support/box.ts";
import { isThere, makeStage, noFloor, type Stage, snapshot, users } from "./stage.ts";

setDefaultTimeout(PATIENCE);

const GIT = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c protocol.file.allow=always";

/** What must work, in the root; every line of it must succeed. */
const WORK: readonly [name: string, needs: string, lines: string][] = [
	[
		"git init, add, commit, stash, worktree, gc",
		"git",
		`mkdir repo && cd repo && ${GIT} init -q . && echo a >a && ${GIT} add a && ${GIT} commit -qm one
		echo b >>a && ${GIT} stash -q && ${GIT} stash pop -q && ${GIT} commit -qam two
		${GIT} worktree add -q ../tree -b other && cd ../tree && echo c >c && ${GIT} add c && ${GIT} commit -qm three
		cd ../repo && ${GIT} merge -q other && ${GIT} gc -q --prune=now && ${GIT} rebase -q other && test -e c`,
	],
	[
		"git clone and a submodule",
		"git",
		`${GIT} clone -q repo clone && cd clone && ${GIT} submodule --quiet add "$PWD/../repo" sub && ${GIT} commit -qm sub`,
	],
	[
		"npm install from a tarball",
		"npm",
		`mkdir -p pack/package app && echo '{"name":"p","version":"1.0.0","bin":"p.js"}' >pack/package/package.json && echo 1 >pack/package/p.js
		tar -C pack -czf p.tgz package && cd app && echo '{"private":true}' >package.json
		npm install --offline --no-audit --no-fund --loglevel=error ../p.tgz && test -e node_modules/p/p.js && npm ci --offline --no-audit --no-fund`,
	],
	[
		"cc and make",
		"cc",
		"printf 'int main(void) { return 0; }' >m.c && printf 'm: m.c\\n\\tcc -o m m.c\\nclean:\\n\\trm -f m\\n' >Makefile && make && ./m && make clean",
	],
	[
		"a virtual environment of Python",
		"/usr/bin/python3",
		"/usr/bin/python3 -m venv --without-pip venv && venv/bin/python -c 'import tempfile; tempfile.mkstemp()'",
	],
	[
		"sqlite with a write-ahead log",
		"sqlite3",
		"sqlite3 base.db 'pragma journal_mode=wal; create table t (a); insert into t values (1); vacuum; select * from t'",
	],
	[
		"here-documents of zsh",
		"zsh",
		"TMPPREFIX=$TMPDIR/zsh zsh -fc 'cat <<E >here\nx\nE\ncat =(echo y) >>here' && test \"$(cat here)\" = 'x\ny'",
	],
	["mktemp and a pipeline", "sh", "f=$(mktemp) && d=$(mktemp -d) && seq 3 | sort -r >$f && mv $f $d/f && rm -r $d"],
	["script, on a terminal of its own", "script", "script -qec 'echo hello >/dev/tty' typescript && grep -q hello typescript"],
	[
		"tmux of its own",
		"tmux",
		"export TMUX_TMPDIR=$TMPDIR SHELL=/bin/sh; tmux -L t -f /dev/null new-session -d 'echo in >tmuxed; sleep 9'; for k in $(seq 100); do test -e tmuxed && break; sleep 0.05; done; tmux -L t kill-server && test -e tmuxed",
	],
	["devices", "sh", "echo x >/dev/null && echo x 2>/dev/full >&1 && head -c 1 /dev/zero >/dev/null"],
	[
		"what a process says of itself",
		"sh",
		"echo 500 >/proc/self/oom_score_adj && printf new >/proc/$$/comm && sh -c 'echo 600 >/proc/$$/oom_score_adj'",
	],
	[
		"descriptors opened anew",
		"sh",
		"echo x >/dev/stdout | cat && echo y 3>three >/dev/fd/3 && sh -c 'echo z >/dev/stderr' 2>two && grep y three && grep z two",
	],
	[
		"renames and links between directories",
		"sh",
		"mkdir -p a/b c && echo x >a/b/f && mv a/b/f c/g && ln c/g a/h && mv a c/a && ln -s ../c c/a/s && rm -rf a c",
	],
	["a tree removed and made again", "sh", "mkdir -p dist/x && rm -rf dist && mkdir dist && mkfifo dist/p && rm -r dist"],
	["in place, by temporary files", "sed", "echo a >s && sed -i s/a/b/ s && grep -q b s && cp s t && sort -o t t && truncate -s 0 t"],
	["a name that is not UTF-8", "sh", 'n=$(printf \'x\\377y\') && echo 1 >"$n" && mv "$n" "$n$n" && rm "$n$n"'],
	["children in the background", "sh", "(sleep 0.1; echo late >late) & wait && grep -q late late"],
];

describe.skipIf(noFloor !== "")(`inside (skipped where there is no floor${noFloor && `: ${noFloor}`})`, () => {
	for (const user of users) {
		describe(user.name, () => {
			let stage: Stage;
			let before: string[];
			beforeAll(async () => {
				stage = await makeStage(user);
				before = snapshot(stage.outside);
			});
			afterAll(() => stage.remove());

			for (const [name, needs, lines] of WORK) {
				test.skipIf(!isThere(needs))(`${name}${isThere(needs) ? "" : ` (there is no ${needs})`}`, async () => {
					const ran = await stage.under(["/bin/sh", "-c", `set -e\n${lines}`], ["--require"], { TERM: "xterm" });
					expect({ status: ran.status, stderr: ran.status === 0 ? "" : ran.stderr }).toEqual({ status: 0, stderr: "" });
					expect(snapshot(stage.outside)).toEqual(before);
				});
			}
		});
	}
});
