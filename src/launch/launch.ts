// The launch itself: the session is written, the environment set, and then this process becomes COMMAND.

import { type Bytes, fromText, quote } from "../policy/bytes.ts";
import { E2BIG, EACCES, ENOENT, type System } from "../sys/system.ts";
import { isTimeToSweep, makeSession, stageOf } from "./directory.ts";
import type { Ready } from "./floor/ready.ts";
import type { Launch, Refused } from "./plan.ts";

/** Why a program cannot be executed, as env(1) sorts it. */
function unbecome(path: Bytes, error: number): Refused {
	if (error === ENOENT) return { failure: "not_found", why: `${quote(path)} cannot be executed: it or its interpreter does not exist` };
	const why = error === EACCES ? "permission denied" : error === E2BIG ? "argument list too long" : `error ${error}`;
	return { failure: "not_runnable", why: `${quote(path)} cannot be executed: ${why}` };
}

/** What was written of a session goes again. */
async function undo({ directory, session }: Launch): Promise<void> {
	const { removeQuietly, removeSession } = await import("./sweep.ts");
	removeQuietly(stageOf(directory, session.start));
	removeSession(directory);
}

const ELSEWHERE = "free some space there (a session takes 200 kB), or let XDG_RUNTIME_DIR name another directory that is yours alone";

/** Write the session; old ones that nobody uses go. */
async function write(system: System, launch: Launch): Promise<Refused | undefined> {
	const { place, directory, session, content } = launch;
	if (isTimeToSweep(system, place)) (await import("./sweep.ts")).sweep(system);
	const failed = makeSession(system, directory, session.start, content);
	if (failed === undefined) return undefined;
	await undo(launch);
	return { failure: "internal", why: `the session cannot be written below ${quote(place)}: ${failed}; ${ELSEWHERE}` };
}

/** No floor. */
const WITHOUT: Ready = { notes: [], around: (path, words) => ({ path, words }), last: () => true };

/** The floor, ready for the exec; loaded where there is to be one. */
async function floorOf(system: System, launch: Launch): Promise<Ready | { refused: string }> {
	const say = (words: string) => system.write(2, fromText(`tmx: wrap: note: ${words}\n`));
	const ready = (await import("./floor/start.ts")).startFloor(system, launch, say);
	if (!("refused" in ready)) for (const words of ready.notes) say(words);
	return ready;
}

/** Carry a launch out. It answers only when this process did not become COMMAND; then nothing of it is left. */
export async function carryOut(system: System, launch: Launch): Promise<Refused> {
	const { program, environment } = launch;
	if ("missing" in program) return { failure: program.missing, why: program.why };
	const failed = await write(system, launch);
	if (failed) return failed;
	for (const [name, value] of environment) system.setenv(name, value);
	const ready = launch.floor === "off" ? WITHOUT : await floorOf(system, launch);
	if ("refused" in ready) {
		await undo(launch);
		return { failure: "internal", why: `${ready.refused}; ${quote(program.path)} was not started` };
	}
	// The last place before the exec: what must hold for COMMAND and all that it starts is done here.
	const { path, words } = ready.around(program.path, launch.argv);
	const error = system.become(path, 0, words, ready.last);
	await undo(launch);
	if (error === 0) return { failure: "internal", why: `without a floor ${quote(program.path)} was not to be started` };
	return unbecome(program.path, error);
}
