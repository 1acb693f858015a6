// What a command would have needed under the floor: it runs without one, under strace(1), and what it wrote elsewhere becomes `write` lines.

import { spawnSync } from "node:child_process";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { createInterface } from "node:readline";
import type { Floor } from "../../floor/floor.ts";
import { placeToOpen, reachOf } from "../../floor/reach.ts";
import { straceWords, type Touched, Trace } from "../../floor/trace.ts";
import { type Bytes, fromText, quote, toText } from "../../policy/bytes.ts";
import { isBelow } from "../../policy/resolve.ts";
import type { Failure } from "../../sys/exit.ts";
import type { System } from "../../sys/system.ts";

/** What a command needed, or why that cannot be told. */
export type Learned = { lines: Line[]; status: number } | { failure: Failure; why: string };

/** One `write` line, or something that none is proposed for. */
export interface Line {
	/** What stands behind `write`; undefined where it would open too much. */
	place: Bytes | undefined;
	/** What was written below it. */
	paths: Bytes[];
}

/** Paths by the place that would open them, a place within another one with that one. */
function gathered(found: ReadonlyMap<Bytes, Bytes[]>, home: Bytes): Line[] {
	const whole = (place: Bytes) => (place.startsWith("~/") ? `${home}${place.slice(1)}` : place);
	const places = [...found.keys()].sort();
	const outermost = places.filter((place) => !places.some((other) => isBelow(whole(place), whole(other))));
	return outermost.map((place) => {
		const within = places.filter((other) => other === place || isBelow(whole(other), whole(place)));
		return { place, paths: [...new Set(within.flatMap((other) => found.get(other) ?? []))].sort() };
	});
}

/** The lines for what a program wrote. */
export function linesFor(system: System, floor: Floor, touched: readonly Touched[], cwd: Bytes): Line[] {
	const home = system.env("HOME") ?? "";
	const found = new Map<Bytes, Bytes[]>();
	const wide = new Set<Bytes>();
	const seen = new Set<string>();
	for (const { path, act } of touched) {
		if (seen.has(`${act} ${path}`)) continue;
		seen.add(`${act} ${path}`);
		const reach = reachOf(system, floor, path, cwd);
		// Opening a file that is there asks for no right to its name, whatever flags it was opened with.
		if (act === "write" ? reach.write : reach.rename || (reach.write && system.kind(reach.target, true) === "file")) continue;
		const place = placeToOpen(system, act === "write" ? { entry: reach.target, target: reach.target } : reach, home);
		const file = system.kind(reach.target, true) === "file" ? reach.target : undefined;
		const named = place ?? (file && placeOfFile(system, file, home));
		if (named === undefined) wide.add(reach.entry);
		else found.set(named, [...(found.get(named) ?? []), reach.entry]);
	}
	return [...gathered(found, home), ...[...wide].sort().map((path) => ({ place: undefined, paths: [path] }))];
}

/** A file that stands straight in a home directory or at the top is opened alone. */
function placeOfFile(system: System, file: Bytes, home: Bytes): Bytes {
	const real = home.startsWith("/") ? (system.real(home, true) ?? home) : "";
	return real !== "" && isBelow(file, real) ? `~${file.slice(real.length)}` : file;
}

/** Run a command under strace. Its standard output goes where its errors go: the lines are ours alone. */
export async function learn(system: System, floor: Floor, words: readonly Bytes[]): Promise<Learned> {
	const texts = words.map(toText);
	if (texts.some((text, k) => /[\udc80-\udcff]/u.test(text) && fromText(text) === words[k])) {
		return { failure: "user_error", why: "a word of the command is not UTF-8, and it cannot be handed to strace so" };
	}
	const cwd = system.real(".", true) ?? "/";
	const scratch = mkdtempSync(joinPath(tmpdir(), "tmx-learn-"));
	try {
		const out = joinPath(scratch, "trace");
		const ran = spawnSync("strace", [...straceWords(out), "--", ...texts], { stdio: ["inherit", 2, 2] });
		if (ran.error !== undefined) {
			const { code } = ran.error as NodeJS.ErrnoException;
			const missing = code === "ENOENT";
			return {
				failure: "user_error",
				why: missing ? "strace is not on PATH; install it, and ask again" : `strace cannot be run (${code})`,
			};
		}
		const trace = new Trace(cwd);
		for await (const line of createInterface({ input: createReadStream(out, "latin1") })) trace.read(line);
		if (!trace.ended) return { failure: "internal", why: "strace could not watch the command; what it said stands above" };
		return { lines: linesFor(system, floor, trace.touched, cwd), status: ran.status ?? 128 };
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}

const more = (paths: readonly Bytes[]) => (paths.length === 1 ? "" : `, and ${paths.length - 1} more`);

/** The lines for a guardfile. */
export function linesText(lines: readonly Line[]): string {
	if (lines.length === 0) return "// it needs nothing besides what is open already\n";
	const said = lines.map(({ place, paths }) => {
		const first = `${quote(paths[0] ?? "")}${more(paths)}`;
		if (place === undefined) return `    // not proposed, since it would open too much: ${first}\n`;
		return `    write ${JSON.stringify(toText(place))} // ${first}\n`;
	});
	return `floor {\n${said.join("")}}\n`;
}
