// The door holds: whatever the text is, there is an answer soon, and what was not read is said.

import { describe, expect, test } from "bun:test";
import { readCommandLine } from "../../src/shell/read.ts";
import { Random } from "../fuzz/random.ts";
import { around } from "./tree.ts";

const LONGEST = 131072;

/** Generous: the machine may be busy. */
const MOST_MILLISECONDS = 2000;

function read(text: string): ReturnType<typeof readCommandLine> {
	const start = performance.now();
	const reading = readCommandLine(text, around);
	expect(performance.now() - start).toBeLessThan(MOST_MILLISECONDS);
	if (reading.exhausted) expect(reading.events.at(-1)?.kind).toBe("unclear");
	return reading;
}

const from = (random: Random, characters: string, length: number) =>
	Array.from({ length }, () => characters[random.below(characters.length)]).join("");

const BYTES = Array.from({ length: 256 }, (_, k) => String.fromCharCode(k)).join("");
const SYNTAX = "$(){}[]|&;<>\"'`\\ \nabc=#*?~!0-+:/";
const WORDS = [
	"if",
	"then",
	"fi",
	"for",
	"in",
	"do",
	"done",
	"case",
	"esac",
	"f()",
	"{",
	"}",
	"(",
	")",
	"$(",
	"`",
	'"',
	"'",
	"<<E\n",
	"\nE\n",
	"&&",
	"|",
	";",
	"x=",
	"$x",
	"cd",
	"eval",
	"sh -c",
	"xargs",
	"read",
	"trap",
	"while",
	"local",
	"[[",
	"]]",
	"((",
	"))",
	"${x",
	"%",
	"\\",
	" ",
];

describe("random text", () => {
	for (const seed of [1, 2, 3]) {
		test(`seed ${seed}`, () => {
			const random = new Random(seed, 0);
			read(from(random, BYTES, LONGEST));
			read(from(random, SYNTAX, LONGEST));
			for (let k = 0; k < 60; k++) read(from(random, SYNTAX, 60));
			for (let k = 0; k < 150; k++) read(Array.from({ length: 25 }, () => random.pick(WORDS)).join(random.chance(0.5) ? " " : ""));
		});
	}
});

describe("text without end", () => {
	const repeated: [string, string][] = [
		["a word", "a"],
		["words", "a "],
		["commands", "echo a;"],
		["a chain", "a && "],
		["a pipe", "a |"],
		["parentheses", "("],
		["backquotes", "`"],
		["backquotes with words", "`a` "],
		["here-documents", "cat <<A\n"],
		["patterns", "echo */*/*/* "],
		["branches", "if a; then b=1; else b=2; fi;"],
		["assignments", "a=$a$a;"],
		["cases", "case a in "],
		["braces", "{a,b}"],
	];
	for (const [name, text] of repeated) test(name, () => void read(text.repeat(LONGEST / text.length)));

	const nested: [string, string, string][] = [
		["substitutions", "$(", ")"],
		["quoted substitutions", '"$(', ')"'],
		["groups", "{ ", ";}"],
		["subshells", "( ", ")"],
		["arithmetic", "$((", "))"],
		["defaults", "${a:-", "}"],
		["branches", "if a; then ", ";fi"],
		["processes", "<(", ")"],
		["braces", "{a,", "}"],
		["tests", "[[ ! ( ", " ) ]]"],
	];
	for (const [name, open, close] of nested) test(`nested ${name}`, () => void read(`echo ${open.repeat(3000)}a${close.repeat(3000)}`));
});

describe("what grows is stopped", () => {
	for (const line of [
		`x=aaaaaaaaaa; ${"x=$x$x; ".repeat(60)} echo $x`,
		"f() { f | f & }; f",
		"f() { g $1$1; g $1$1; }; g() { f $1$1; f $1$1; }; f aaaaaaaaaa",
		'x="eval \\"\\$x\\""; eval "$x"',
		"for i in {1..400}; do for j in {1..400}; do rm $i$j; done; done",
		`${"while a; do ".repeat(20)}x=$x$x${"; done".repeat(20)}`,
		"echo {1..999999999} {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
		`x=${"a".repeat(1000)};${`echo $${"{x%%*a*a*a*b}"};`.repeat(500)}`,
		"while true; do echo x >> y; done",
	]) {
		test(line.slice(0, 60), () => void read(line));
	}
});

