// Makes a random tree: directories, files and links of every kind, in the session's directories, beside them and across devices.

import type { Bytes } from "../../src/policy/bytes.ts";
import { join, parentOf } from "../../src/policy/resolve.ts";
import type { Random } from "./random.ts";
import { everything, type Node, newNode, pathOf, Tree } from "./tree.ts";

/** One step of making the tree on disk, in order. */
export type Step =
	| { make: "directory"; path: Bytes }
	| { make: "file"; path: Bytes; content: Bytes }
	| { make: "link"; path: Bytes; to: Bytes }
	| { make: "hard"; path: Bytes; to: Bytes }
	| { make: "mount"; path: Bytes; to: Bytes };

/** The places of every case; the box has nothing else that can be written. */
export const BASE = "/fz/c";
export const ROOT = `${BASE}/R`;
export const OUTSIDE = `${BASE}/O`;
export const SECOND = `${BASE}/S`;
/** Another file system. */
export const OTHER = "/fx/c";

const PLAIN = ["a", "b", "c", "d", "e", "f", "g", "sub", "x", "y", "D"];
const ODD: readonly Bytes[] = [
	"-x",
	"-rf",
	"--help",
	"-t",
	"-tD",
	"--",
	"-",
	"!q",
	"(p",
	"!",
	"(",
	")",
	",",
	"sp ace",
	"new\nline",
	"\xff\xfe",
	"caf\xc3\xa9",
	"\xe9",
	"{}",
	"a{}",
	"-delete",
	";",
	"+",
	"..x",
	"...",
	".h",
	"*",
	"[a]",
	"~",
	"$HOME",
	"'",
	'"',
	"\\",
	"a:b",
	"of=x",
	"R",
	"Rx",
];

export const anyName = (random: Random): Bytes => (random.chance(0.8) ? random.pick(PLAIN) : random.pick(ODD));

export class Farm {
	readonly tree = new Tree();
	readonly steps: Step[] = [];
	/** Paths of the directories made so far, for things to be put into. */
	readonly #directories: { path: Bytes; node: Node }[] = [];

	/** @param whole whether something may lead to the whole system, where a walk takes very long */
	constructor(
		readonly random: Random,
		readonly whole: boolean,
	) {}

	directory(path: Bytes): void {
		const node = this.#put(path, newNode("directory"));
		if (node === undefined) return;
		this.steps.push({ make: "directory", path });
		this.#directories.push({ path, node });
	}

