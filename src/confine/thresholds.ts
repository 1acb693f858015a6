// What the monitor acts on: thresholds that somebody set, and the one scope that each of them points at. Pure.

import type { Scope } from "./scopes.ts";

/** What is set; nothing is set by default. */
export interface Thresholds {
	/** Bytes in one scope. */
	memory?: number;
	/** Tasks in one scope. */
	tasks?: number;
	/** Processors that one scope keeps busy, over `over` milliseconds. */
	cpu?: number;
	/** Share of the time in which somebody waited for memory (PSI, `some avg10`), 0 to 1. */
	pressure?: number;
	/** Bytes that must stay free on the disk. */
	disk?: number;
	/** Milliseconds over which processor time is looked at. */
	over: number;
}

/** The machine at this moment. */
export interface Moment {
	/** Milliseconds, of a clock that only goes forward. */
	at: number;
	pressure: number;
	diskFree: number;
}

/** Why a scope is to be stopped, and how to allow more. */
export interface Cause {
	scope: Scope;
	why: string;
	allow: string;
}

const MB = 1024 ** 2;
const mb = (bytes: number) => `${Math.round(bytes / MB)} MB`;
const percent = (share: number) => `${Math.round(share * 100)} %`;

const most = (scopes: readonly Scope[], of: (scope: Scope) => number) =>
	scopes.reduce<Scope | undefined>((best, scope) => (best === undefined || of(scope) > of(best) ? scope : best), undefined);

/** Processor time as it was, for the share since. */
export class History {
	readonly #seen = new Map<string, { at: number; cpu: number }[]>();

	/** Note what each scope has used. */
	note(scopes: readonly Scope[], at: number, over: number): void {
		for (const unit of this.#seen.keys()) if (!scopes.some((scope) => scope.unit === unit)) this.#seen.delete(unit);
		for (const { unit, cpu } of scopes) {
			const seen = this.#seen.get(unit) ?? [];
			seen.push({ at, cpu });
			// The newest one that is old enough stays as the start of the window.
			while ((seen[1]?.at ?? Number.POSITIVE_INFINITY) <= at - over) seen.shift();
			this.#seen.set(unit, seen);
		}
	}

	/** Processors that a scope kept busy over the whole window; 0 while it is not seen for that long. */
	busy({ unit }: Scope, at: number, over: number): number {
		const [first, ...rest] = this.#seen.get(unit) ?? [];
		const last = rest.at(-1);
		if (!first || !last || first.at > at - over) return 0;
		return (last.cpu - first.cpu) / ((last.at - first.at) / 1000);
	}
}

/** What is over a threshold of its own. */
function ownCauses(scopes: readonly Scope[], set: Thresholds, history: History, at: number): Cause[] {
	const causes: Cause[] = [];
	for (const scope of scopes) {
		const busy = history.busy(scope, at, set.over);
		if (set.memory !== undefined && scope.memory > set.memory) {
			causes.push({ scope, why: `uses ${mb(scope.memory)} of memory, more than ${mb(set.memory)}`, allow: "--memory" });
		} else if (set.tasks !== undefined && scope.tasks > set.tasks) {
			causes.push({ scope, why: `has ${scope.tasks} tasks, more than ${set.tasks}`, allow: "--tasks" });
		} else if (set.cpu !== undefined && busy > set.cpu) {
			const why = `kept ${busy.toFixed(1)} processors busy for ${Math.round(set.over / 1000)} s, more than ${set.cpu}`;
			causes.push({ scope, why, allow: "--cpu" });
		}
	}
	return causes;
}

/**
 * What is to be stopped now. Where the whole machine is short of something, it is one scope at a time: the largest by memory, or the
 * one that is the busiest now, since nobody knows who filled the disk.
 */
export function causesOf(scopes: readonly Scope[], set: Thresholds, moment: Moment, history: History): Cause[] {
	const full = scopes.filter(({ pids }) => pids.length > 0);
	const causes = ownCauses(full, set, history, moment.at);
	if (causes.length > 0) return causes;
	const largest = most(full, ({ memory }) => memory);
	if (set.pressure !== undefined && moment.pressure > set.pressure && largest) {
		const why = `is the largest (${mb(largest.memory)}) while the machine waits for memory ${percent(moment.pressure)} of the time, more than ${percent(set.pressure)}`;
		return [{ scope: largest, why, allow: "--pressure" }];
	}
	const busiest = most(full, (scope) => history.busy(scope, moment.at, set.over));
	if (set.disk !== undefined && moment.diskFree < set.disk && busiest) {
		const why = `is the busiest while ${mb(moment.diskFree)} are free on the disk, less than ${mb(set.disk)}`;
		return [{ scope: busiest, why, allow: "--disk" }];
	}
	return [];
}
