// One case: a tree, a working directory, an environment and a call, all from a seed and a number.

import type { Bytes } from "../../src/policy/bytes.ts";
import { plainWords } from "./calls.ts";
import { BASE, type Farm, makeFarm, OTHER, OUTSIDE, ROOT, SECOND, type Step } from "./farm.ts";
import { findWords } from "./find-calls.ts";
import { Spelling } from "./paths.ts";
import { Random } from "./random.ts";
import { type Node, pathOf, type Tree } from "./tree.ts";

export interface Case {
	index: number;
	tool: string;
	steps: Step[];
	tree: Tree;
	/** The session's directories, real paths. */
	roots: Bytes[];
	/** A real path. */
	cwd: Bytes;
	/** What is set beside PATH. */
	env: Record<string, Bytes>;
	argv: Bytes[];
}

const SETTINGS: readonly Record<string, Bytes>[] = [
	{ POSIXLY_CORRECT: "1" },
	{ POSIXLY_CORRECT: "" },
	{ VERSION_CONTROL: "numbered" },
	{ SIMPLE_BACKUP_SUFFIX: "/../../O/z" },
	{ PWD: OUTSIDE },
];

/** Which directories are the session's, as its variables say it. */
function chooseRoots(random: Random, farm: Farm): { roots: Bytes[]; env: Record<string, Bytes> } {
	const real = (path: Bytes) => {
		const place = farm.tree.target(path);
		return typeof place === "string" || place.node?.kind !== "directory" ? [] : [pathOf(farm.tree.root, place.node)];
	};
	const texts = random.weighted<Bytes[]>([
		[30, [ROOT]],
		[2, [ROOT, OTHER]],
		[2, [ROOT, SECOND]],
		[1, [`${ROOT}/`]],
		[1, [`${OUTSIDE}/../R/.`]],
		[1, [ROOT, `${ROOT}/sub`]],
		[1, [`${ROOT}/li`, `${ROOT}/sub`]],
		[1, ["R", ROOT]],
	]);
	const absolute = texts.filter((text) => text.startsWith("/"));
	const roots = [...new Set(absolute.flatMap(real))];
	if (!random.chance(0.03)) return { roots, env: { TMX_ROOTS: texts.join(":") } };
	return { roots: [...new Set([...roots, ...real(SECOND)])], env: { TMX_ROOTS: texts.join(":"), TMX_PARENT: `${SECOND}/p` } };
}

function chooseDirectory(random: Random, farm: Farm): Bytes {
	const path = random.weighted<() => Bytes>([
		[12, () => ROOT],
		[4, () => farm.somewhere(ROOT)],
		[2, () => OUTSIDE],
		[1, () => BASE],
		[1, () => farm.somewhere()],
	])();
	// process.chdir takes text, so a working directory has an ASCII name. What is mounted over it may hold no such place.
	const place = farm.tree.target(path);
	const there = typeof place !== "string" && place.node?.kind === "directory";
	return there && /^[ -~]*$/.test(path) ? path : ROOT;
}

/** Tools that walk a tree, or copy it. */
const WALKERS = ["find", "mv", "cp", "chmod", "chown"];

/** The tools that are drawn when the command line names none. */
export const DEFAULT_TOOLS = ["find", "mv", "rm", "find", "mv"];

/** Case number `index` of a seed. */
export function makeCase(seed: number, index: number, tools: readonly string[]): Case {
	const random = new Random(seed, index);
	const tool = tools[index % tools.length] as string;
	const farm = makeFarm(random, !WALKERS.includes(tool));
	const { roots, env } = chooseRoots(random, farm);
	const cwd = chooseDirectory(random, farm);
	if (random.chance(0.12)) Object.assign(env, random.pick(SETTINGS));
	const spelling = new Spelling(farm, cwd);
	if (tool !== "find") {
		const words = plainWords(tool, spelling, random);
		return { index, tool, steps: farm.steps, tree: farm.tree, roots, cwd, env, argv: [tool, ...words] };
	}
	const { words, lists } = findWords(spelling, random);
	for (const { path, content } of lists) farm.file(path, content);
	return { index, tool, steps: farm.steps, tree: farm.tree, roots, cwd, env, argv: [tool, ...words] };
}

/** The roots as files of the model. */
export function rootNodes(found: Case): Set<Node> {
	const nodes = found.roots.map((path) => found.tree.target(path));
	return new Set(nodes.flatMap((place) => (typeof place !== "string" && place.node ? [place.node] : [])));
}
