// A scratch directory that is the session's only one, in which calls and events that must be refused can be tried.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionsAround } from "../../launch/around.ts";
import { type Bytes, fromText, toText } from "../../policy/bytes.ts";
import { isBelow } from "../../policy/resolve.ts";
import { variablesOf } from "../explain/explanation.ts";
import { type Finding, type Patient, usable } from "./check.ts";

/** A directory of its own that is the session's only one, as far as variables say. */
export interface Stage {
	directory: string;
	env: NodeJS.ProcessEnv;
	/** A name outside every root that does not exist: `/` is never a root, so nothing right below it is inside one. */
	outside: string;
}

/** The variables that a policy takes directories from. */
export function variableNames(patient: Patient): string[] {
	return usable(patient).flatMap(([, bound]) => variablesOf(patient.system, bound).map(({ name }) => toText(name)));
}

function stageOf(patient: Patient, directory: string): Stage {
	const inner = join(directory, "projects");
	mkdirSync(inner);
	const env = { ...process.env };
	// A variable with a directory lets that one in, or its parent; both are in the scratch directory.
	for (const name of variableNames(patient)) env[name] = inner;
	return { directory: inner, env, outside: `/${directory.slice(directory.lastIndexOf("/") + 1)}-does-not-exist` };
}

/** Where scratch directories are made; within a session below one of its directories, since no variable opens another there. */
function placeOf({ system }: Patient): string {
	const here = system.real(fromText(tmpdir()), true) ?? "";
	const [around] = sessionsAround(system);
	const roots = around?.session.roots ?? [];
	const within = (root: Bytes) => here === root || isBelow(here, root);
	return roots.length === 0 || roots.some(within) ? tmpdir() : toText(roots[0] as Bytes);
}

/** Try something there; the directory is gone afterwards. */
export function inStage<Found extends Finding>(
	patient: Patient,
	act: (stage: Stage) => Found[],
): (Found | (Finding & { advice: "no-scratch" }))[] {
	let directory: string;
	try {
		directory = realpathSync(mkdtempSync(join(placeOf(patient), "tmx-doctor-")));
	} catch (error) {
		return [{ status: "warn", subject: "scratch", found: String((error as Error).message), advice: "no-scratch" }];
	}
	try {
		return act(stageOf(patient, directory));
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}
