// Random calls of each tool but find: its options as rows, and which operands it is given.

import type { Bytes } from "../../src/policy/bytes.ts";
import { ROOT } from "./farm.ts";
import type { Spelling } from "./paths.ts";
import type { Random } from "./random.ts";
import { arrange, type Chosen, choose, type Row } from "./spelling.ts";

const BACKUPS = ["none", "off", "numbered", "t", "existing", "nil", "simple", "never"];
const SUFFIXES = [".bak", "~", "/../../O/D/z", "/x", "", ".b/c", "--"];

/** Options of every tool that puts one thing where another was. */
const COPYING: readonly Row[] = [
	["b", ""],
	["", "backup", "optional", BACKUPS],
	["S", "suffix", "required", SUFFIXES],
	["v", "verbose"],
	["f", "force"],
	["i", "interactive"],
	["T", "no-target-directory"],
];

const ROWS: Record<string, readonly Row[]> = {
	rm: [
		["f", "force"],
		["r", "recursive"],
		["R", "recursive"],
		["d", "dir"],
		["v", "verbose"],
		["i", ""],
		["I", ""],
		["", "interactive", "optional", ["never", "once", "always", "no", "yes"]],
		["", "one-file-system"],
		["", "preserve-root", "optional", ["all"]],
	],
	mv: [...COPYING, ["n", "no-clobber"], ["u", "update"], ["", "strip-trailing-slashes"]],
	cp: [
		...COPYING,
		["a", "archive"],
		["r", "recursive"],
		["R", "recursive"],
		["d", ""],
		["P", "no-dereference"],
		["L", "dereference"],
		["H", ""],
		["n", "no-clobber"],
		["u", "update"],
		["l", "link"],
		["s", "symbolic-link"],
		["p", ""],
		["x", "one-file-system"],
		["", "attributes-only"],
		["", "parents"],
		["", "remove-destination"],
		["", "strip-trailing-slashes"],
		["", "preserve", "optional", ["mode", "all", "links"]],
		["", "no-preserve", "required", ["mode"]],
		["", "sparse", "required", ["never"]],
		["", "reflink", "optional", ["auto"]],
	],
	ln: [...COPYING, ["s", "symbolic"], ["s", "symbolic"], ["n", "no-dereference"], ["r", "relative"], ["L", "logical"], ["P", "physical"]],
	install: [
		...COPYING.filter(([short]) => short !== "f" && short !== "i"),
		["d", "directory"],
		["D", ""],
		["m", "mode", "required", ["700", "u+w"]],
		["C", "compare"],
		["p", "preserve-timestamps"],
		["c", ""],
	],
	tee: [
		["a", "append"],
		["i", "ignore-interrupts"],
		["p", ""],
		["", "output-error", "optional", ["warn", "exit"]],
	],
	touch: [
		["a", ""],
		["m", ""],
		["c", "no-create"],
		["h", "no-dereference"],
		["t", "", "required", ["202001010101"]],
		["d", "date", "required", ["2020-01-01", "yesterday"]],
		["r", "reference", "required", ["a", `${ROOT}/../O/f`, "lf"]],
		["f", ""],
	],
	mkdir: [
		["p", "parents"],
		["p", "parents"],
		["v", "verbose"],
		["m", "mode", "required", ["700", "u+w"]],
	],
	rmdir: [
		["p", "parents"],
		["v", "verbose"],
		["", "ignore-fail-on-non-empty"],
	],
	unlink: [],
	shred: [
		["f", "force"],
		["n", "iterations", "required", ["1"]],
		["s", "size", "required", ["16"]],
		["u", ""],
		["", "remove", "optional", ["unlink", "wipe", "wipesync"]],
		["v", "verbose"],
		["x", "exact"],
		["z", "zero"],
	],
	truncate: [
		["c", "no-create"],
		["o", "io-blocks"],
		["r", "reference", "required", ["a", `${ROOT}/../O/f`]],
		["s", "size", "required", ["0", "+1", "-1", "10"]],
	],
	chmod: [
		["R", "recursive"],
		["c", "changes"],
		["f", "silent"],
		["v", "verbose"],
		["", "reference", "required", ["a", `${ROOT}/../O/f`]],
		["", "preserve-root"],
	],
	chown: [
		["R", "recursive"],
		["h", "no-dereference"],
		["H", ""],
		["L", ""],
		["P", ""],
		["c", "changes"],
		["f", "silent"],
		["", "from", "required", ["0", "root:root"]],
		["", "reference", "required", ["a", `${ROOT}/../O/f`]],
		["", "dereference"],
	],
};

/** The tools that this file makes calls of. */
export const PLAIN_TOOLS = [...Object.keys(ROWS), "dd"];

function operandsOf(tool: string, spelling: Spelling, random: Random): Bytes[] {
	const several = () => random.several(1, random.chance(0.15) ? 4 : 2, () => spelling.any());
	if (tool === "chmod") return [random.pick(["600", "u+w", "-x", "a=r", "755", "-w", "+t"]), ...several()];
	if (tool === "chown") return [random.pick(["0", "root", "0:0", "root:", ":0", "+0"]), ...several()];
	if (tool === "unlink") return [spelling.any()];
	if (!["mv", "cp", "ln", "install"].includes(tool)) return random.chance(0.02) ? [] : several();
	const last = random.chance(0.5) ? spelling.directory() : spelling.any();
	const sources = random.weighted([
		[7, 1],
		[2, 2],
		[1, 3],
	]);
	const operands = random.several(sources, sources, () => spelling.any());
	// A later source that leads through where an earlier one comes to stand.
	if (sources > 1 && random.chance(0.15)) operands[1] = `${last}/${operands[0]}/${random.pick(["f", "x", "D/x"])}`;
	return random.chance(0.03) ? operands : [...operands, last];
}

/** mv, cp, ln and install may name the directory first. */
function target(tool: string, spelling: Spelling, random: Random): Chosen[] {
	if (!["mv", "cp", "ln", "install"].includes(tool) || !random.chance(0.25)) return [];
	const row = (): Chosen => ({ short: "t", long: "target-directory", takes: "required", value: spelling.directory() });
	return random.chance(0.04) ? [row(), row()] : [row()];
}

/** The words behind the tool's name. */
export function plainWords(tool: string, spelling: Spelling, random: Random): Bytes[] {
	if (tool === "dd") return ddWords(spelling, random);
	const options = [...choose(random, ROWS[tool] ?? [], tool === "rm" ? 0.25 : 0.1), ...target(tool, spelling, random)];
	if (tool === "truncate" && options.length === 0) options.push({ short: "s", long: "size", takes: "required", value: "0" });
	return arrange(random, options, operandsOf(tool, spelling, random));
}

function ddWords(spelling: Spelling, random: Random): Bytes[] {
	const words = [`if=${random.chance(0.3) ? "/dev/zero" : spelling.any()}`, "bs=1", "count=2", "status=none"];
	for (const path of random.several(0, 2, () => spelling.any())) words.push(`of=${path}`);
	if (random.chance(0.3)) words.push(`conv=${random.pick(["notrunc", "excl", "nocreat"])}`);
	if (random.chance(0.1)) words.unshift("--");
	return random.chance(0.3) ? words.reverse() : words;
}