test("one megabyte is not read, and said to be not read", () => {
	const text = `rm ${"a".repeat(1 << 20)}`;
	// The best of three: the machine may be busy.
	const times = [1, 2, 3].map(() => {
		const start = performance.now();
		readCommandLine(text, around);
		return performance.now() - start;
	});
	expect(Math.min(...times)).toBeLessThan(100);
	const { events, exhausted } = readCommandLine(text, around);
	expect(exhausted).toBe(true);
	expect(events.map(({ kind }) => kind)).toEqual(["unclear"]);
});

test("a long text with many expansions side by side is read to its end", () => {
	const text = `cat > doc <<'E'\n${`a \${b} $((c)) d\n`.repeat(2000)}E\n`;
	expect(readCommandLine(text, around).exhausted).toBe(false);
	expect(readCommandLine(`echo ${`\${HOME}/x $((1+2)) `.repeat(500)}`, around).exhausted).toBe(false);
});

describe("a long script is read to its end", () => {
	const many = (count: number, line: (k: number) => string) => Array.from({ length: count }, (_, k) => line(k)).join("\n");
	const rows = many(1500, (k) => `name${k} https://example.com/${k}.tgz sub/dir${k}`);
	for (const [name, text] of [
		["rows", `while read -r name url dir; do mkdir -p "$dir"; curl -o "$dir/$name" "$url"; done <<'E'\n${rows}\nE\n`],
		["names", `for f in ${many(1500, (k) => `src/dir${k}/f.ts`)}; do sed -i s/a/b/ "$f"; git add "$f"; done`.replaceAll("\n", " ")],
		["branches", many(600, (k) => `if [ -f f${k} ]; then\n  rm f${k}\nelse\n  touch f${k}\nfi`)],
		["chains", many(1200, (k) => `[ -f f${k} ] && rm f${k}`)],
		["assignments", many(1200, (k) => `V${k}="value ${k}"\necho "$V${k}" >> env`)],
		["counters", many(400, (k) => `if ./t ${k}; then pass=$((pass+1)); else fail=$((fail+1)); fi`)],
		["functions", `t() { local n=$1; got=$(./t "$n"); [ "$got" = "$2" ] || fail=1; }\n${many(300, (k) => `t ${k} "value ${k}"`)}`],
	] as const) {
		test(name, () => expect(read(text).exhausted).toBe(false));
	}
});

describe("among many rows and names", () => {
	const targets = (text: string) =>
		read(text).events.flatMap((event) =>
			event.kind === "call" && event.words[0]?.pieces[0] === "rm" ? [event.words[1]?.pieces.join("")] : [],
		);
	const lines = Array.from({ length: 90 }, (_, k) => `a${k} b${k}`);
	for (const odd of ["x /out/dir", "x ../y", "x -rf", "x b/../../z"]) {
		test(`each is looked at where one is ${odd}`, () => {
			const text = (all: string[]) => `while read -r a b; do rm "$b"; done <<'E'\n${all.join("\n")}\nE\n`;
			expect(targets(text(lines)).length).toBeLessThan(20);
			expect(targets(text([...lines, odd]))).toContain(odd.split(" ")[1]);
			expect(targets(`for b in ${lines.join(" ")} ${odd}; do rm "$b"; done`)).toContain(odd.split(" ")[1]);
		});
	}
});

test("what was read before the bound is kept", () => {
	const { events, exhausted } = readCommandLine(`rm -rf /out; ${"echo a;".repeat(7000)}`, around);
	expect(exhausted).toBe(true);
	expect(events[0]?.kind).toBe("call");
});

test("more operators than can be read are told without reading them; as many characters of data are fine", () => {
	expect(readCommandLine("a|".repeat(9000), around)).toMatchObject({ exhausted: true, events: [{ kind: "unclear" }] });
	expect(readCommandLine(`cat <<'E' > x\n${"| some | `text` | here; and more |\n".repeat(3000)}E`, around).exhausted).toBe(false);
});
