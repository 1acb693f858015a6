// The launch itself: the session is written, the environment set, and then this process becomes COMMAND.

import { diskFailure } from "../guardfile/disk.ts";
import { type Bytes, quote } from "../policy/bytes.ts";
import { E2BIG, EACCES, ENOENT, type System } from "../sys/system.ts";
import { makeSession, removeSession, sweepSometimes } from "./directory.ts";
import type { Launch, Refused } from "./plan.ts";

/** Why a program cannot be executed, as env(1) sorts it. */
function unbecome(path: Bytes, error: number): Refused {
	if (error === ENOENT) return { failure: "not_found", why: `${quote(path)} cannot be executed: it or its interpreter does not exist` };
	const why = error === EACCES ? "permission denied" : error === E2BIG ? "argument list too long" : `error ${error}`;
	return { failure: "not_runnable", why: `${quote(path)} cannot be executed: ${why}` };
}

/** Write the session; old ones that nobody uses go. */
function write(system: System, { place, session, content }: Launch): Refused | undefined {
	try {
		sweepSometimes(system, place);
		makeSession(system, place, session.id, session.start, content);
		return undefined;
	} catch (error) {
		const failure = diskFailure(error);
		if (failure === undefined) throw error;
		return { failure: "internal", why: `the session cannot be written below ${quote(place)}: ${failure.words}` };
	}
}

/** Carry a launch out. It answers only when this process did not become COMMAND; then nothing of it is left. */
export function carryOut(system: System, launch: Launch): Refused {
	const { program, environment, directory, argv } = launch;
	if ("missing" in program) return { failure: program.missing, why: program.why };
	const failed = write(system, launch);
	if (failed) return failed;
	for (const [name, value] of environment) system.setenv(name, value);
	// The last place before the exec: what must hold for COMMAND and all that it starts is done here.
	const error = system.become(program.path, 0, argv);
	removeSession(directory);
	return unbecome(program.path, error);
}
