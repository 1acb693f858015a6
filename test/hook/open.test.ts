// Lines of simple commands that are judged without reading the shell's language: which ones, and that whoever reads them finds nothing either.

import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRefused } from "../../src/hook/finding.ts";
import { judgeLine } from "../../src/hook/line.ts";
import { judgeOpen, PROGRAMS } from "../../src/hook/open.ts";
import { commandsOf, isPlain } from "../../src/hook/plain.ts";
import { Policies } from "../../src/hook/policies.ts";
import { Session } from "../../src/hook/session.ts";
import { worldOfText } from "../../src/hook/world.ts";
import { fromText } from "../../src/policy/bytes.ts";
import { BUILTINS } from "../../src/shell/builtins.ts";
import { SHELLS } from "../../src/shell/shells.ts";
import { INSTEAD } from "../../src/shell/stand-ins.ts";
import { WRAPPERS } from "../../src/shell/wrappers.ts";
import { system } from "../../src/sys/index.ts";
import { Random } from "../fuzz/random.ts";
import { PATIENCE } from "../support/box.ts";
import { corpus } from "./corpus.ts";
import { makeWorld } from "./world.ts";

setDefaultTimeout(PATIENCE);

const box = makeWorld();
afterAll(() => box.box.remove());

/** The policy of the box, whose temporary directory is no root. */
const choice = { directory: fromText(box.shims), how: "named" as const };
const policies = new Policies(system, choice);

function session(): Session {
	const world = { ...worldOfText(system, policies), env: (name: string) => (name === "TMX_ROOTS" ? fromText(box.box.root) : "") };
	return new Session(system, choice, world, fromText(`${box.box.root}/proj`), policies);
}

/** How many things were judged on a line; undefined where it has to be read. */
async function open(line: string): Promise<number | undefined> {
	const commands = commandsOf(fromText(line));
	return commands && (await judgeOpen(fromText(line), commands, session(), false))?.length;
}

/** What reading lines comes to. */
async function readAll(lines: readonly string[]): Promise<string[]> {
	const found: string[] = [];
	for (const line of lines) found.push(...(await read(line)));
	return found;
}

/** What reading a line comes to: what is refused, and what nobody can know. */
async function read(line: string): Promise<string[]> {
	const judged = await judgeLine(fromText(line), session(), false);
	return [...judged.findings.filter(isRefused).map(({ source }) => `refused: ${source}`), ...judged.unclear];
}

const OPEN: [line: string, judged: number][] = [
	["rm -rf build", 1],
	["rm a b && rmdir sub", 2],
	["rm -f *.log a* && ls", 0],
	["rm -rf a*", 1],
	["mkdir -p out/x && touch out/x/y", 2],
	["cp a sub/ && mv b sub/b", 2],
	["git add -A && git commit -qm 'fix: rm -rf /'", 2],
	[`git commit -m "$(cat <<'E'\nfix: \`rm -rf /\`\nE\n)"`, 1],
	["cat > out.txt <<'E'\n$(rm -rf /)\nE", 1],
	["cat <<E > out.txt && chmod +x out.txt\nx\nE", 2],
	["npm test > log.txt 2>&1; tail log.txt", 1],
	["echo x >> a && sed -i 's/x/y/' a", 2],
	["make 2>&1 | tee build.log | tail", 1],
	["cd sub && rm -f x", 1],
	["cd {ROOT}/proj && cd sub && rm -rf build", 1],
	["rm 'a b' c\\ d", 1],
	["rm -rf filelink", 1],
	["touch x &", 1],
	["curl -sSo x localhost", 1],
];

