// Putting a policy and its shims in place: staged beside, swapped in one step, under a lock.

import type { Bytes } from "../policy/bytes.ts";
import { join } from "../policy/resolve.ts";
import { exchange } from "../sys/exchange.ts";
import type { System } from "../sys/system.ts";
import * as disk from "./disk.ts";
import { MANIFEST } from "./manifest.ts";
import { type Plan, planOf, type Wanted } from "./plan.ts";

/** How long a build waits for another one on the same directory, and how often it looks. */
const PATIENCE = 20_000;
const PAUSE = 50;
/** A shim that opened the old directory a moment ago may still be about to open a file in it. */
const GRACE = 100;

const sleep = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** Whether a name is one under which builds prepare what they swap in. */
export const isStage = (name: Bytes) => /^\.policy-[0-9a-f]{20}$/.test(name);

function stageName(system: System): Bytes {
	return `.policy-${Array.from(system.random(), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Write everything that is new into the stage: from here on only names change. */
function prepare(stage: Bytes, plan: Plan, binary: Bytes): void {
	disk.makeDirectory(stage);
	disk.makeDirectory(join(stage, "policy"));
	for (const [name, content] of plan.files ?? []) disk.writeFile(join(join(stage, "policy"), name), content);
	disk.syncDirectory(join(stage, "policy"));
	disk.makeDirectory(join(stage, "removed"));
	disk.makeDirectory(join(stage, "links"));
	for (const name of [...plan.added, ...plan.pointed]) disk.makeLink(join(join(stage, "links"), name), binary);
}

/**
 * Where two directories cannot be swapped (some network file systems, a lower layer of an overlay): file by file. Each tool
 * has its old policy or its new one at any time; the manifest comes last, so that a build that was cut short is not taken for done.
 */
export function replaceEach(from: Bytes, policy: Bytes): void {
	const names = disk.namesIn(from);
	const inOrder = [...names.filter((name) => name !== MANIFEST), ...names.filter((name) => name === MANIFEST)];
	for (const name of inOrder) disk.move(join(from, name), join(policy, name));
	for (const name of disk.namesIn(policy)) if (!names.includes(name)) disk.removeName(join(policy, name));
}

/** Put the new policy where the old one is. */
function swap(stage: Bytes, directory: Bytes, plan: Plan): void {
	const fresh = join(stage, "policy");
	const policy = join(directory, "policy");
	if (!plan.replaces) disk.move(fresh, policy);
	else if (exchange(fresh, policy)) sleep(GRACE);
	else replaceEach(fresh, policy);
}

function moveAll(names: readonly Bytes[], from: Bytes, to: Bytes): void {
	for (const name of names) disk.move(join(from, name), join(to, name));
}

/**
 * Carry out a plan. A shim without a policy would take its tool away, so those that go are removed before the policy is
 * swapped and those that come are put up after it: at no time is a tool broken, whenever we are killed.
 */
function apply(system: System, directory: Bytes, plan: Plan, binary: Bytes): void {
	const stage = join(directory, stageName(system));
	try {
		prepare(stage, plan, binary);
		moveAll(plan.removed, directory, join(stage, "removed"));
		if (plan.files) swap(stage, directory, plan);
		moveAll([...plan.added, ...plan.pointed], join(stage, "links"), directory);
		disk.syncDirectory(directory);
	} catch (error) {
		moveAll(disk.namesIn(join(stage, "removed")), join(stage, "removed"), directory);
		throw error;
	} finally {
		if (disk.kindAt(stage) !== undefined) disk.removeTree(stage);
	}
}

/** Run `act` while no other build works on the directory; false when another one does for too long. */
export function alone(system: System, directory: Bytes, act: () => void): boolean {
	const started = Date.now();
	while (!system.locked(directory, act)) {
		if (Date.now() - started > PATIENCE) return false;
		sleep(PAUSE);
	}
	return true;
}

/** What became of an installation. */
export type Installed = Plan | "busy";

const changesNothing = (plan: Plan) => !plan.files && plan.added.length + plan.pointed.length + plan.removed.length === 0;

/** Make a directory hold what is wanted. Throws what node:fs throws; then it is as it was. */
export function install(system: System, path: Bytes, wanted: Wanted): Installed {
	const made = disk.makeShimDirectory(path);
	// The lock is taken on the directory itself, by a name that is no link.
	const directory = system.real(path, true) ?? path;
	let plan: Plan | undefined;
	const act = () => {
		if (system.exact) for (const name of disk.namesIn(directory)) if (isStage(name)) disk.removeTree(join(directory, name));
		plan = planOf(system, directory, wanted);
		if (plan.conflicts.length === 0 && !changesNothing(plan)) apply(system, directory, plan, wanted.binary);
	};
	try {
		// Without libc there is no flock(2): such a build relies on each of its steps being one rename.
		if (system.exact) alone(system, directory, act);
		else act();
	} catch (error) {
		if (made) disk.removeEmpty(path);
		throw error;
	}
	return plan ?? "busy";
}

/** What `install` would do. */
export function preview(system: System, path: Bytes, wanted: Wanted): Plan {
	return planOf(system, system.real(path, true) ?? path, wanted);
}