	file(path: Bytes, content = "x\n"): void {
		if (this.#put(path, newNode("file"))) this.steps.push({ make: "file", path, content });
	}

	link(path: Bytes, to: Bytes): void {
		if (!this.whole && this.#isWhole(to.startsWith("/") ? to : join(parentOf(path), to))) return;
		if (to !== "" && this.#put(path, newNode("link", to))) this.steps.push({ make: "link", path, to });
	}

	hard(path: Bytes, to: Bytes): void {
		const old = this.tree.target(to, false);
		if (typeof old === "string" || old.node === undefined || old.node.kind === "directory") return;
		if (path.slice(0, 4) === to.slice(0, 4) && this.#put(path, old.node)) this.steps.push({ make: "hard", path, to });
	}

	/** Show `to` at `path`; both are there and of one kind. */
	mount(path: Bytes, to: Bytes): void {
		const at = this.tree.entry(path);
		const from = this.tree.entry(to);
		if (typeof at === "string" || typeof from === "string" || at.node === undefined || from.node === undefined) return;
		if (at.node === from.node || at.node.kind !== from.node.kind || at.node.kind === "link") return;
		at.node.mounted = from.node;
		this.steps.push({ make: "mount", path, to });
	}

	/** Whether a path leads to the system's own root directory. */
	#isWhole(path: Bytes): boolean {
		const place = this.tree.target(path);
		return typeof place !== "string" && place.node === this.tree.root;
	}

	/** Whether a call may name this path. */
	bearable = (path: Bytes): boolean => this.whole || !this.#isWhole(path);

	/** A directory that is there. */
	somewhere(below = ""): Bytes {
		const fitting = this.#directories.filter(({ path }) => path.startsWith(below));
		return this.random.pick(fitting).path;
	}

	/** The path of something that is there. */
	something(below = ""): Bytes {
		const found = [...everything(this.tree.root, "")].filter(({ path }) => path.startsWith(below) && path.split("/").length > 3);
		return found.length === 0 ? ROOT : this.random.pick(found).path;
	}

	#put(path: Bytes, node: Node): Node | undefined {
		const place = this.tree.entry(path);
		if (typeof place === "string") {
			if (path.split("/").length > 2) return undefined;
			return this.tree.add(this.tree.root, path.slice(1), node);
		}
		if (place.node !== undefined || place.name === "") return undefined;
		return this.tree.add(place.directory, place.name, node);
	}

	/** The text of a link in the directory `from` that leads to `to`, absolute or climbing. */
	textTo(from: Bytes, to: Bytes): Bytes {
		const { random } = this;
		if (random.chance(0.5)) return to;
		const place = this.tree.target(from);
		const real = typeof place === "string" || place.node === undefined ? from : pathOf(this.tree.root, place.node);
		const here = real.split("/").slice(1);
		const there = to.split("/").slice(1);
		let same = 0;
		while (same < here.length && same < there.length - 1 && here[same] === there[same]) same++;
		const text = [...here.slice(same).map(() => ".."), ...there.slice(same)].join("/");
		return random.chance(0.1) ? `./${text.replace("/", "//")}` : text;
	}
}

/** What a link may say. */
function linkText(farm: Farm, directory: Bytes): Bytes {
	const { random } = farm;
	const to = random.weighted<() => Bytes>([
		[4, () => farm.something(OUTSIDE)],
		[4, () => farm.something(ROOT)],
		[2, () => farm.something()],
		[2, () => farm.somewhere()],
		[1, () => join(farm.somewhere(), "none")],
		[1, () => `${farm.something()}/${random.pick(["", ".", "..", "x", "../f"])}`],
	])();
	return random.weighted<() => Bytes>([
		[12, () => farm.textTo(directory, to)],
		[1, () => random.pick([".", "..", "/", "../..", "loop", "../", "./a/", "/dev/null"])],
		[1, () => anyName(random)],
	])();
}

/** The links that stand in nearly every case. */
function classics(farm: Farm): void {
	const rows: [Bytes, Bytes][] = [
		["ld", OUTSIDE],
		["lD", `${OUTSIDE}/D`],
		["lf", `${OUTSIDE}/f`],
		["dang", `${OUTSIDE}/none`],
		["loop", "loop"],
		["li", "d"],
		["l2", "ld"],
		["up", ".."],
		["din", "none"],
		["la", "a"],
	];
	for (const [name, to] of farm.random.some(rows, 0.6)) farm.link(`${ROOT}/${name}`, to.startsWith("/") ? farm.textTo(ROOT, to) : to);
}

function places(farm: Farm): void {
	const { random } = farm;
	for (const path of ["/fz", "/fx", BASE, OTHER, ROOT, OUTSIDE, `${OUTSIDE}/D`, `${BASE}/H`]) farm.directory(path);
	for (const path of [`${ROOT}x`, SECOND]) if (random.chance(0.3)) farm.directory(path);
	for (const name of ["d", "d/e", "sub"]) if (random.chance(0.85)) farm.directory(`${ROOT}/${name}`);
	for (const name of ["a", "b", "d/x", "d/f", "d/e/g"]) if (random.chance(0.8)) farm.file(`${ROOT}/${name}`);
	for (const name of ["f", "D/x", "D/f"]) farm.file(`${OUTSIDE}/${name}`);
	if (random.chance(0.3)) farm.file(`${OUTSIDE}/p\xffq`);
	if (random.chance(0.3)) farm.file(`${OTHER}/z`);
}

/** A random tree. */
export function makeFarm(random: Random, whole: boolean): Farm {
	const farm = new Farm(random, whole);
	places(farm);
	classics(farm);
	const more = random.weighted([
		[3, 2],
		[4, 6],
		[2, 14],
	]);
	for (let k = 0; k < more; k++) {
		const directory = farm.somewhere(random.chance(0.7) ? ROOT : BASE);
		const path = join(directory, anyName(random));
		random.weighted<() => void>([
			[3, () => farm.directory(path)],
			[3, () => farm.file(path, random.pick(["", "x\n", "k", "yes\nno\n"]))],
			[7, () => farm.link(path, linkText(farm, directory))],
			[0.6, () => farm.hard(path, farm.something())],
		])();
	}
	if (random.chance(0.05)) farm.mount(farm.something(`${ROOT}/`), farm.something(random.chance(0.7) ? OUTSIDE : BASE));
	return farm;
}