/** One reason each for reading a line. */
const READ: [line: string, why: string][] = [
	["rm ../../o/keep.txt", "a file outside"],
	["ls > {OUT}/x", "a file outside that is written"],
	["rm -rf {ROOT}/proj", "the session's own directory"],
	["touch .claude/settings.json", "where hooks are set up"],
	["rm $X", "a value"],
	["rm ~/x", "a home"],
	["rm -rf nothing*", "a pattern that nothing matches"],
	["rm -rf sub/[ab]", "a pattern of another form"],
	["rm -rf */x", "a pattern of directories"],
	["cp a* sub", "a pattern for another tool than rm"],
	["rm '*'*", "a pattern that is quoted in part"],
	["cd nowhere && rm a", "a directory that is not there"],
	["cd .. && rm x", "a directory above"],
	["cd sub/../.. && rm x", "the same behind another one"],
	["cd && rm x", "the home directory"],
	["cd - && rm x", "the directory before"],
	["cd link; rm f1", "a link that leads out"],
	["mkdir x && cd x && touch y", "a directory that is made"],
	["cd sub && cd .. && rm x", "the same in two steps"],
	["rm -rf sub && cd sub", "a directory that may be gone"],
	["cd sub | rm x", "a shell in a pipeline"],
	["cd sub & rm x", "a shell in the background"],
	["true || cd sub && rm ../x", "a directory that it may not have gone to"],
	["touch filelink", "a link that leads out"],
	["git -C sub add x", "git elsewhere"],
	["git -c core.editor='rm -rf /' commit", "git with a setting"],
	["git rebase -x 'rm -rf /' main", "git that runs something"],
	["git config x y", "git that may set something"],
	["find . -delete", "find"],
	["awk '{print > \"x\"}'", "awk"],
	["env rm a", "a tool that runs another"],
	["/bin/rm a", "a tool by its path"],
	["A=1 rm a", "a variable that is set"],
	["rm a; bash x", "a shell"],
	['echo x > "$F"', "a file that is not known"],
	["rm {a,b}", "braces"],
	["(rm a)", "a subshell"],
	[`echo a${" && echo a".repeat(40)} > x`, "many commands"],
];

test("no program of those is one that runs another, a shell, or a built-in", () => {
	const special = (tool: string) => [WRAPPERS, BUILTINS, INSTEAD].some((table) => Object.hasOwn(table, tool)) || SHELLS.has(tool);
	expect([...PROGRAMS].filter(special)).toEqual([]);
});

test("each of them is guarded by the default guardfile", () => {
	const standard = new Policies(system, { directory: "", how: "built-in" });
	expect([...PROGRAMS, "git"].filter((tool) => standard.tool(tool) === undefined)).toEqual([]);
});

describe("a line is judged as it stands", () => {
	for (const [line, count] of OPEN.filter(([, judged]) => judged > 0))
		test(line, async () => expect(await open(box.fill(line))).toBe(count));
});

describe("a line is read for", () => {
	for (const [line, why] of READ) test(`${why}: ${line.slice(0, 60)}`, async () => expect(await open(box.fill(line))).toBeUndefined());
	test("a directory that nobody knows", async () => {
		const line = fromText("rm a");
		const nowhere = new Session(system, choice, session().world, undefined, policies);
		expect(await judgeOpen(line, commandsOf(line) ?? [], nowhere, false)).toBeUndefined();
	});
});

const SOME = "rm mv cp ln touch mkdir tee chmod git cd sed cat echo ls rmdir install sort tar truncate".split(" ");
const WORDS = [
	..."a b sub sub/x build filelink link link/f1 dang ../a ../../o ../../o/keep.txt {OUT}/keep.txt {OUT} {ROOT}/tmp {ROOT}/proj . .. / ~ a* * *".split(
		" ",
	),
	..."-r -rf -s -f -t -T -i -o -a -p -R -C -x --target-directory=sub -- add commit checkout clean -fdx mv rm reset --hard -m x".split(" "),
	..."'a b' \"x y\" s/x/y/ w 755 +x -n >x >>sub/y >{OUT}/x 2>/dev/null >link/z <a >filelink".split(" "),
	...["2>&1", "&>z", ">|a", "$X", '"$HOME"', "a\\ b", ".claude/settings.json", "link/../a", "{ROOT}/proj/sub/../../../o/x"],
];
const OPERATORS = [" && ", " || ", "; ", " | ", "\n", " & ", " && ", " && "];

