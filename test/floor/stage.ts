// A stage for the floor: a session's root, an outside that must not change, a home, and a policy without the system's temporary directories.

import {
	chmodSync,
	chownSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY } from "../support/binary.ts";
import { type Env, type Ran, run, works } from "../support/shell.ts";

/** Whether a program is there, by its path or by its name in the system's directories. */
export const isThere = (program: string): boolean =>
	program.startsWith("/") ? works(["test", "-x", program]) : Bun.which(program, { PATH: "/usr/bin:/bin:/usr/sbin" }) !== null;

/** A user that tests run as: this one, or for root also one who may nothing. */
export interface User {
	name: string;
	uid: number;
	/** The words before a command that make it run as this user. */
	as: string[];
}

const NOBODY = 65534;
const own: User = { name: process.getuid?.() === 0 ? "root" : "an ordinary user", uid: process.getuid?.() ?? 0, as: [] };
const nobody: User = {
	name: "an ordinary user",
	uid: NOBODY,
	as: ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"],
};

function usersHere(): User[] {
	if (own.uid !== 0) {
		console.log("not root: the floor is tested as this user alone");
		return [own];
	}
	// setpriv may start what its user cannot reach: a checkout below a directory that is private to root.
	if (works([...nobody.as, "test", "-x", BINARY]) && works([...nobody.as, BINARY, "--version"])) return [own, nobody];
	console.log("setpriv is missing, or another user cannot run this binary where it lies: the floor is tested as root alone");
	return [own];
}

/** The users that tests run as. */
export const users: readonly User[] = usersHere();

/** Why there is no floor here; "" where there is one. */
export const noFloor: string = (() => {
	const shown = Bun.spawnSync([BINARY, "floor", "--root", realpathSync(tmpdir()), "--show", "--json"], { env: { HOME: "/nonexistent" } });
	const { strength } = JSON.parse(shown.stdout.toString() || '{"strength":{"kind":"none","why":"tmx floor fails"}}') as {
		strength: { kind: string; why: string };
	};
	if (strength.kind === "none") console.log(`no floor here: ${strength.why}`);
	return strength.kind === "none" ? strength.why : "";
})();

export interface Stage {
	base: string;
	root: string;
	outside: string;
	home: string;
	shims: string;
	env: Env;
	user: User;
	/** Run a command as the stage's user, without a floor. */
	run(argv: string[], cwd?: string, env?: Env, input?: string): Promise<Ran>;
	/** Run a command under the floor. */
	under(argv: string[], options?: readonly string[], env?: Env, input?: string): Promise<Ran>;
	remove(): void;
}

/** The guardfile: scratch files have their place in the root, so that an outside below /tmp is outside. */
export const GUARDFILE = (floor: string) => `floor {
${floor}
}

wrap rm {
    exec rm
    replace
    can run "*" {
        gate paths-within {
            operands "positional"
            root-env "TMX_ROOTS"
        }
    }
}
`;

function chownAll(path: string, uid: number): void {
	const stats = lstatSync(path);
	if (stats.isSymbolicLink()) return;
	chownSync(path, uid, uid);
	if (stats.isDirectory()) for (const name of readdirSync(path)) chownAll(join(path, name), uid);
}

/** @param floor what stands in the guardfile's `floor` besides */
export async function makeStage(user: User, floor = ""): Promise<Stage> {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "tmx-floor-")));
	chmodSync(base, 0o755);
	const [root, outside, home, shims] = ["root", "outside", "home", "shims"].map((name) => join(base, name)) as [
		string,
		string,
		string,
		string,
	];
	for (const path of [root, join(root, "tmp"), outside, join(outside, "empty"), join(outside, "tree"), home]) mkdirSync(path);
	writeFileSync(join(outside, "file"), "kept\n");
	writeFileSync(join(outside, "tree/leaf"), "kept too\n");
	writeFileSync(join(root, "mine"), "mine\n");
	symlinkSync(outside, join(root, "leads-out"));
	writeFileSync(join(base, "guard.kdl"), GUARDFILE(`    deny-group "temp"\n${floor}`), { mode: 0o644 });
	chownAll(base, user.uid);
	const env: Env = { HOME: home, PATH: "/usr/bin:/bin", TMPDIR: join(root, "tmp"), LANG: "C.UTF-8" };
	const stage: Stage = {
		base,
		root,
		outside,
		home,
		shims,
		env,
		user,
		run: (argv, cwd = root, more = {}, input = "") => run([...user.as, ...argv], { ...env, ...more }, cwd, input),
		under: (argv, options = [], more = {}, input = "") =>
			stage.run([BINARY, "floor", "--policy", shims, "--root", root, ...options, "--", ...argv], root, more, input),
		remove: () => rmSync(base, { recursive: true, force: true }),
	};
	const built = await stage.run([BINARY, "build", join(base, "guard.kdl"), "--out", shims]);
	if (built.status !== 0) throw new Error(`the policy cannot be built: ${built.stderr}`);
	return stage;
}

/** Everything about what lies below a directory that an act could change, a line each. */
export function snapshot(directory: string): string[] {
	const lines: string[] = [];
	const visit = (path: string, name: string) => {
		const { mode, ino, nlink, size, mtimeMs, uid } = lstatSync(path);
		const stats = lstatSync(path);
		const content = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? readFileSync(path, "latin1") : "";
		lines.push(`${name} ${mode.toString(8)} ${ino} ${nlink} ${size} ${mtimeMs} ${uid} ${content}`);
		if (stats.isDirectory()) for (const entry of readdirSync(path).sort()) visit(join(path, entry), `${name}/${entry}`);
	};
	visit(directory, ".");
	return lines;
}
