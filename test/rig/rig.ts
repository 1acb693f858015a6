// A user manager for a test file: started once, entered for each command, gone with the tests.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dir, "../..");
export const FRAGMENT = join(ROOT, "shims/tool-confine.sh");

/** A user that every Debian has besides root (passwd(5)). */
export const ORDINARY = "nobody";

const NEEDED = ["/lib/systemd/systemd", "/usr/bin/busctl", "/usr/bin/dbus-daemon", "/usr/bin/zsh", "/usr/bin/setpriv"];

/** Why no rig can be had here, or undefined where one can. */
function unable(): string | undefined {
	if (process.platform !== "linux") return "systemd is there on Linux alone";
	if (process.getuid?.() !== 0) return "only root can make the namespace and the cgroups of a rig";
	const missing = NEEDED.filter((path) => !existsSync(path));
	if (missing.length > 0) return `${missing.join(" ")} is missing`;
	const mount = Bun.spawnSync(["unshare", "--mount", "mount", "-t", "cgroup2", "none", "/mnt"]);
	return mount.exitCode === 0 ? undefined : "cgroup2 cannot be mounted here";
}

export const UNABLE = unable();

/** For the title of what needs the rig. */
export const WHY_SKIPPED = UNABLE === undefined ? "" : ` (skipped: ${UNABLE})`;

export interface Ran {
	status: number;
	stdout: string;
	stderr: string;
	/** Milliseconds, with what it costs to enter the rig. */
	took: number;
}

export interface Options {
	env?: Record<string, string>;
	input?: string;
	/** Run as root whoever the rig is for. */
	root?: boolean;
	/** Seconds after which the command is killed. */
	limit?: number;
}

/** What a command in the rig does first: it steps into the terminal's scope and becomes the user. */
const ENTER = 'echo $$ >"$RIG_CGROUP/app.slice/vte-spawn-rig.scope/cgroup.procs"; exec "$@"';

export class Rig {
	#env: Record<string, string> = {};
	readonly #holder: ReturnType<typeof Rig.spawn>;

	private constructor(
		readonly user: string,
		holder: ReturnType<typeof Rig.spawn>,
	) {
		this.#holder = holder;
	}

	private static spawn(user: string) {
		const argv = [join(import.meta.dir, "user-systemd.sh"), "bash", "-c", "env -0; echo; exec cat"];
		return Bun.spawn(argv, { env: { ...process.env, RIG_USER: user }, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
	}

	/** Start a manager for a user. */
	static async start(user: string): Promise<Rig> {
		const rig = new Rig(user, Rig.spawn(user));
		let said = "";
		for await (const chunk of rig.#holder.stdout) {
			said += new TextDecoder().decode(chunk);
			if (said.endsWith("\0\n")) break;
		}
		if (!said.endsWith("\0\n")) throw new Error("the rig did not start");
		const entries = said.split("\0").map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)] as const);
		const kept = /^(HOME|PATH|RIG_|XDG_RUNTIME_DIR|DBUS_)/;
		rig.#env = Object.fromEntries(entries.filter(([name]) => kept.test(name)));
		return rig;
	}

	/** The environment that commands get. */
	get env(): Readonly<Record<string, string>> {
		return this.#env;
	}

	get manager(): number {
		return Number(this.#env.RIG_MANAGER);
	}

	get cgroup(): string {
		return this.#env.RIG_CGROUP as string;
	}

	/** The argv that enters the rig. */
	enter(argv: string[], root = false): string[] {
		const namespace = ["nsenter", `--target=${this.#holder.pid}`, "--mount", `--wd=${ROOT}`, "--"];
		const drop = ["setpriv", `--reuid=${this.user}`, "--regid=65534", "--clear-groups", "--"];
		return [...namespace, "bash", "-c", ENTER, "enter", ...(root || this.user === "root" ? [] : drop), ...argv];
	}

	/** Run a command in the rig. */
	run(argv: string[], { env = {}, input = "", root = false, limit = 60 }: Options = {}): Ran {
		const before = performance.now();
		const done = Bun.spawnSync(this.enter(argv, root), {
			env: { ...this.#env, ...env },
			stdin: Buffer.from(input),
			stdout: "pipe",
			stderr: "pipe",
			timeout: limit * 1000,
			killSignal: "SIGKILL",
		});
		const took = performance.now() - before;
		return { status: done.exitCode ?? 128, stdout: done.stdout.toString(), stderr: done.stderr.toString(), took };
	}

	/** The same without waiting. */
	spawn(argv: string[], env: Record<string, string> = {}) {
		return Bun.spawn(this.enter(argv), { env: { ...this.#env, ...env }, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
	}

	/** Forget that a manager did not answer. */
	forget(): void {
		this.run(["rm", "-f", `${this.#env.XDG_RUNTIME_DIR}/tmx-confine.broken`], { root: true });
	}

	/** The scopes under agent.slice, as the kernel has them. */
	scopes(): string[] {
		const list = this.run(["bash", "-c", 'cd "$RIG_CGROUP/agent.slice" 2>/dev/null && printf "%s\\n" confine-*.scope/']);
		return list.stdout
			.split("\n")
			.filter((line) => line.endsWith("/") && !line.includes("*"))
			.map((line) => line.slice(0, -1));
	}

	async stop(): Promise<void> {
		this.#holder.stdin.end();
		await this.#holder.exited;
	}
}

/** Wait until something holds; for what another process does in its own time. */
export async function eventually(holds: () => boolean, seconds = 10): Promise<boolean> {
	for (const end = Date.now() + seconds * 1000; Date.now() < end; await Bun.sleep(50)) if (holds()) return true;
	return holds();
}