function randomLine(random: Random): string {
	const command = () => [random.pick(SOME), ...Array.from({ length: 1 + random.below(4) }, () => random.pick(WORDS))].join(" ");
	return Array.from({ length: 1 + random.below(4) }, command).reduce((line, next) => line + random.pick(OPERATORS) + next);
}

/** The lines of the corpora that need no variables. */
const LINES = ["lines.txt", "everyday.txt", "leaving.txt"]
	.flatMap((file) => corpus(readFileSync(join(import.meta.dir, file), "utf8")))
	.flatMap(({ cases }) => cases.filter(({ env }) => Object.keys(env).length === 0).map(({ command }) => box.fill(command)));
const SHORT = LINES.filter(({ length }) => length < 400);
const TOKENS = SHORT.flatMap((line) => line.split(/(?<=[ ;&|\n])|(?=[ ;&|\n])/));

/** What means something to a shell. */
const BITS = [
	..."' \" \\ # ; & | > < 2> &> ~ * .. / $X { } ( ) $( ` && || ! = ./".split(" "),
	...[
		"\n",
		" ",
		"\t",
		"\r",
		"\\\n",
		"<<E\n",
		"\nE\n",
		"<<'E'",
		"<<-E\n",
		"\"$(cat <<'E'\n",
		')"',
		"cd ..",
		"cd sub && ",
		" > ../x",
		"rm ",
		"\u00e9",
	],
];

/** A line with something put in, taken out, or put elsewhere. */
function changed(line: string, random: Random): string {
	let text = line;
	for (let turns = 1 + random.below(4); turns > 0; turns--) {
		const at = random.below(text.length + 1);
		const [before, behind] = [text.slice(0, at), text.slice(at)];
		const ways = [
			() => before + random.pick(BITS) + behind,
			() => before + random.pick(BITS) + random.pick(BITS) + behind,
			() => before + random.pick(TOKENS) + behind,
			() => before + behind.slice(1 + random.below(3)),
			() => behind + random.pick([" ", "; ", " && ", "\n"]) + before,
		];
		text = random.pick(ways)();
	}
	return text;
}

describe("who reads such a line finds nothing against it", () => {
	/** Those of the lines that are judged as they stand. */
	async function areOpen(lines: readonly string[]): Promise<string[]> {
		const found: string[] = [];
		for (const line of lines) if (((await open(line)) ?? 0) > 0) found.push(line);
		return found;
	}
	const filled = OPEN.map(([line]) => box.fill(line));
	test("of the lines above", async () => expect(await readAll(filled)).toEqual([]));
	test("of the corpora", async () => {
		const found = await areOpen(LINES);
		expect(found.length).toBeGreaterThan(50);
		expect(await readAll(found)).toEqual([]);
	});
	test("of lines of the corpora in which something was changed", async () => {
		const random = new Random(20261202, 0);
		const found: string[] = [];
		for (let k = 0; k < 30_000; k++) {
			const line = changed(random.pick(SHORT), random);
			const commands = commandsOf(fromText(line));
			if (commands && (isPlain(commands, policies) || (await open(line)) !== undefined)) found.push(line);
		}
		expect(found.length).toBeGreaterThan(500);
		const refused = await readAll(found);
		expect(refused.filter((text) => text.startsWith("refused"))).toEqual([]);
	});
	test("of random lines", async () => {
		const random = new Random(20261201, 0);
		const found = await areOpen(Array.from({ length: 4000 }, () => box.fill(randomLine(random))));
		expect(found.length).toBeGreaterThan(200);
		expect(await readAll(found)).toEqual([]);
	});
});
