// Running programs as the tests do: with an environment that the test gives in full, and bash for shell lines.

export interface Ran {
	status: number;
	/** What was printed, each character one byte. */
	stdout: string;
	stderr: string;
}

export type Env = Record<string, string | undefined>;

/** The status of a process that a signal ended, as a shell has it. */
const SIGNALLED = 128;

/** Run an argv with exactly this environment, without input unless some is given. */
export async function run(argv: string[], env: Env, cwd: string, input = ""): Promise<Ran> {
	const process = Bun.spawn(argv, { env, cwd, stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" });
	const text = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer()).toString("latin1");
	const [stdout, stderr, code] = await Promise.all([text(process.stdout), text(process.stderr), process.exited]);
	return { status: process.signalCode === null ? code : SIGNALLED, stdout, stderr };
}

/** Run a shell line. Bash is called by its path, so the line's PATH may hold shims alone. */
export function shell(line: string, env: Env, cwd: string): Promise<Ran> {
	return run(["/bin/bash", "-c", line], env, cwd);
}

/** Whether a command succeeds here; what it prints is lost. */
export function works(argv: string[]): boolean {
	try {
		return Bun.spawnSync(argv, { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
	} catch {
		return false;
	}
}

/** What the tests do there: a file system of their own, and a directory bound to another place. */
const PROBE = "mount -t tmpfs none /tmp && mkdir /tmp/here /tmp/there && mount --bind /tmp/here /tmp/there";

/** How this user gets a mount namespace, or undefined where the system gives none. */
export const NAMESPACE: string[] | undefined = [
	["unshare", "-m"],
	["unshare", "-rm"],
].find((way) => works([...way, "sh", "-c", PROBE]));
