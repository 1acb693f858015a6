// A person's repositories for shadows: with a bare remote, a submodule, a linked worktree and uncommitted work, in a home of their own.

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { type Env, type Ran, run } from "../support/shell.ts";

/** A guardfile without the system's temporary directories, in which all of this lies. */
const GUARDFILE = `wrap rm {
    exec rm
    replace
    can run "*" {
        gate paths-within { operands "positional"; root-env "TMX_ROOTS"; root-parent-env "AOS_NATIVE_SESSION_PROJECTS"; }
    }
}
`;

export interface World {
	base: string;
	/** The checkout that the person works in. */
	project: string;
	/** Where shadows lie. */
	shadows: string;
	env: Env;
	/** Run tmx in a directory (the project). */
	tmx(words: string[], cwd?: string): Promise<Ran>;
	/** Run a line in a new shadow, by tmx wrap. */
	wrap(line: string, cwd?: string): Promise<Ran>;
	git(words: string[], cwd?: string): Promise<string>;
	/** The names of the shadows. */
	ids(): string[];
	/** The worktree of the only shadow. */
	worktree(): string;
	remove(): void;
}

const LAYOUT = `
git init -q --bare inner.git && git clone -q inner.git inner 2>/dev/null
(cd inner && echo inner >file && git add file && git commit -qm inner && git push -q origin HEAD:refs/heads/main)
git init -q --bare remote.git && git init -q -b main project && cd project
echo one >one && mkdir deep && echo two >deep/two && printf 'build/\\n*.log\\n' >.gitignore && git add . && git commit -qm first
git -c protocol.file.allow=always submodule --quiet add ../inner.git lib/inner && git commit -qm submodule
git remote add origin ../remote.git && git push -q origin main && git branch -q side
git worktree add -q ../linked -b linked
printf '#!/bin/sh\\ntouch "${"$"}BASE/hook-ran"\\n' >.git/hooks/post-checkout && chmod +x .git/hooks/post-checkout
git config core.fsmonitor 'touch "${"$"}BASE/monitor-ran"; false'
echo changed >>one && echo staged >staged && git add staged && echo new >new && mkdir build && echo made >build/out && echo said >x.log
`;

/** Make all of it. */
export async function makeWorld(): Promise<World> {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "tmx-shadow-")));
	const home = join(base, "home");
	mkdirSync(join(home, ".config/tmx"), { recursive: true });
	writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n");
	writeFileSync(join(base, "test.kdl"), GUARDFILE, { mode: 0o644 });
	const env: Env = { PATH: `${dirname(BINARY)}:/usr/bin:/bin`, HOME: home, BASE: base, SHELL: "/bin/sh", GIT_CONFIG_NOSYSTEM: "1" };
	const laid = await run(["/bin/sh", "-euc", LAYOUT], { ...env, TMX_CHAIN: undefined }, base);
	if (laid.status !== 0) throw new Error(laid.stderr);
	// Git itself ran them meanwhile.
	for (const mark of ["hook-ran", "monitor-ran"]) rmSync(join(base, mark), { force: true });
	await run([BINARY, "build", join(base, "test.kdl"), "--out", join(base, "shims")], env, base);
	const project = join(base, "project");
	const shadows = join(home, ".local/state/tmx/shadows");
	const ids = () => {
		try {
			return readdirSync(shadows).filter((name) => /^\d{8}-[0-9a-f]{6}$/.test(name));
		} catch {
			return [];
		}
	};
	const tmx = (words: string[], cwd = project) => run([BINARY, ...words], env, cwd);
	return {
		base,
		project,
		shadows,
		env,
		tmx,
		wrap: (line, cwd = project) =>
			tmx(["wrap", "--policy", join(base, "shims"), "--no-confine", "--shadow", "--", "/bin/sh", "-c", line], cwd),
		git: async (words, cwd = project) => {
			const quiet = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
			return (await run(["git", ...quiet, ...words], { ...env, GIT_OPTIONAL_LOCKS: "0" }, cwd)).stdout.trimEnd();
		},
		ids,
		worktree() {
			const [id = ""] = ids();
			const projects = join(shadows, id, "projects");
			return join(projects, readdirSync(projects)[0] ?? "");
		},
		remove: () => rmSync(base, { recursive: true, force: true }),
	};
}

/** What a shadow adds to a repository: its worktree, its branch, and objects, which are named by what they hold. */
const ADDED = /(^|\/)(worktrees(\/|$)|objects\/|packed-refs$|logs(\/refs(\/heads)?)?$|(logs\/)?refs\/heads\/tmx-shadow-)/;

/** Every name below a directory; links are names. */
function below(directory: string, from = ""): string[] {
	const names = readdirSync(Buffer.from(`${directory}/${from}`, "latin1"), "buffer").map((name) => from + name.toString("latin1"));
	return names.flatMap((name) => {
		const isDirectory = lstatSync(Buffer.from(`${directory}/${name}`, "latin1")).isDirectory();
		return isDirectory ? [name, ...below(directory, `${name}/`)] : [name];
	});
}

/** Every name below a directory with its kind, mode, time and content, without what a shadow adds to a repository. */
export function photograph(directory: string): Record<string, string> {
	const rows = below(directory)
		.filter((name) => !ADDED.test(name))
		.map((name) => {
			const path = Buffer.from(`${directory}/${name}`, "latin1");
			const stats = lstatSync(path);
			const head = `${(stats.mode & 0o177777).toString(8)} ${stats.isDirectory() ? "" : stats.mtimeMs}`;
			const content = stats.isSymbolicLink() ? readlinkSync(path, "latin1") : stats.isFile() ? readFileSync(path, "latin1") : "";
			return [name, `${head} ${content}`];
		});
	return Object.fromEntries(rows);
}
