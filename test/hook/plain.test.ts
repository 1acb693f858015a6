// Command lines that need no reading: which ones they are, and that whoever reads them after all finds nothing in them.

import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { judgeLine } from "../../src/hook/line.ts";
import { commandsOf, isPlain, TOOLS } from "../../src/hook/plain.ts";
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
import { corpus } from "./corpus.ts";
import { makeWorld } from "./world.ts";

const box = makeWorld();
afterAll(() => box.box.remove());

const choice = { directory: "", how: "built-in" as const };
const policies = new Policies(system, choice);
const plainUnder = (line: string, those: Policies) => {
	const commands = commandsOf(fromText(line));
	return commands !== undefined && isPlain(commands, those);
};
const plain = (line: string) => plainUnder(line, policies);

const PLAIN = [
	"ls",
	"  ls -la src  ",
	"npm test",
	"npm test -- --coverage 2>&1 | tail -20",
	"cd sub && cargo build --release && cargo test 2>/dev/null; echo done",
	'grep -rn "foo (bar)" src --include=*.ts | head -5',
	"cat a.txt b.txt | wc -l",
	"ls *.ts ~/x",
	"make -j4 > /dev/null 2>&1",
	"make >/dev/null &",
	"git status",
	"git log --oneline -5 && git diff HEAD~1 -- src/a.ts",
	"git show HEAD:src/a.ts | head -40",
	"git grep -n -i 'x' -- src | head",
	"cmake -S . -DCMAKE_BUILD_TYPE=Release && make -j4",
	"sed -n '10,40p' src/a.ts",
	"sed -n 5p a b",
	"find . -name '*.ts' -newer a -type f",
	"[ -f package.json ] && cat package.json || echo none",
	"python3 -c 'import os; print(os.getcwd())'",
	"pwd\nls\n\nls -la\n",
	"echo 'rm -rf / && $(rm -rf ~) `x`'",
	"jq '.a | .b' x.json",
	"echo café",
	'npm run build; echo "exit: $?"',
	`echo $HOME "\${USER} in $PWD"`,
	"# all of them\nls -la   # here\npwd",
	'grep -rn "foo\\|bar" src',
	'echo "a\\"; rm b"',
	"echo a\\ b \\; ls",
	"go test ./... \\\n  -run X",
	"timeout 60 npm test",
	"set -euo pipefail; make && exit 0",
	"curl -s -o /dev/null -w '%{http_code}' http://localhost:3000/x",
	"curl -sS -X POST -H 'a: b' -d @body.json localhost",
	"CI=1 NODE_ENV=test npm test",
	"LC_ALL=C TZ=UTC sort -rnk2 -t, a | uniq -c",
	"./scripts/test.sh --fast && ./gradlew build",
	"node_modules/.bin/jest src",
	`sed -E 's/^[a-z]+\\/(.*)/\\1/g' a | sed 's|/|:|'`,
	"sed -n 's#a/b#c#p' a",
	`awk -F: '{ print $1, $NF }' /etc/passwd | sort -u`,
	`awk -v n=3 'NR == n { print "line", $0 }' a`,
	"ps aux | sort -k 3 -rn | head -5",
	"ls < a",
	"ls 3>&1 2>&-",
	"cat <<E\nrm -rf /\nE",
	"cat <<'E' | head -n 3\n$(rm -rf /)\n`x`\nE\nls",
	"cat <<-E\n\trm -rf /\n\tE\nls",
	"cat <<A <<B\nx\nA\ny\nB\nls",
	`echo "$(cat <<'E'\nfix: no \`rm -rf $HOME\`\n\n- "x"\nE\n)"`,
	"grep x <<< 'rm -rf /'",
	"ls >/dev/null&&ls|wc -l;ls",
];

/** One reason each for reading a line. */
const READ: [line: string, why: string][] = [
	["rm a", "a tool that is guarded"],
	["env ls", "a tool that runs another"],
	["./x", "a program that nobody knows"],
	["./x.sh > x", "a script on a line that writes something"],
	["/bin/rm a", "a guarded tool by its path"],
	["/bin/sh x.sh", "a shell by its path"],
	["./env ls", "a tool that runs another by its path"],
	["'ls'", "a name in quotes"],
	["A=1 ls", "a variable that nobody knows"],
	["TMX_ROOTS=/ ls", "a variable that roots are taken from"],
	["TMX_ROOTS=/make", "the same to a value that ends like a tool"],
	["PATH=. ls", "where tools are looked for"],
	["CI=1", "a variable that stays set"],
	["CI=$(rm a) ls", "a substitution in its value"],
	["CI=1 rm a", "a guarded tool behind a variable"],
	["ls > out", "a file that is written"],
	["ls >> /dev/null.txt", "a name that only begins like the device"],
	["ls >/dev/null/../x", "a path behind the device"],
	["$X ls", "a tool that is not known"],
	["find . $X", "a variable that may be an option"],
	["ls $$", "a parameter of another form"],
	[`ls \${X:-a}`, "an expansion that does more than give a value"],
	["ls $'a'", "quotes of another form"],
	["ls $(rm a)", "a substitution"],
	["ls `rm a`", "the same in the old form"],
	['echo "$(rm a)"', "a substitution between quotes"],
	["echo <(rm a)", "a process"],
	["\\ls", "an escape in a tool's name"],
	["find . \\-delete", "an escape in an option"],
	['echo "a\\\\"; rm b', "a quote that an escape does not go on"],
	["echo a\\", "an escape of nothing"],
	["echo 'a", "a quote that does not end"],
	["{ ls; }", "a group"],
	["(ls)", "a subshell"],
	["ls {a,b}", "braces"],
	["! ls", "a word of the language"],
	["for f in a; do ls; done", "a loop"],
	["if true; then ls; fi", "a branch"],
	["ls a#b; rm c", "a mark that is no comment"],
	["ls a\\\n#b; rm c", "a mark that is no comment where a word goes on"],
	["git diff -\\\n-output=x", "an option that goes on in the next line"],
	["ls # a\nrm b", "what follows a comment"],
	["ls ;; ls", "an operator without a command"],
	["| ls", "the same at the beginning"],
	["find . -delete", "find that removes"],
	["find . '-del'ete", "the same in quotes"],
	["find . -exec ls {} +", "find that runs something"],
	["find * -name x", "names that may look like options"],
	["git -C ../x status", "git elsewhere"],
	["git add -A", "git that changes something"],
	["git diff --output=x", "git that writes a file"],
	["git log '--output' x", "the same in quotes"],
	["git grep -O'rm a' x", "git that hands files to a program"],
	["git grep -nO x", "the same among other letters"],
	["git grep --open-files-in-pager=rm x", "the same as a word"],
	["cmake -E rm a", "cmake that does what other tools do"],
	["cmake -S . -B build && cmake --build build -j4", "cmake with the directory of its files"],
	["tree -ao list .", "tree with a file for its list"],
	["gh repo clone o/x", "gh that calls git"],
	["ruby -i.bak x.rb a", "ruby that changes files in place"],
	["sed -n 1p -i a", "sed that changes a file"],
	["sed -n '1p;w x' a", "sed that writes a file"],
	["sed '5p;d' a", "another script of sed"],
	["sed s/a/b/w a", "a flag that writes a file"],
	["sed 's/a/id/e' a", "a flag that runs what was replaced"],
	["sed 's/a/b/;w x' a", "a command behind it"],
	["sed s/a/b a", "one that does not end"],
	["sed 's/a/b/\nw x' a", "a command in its second line"],
	["sed -i s/a/b/ a", "files that are changed in place"],
	["sed -f x a", "a script that nobody sees"],
	[`awk '{ print > "x" }' a`, "awk that writes a file"],
	[`awk '{ print | "sh" }' a`, "awk that hands lines to a program"],
	[`awk 'BEGIN { system("rm a") }'`, "awk that runs something"],
	[`awk 'BEGIN { "rm a" | getline }'`, "the same to read from it"],
	["awk -f x a", "a program of awk that nobody sees"],
	["awk -i inplace '{ print }' a", "files that gawk changes in place"],
	["sort -o x a", "sort that writes a file"],
	["sort -uo x a", "the same among other letters"],
	["uniq a b", "uniq that writes a file"],
	["npm exec -- rm a", "npm that runs another tool"],
	["npm x rm a", "the same, shorter"],
	["bun exec 'rm a'", "bun that runs a line"],
	["yarn 'dlx' rimraf a", "the same of yarn"],
	["test -v 'a[$(rm b)]'", "an index that is evaluated"],
	["curl -o x localhost", "curl that writes a file"],
	["curl -w '%output{x}a' localhost", "the same by a format"],
	["curl -sO localhost/x", "the same under its own name"],
	["printf -v A x", "printf that sets a variable"],
	["timeout 5 rm a", "timeout before a tool that is guarded"],
	["timeout -s KILL 5 ls", "timeout with options"],
	["set -- a", "set that sets parameters"],
	["exit $(rm a)", "exit with a substitution"],
	["xargs ls", "a tool that runs what it reads"],
	["bash -c ls", "a shell"],
	["eval ls", "a line for the shell"],
	["export A", "a built-in that changes the shell"],
	["ls \0", "a NUL"],
	["ls\r", "a character that is neither blank nor part of a word"],
	[`ls ${"a ".repeat(20_000)}`, "a long line"],
	["cat <<E\n$(rm a)\nE", "a here-document in which something is expanded"],
	["cat <<E\nx\nE \nrm a", "a here-document that does not end"],
	["cat <<'E'\nx\nE\nrm a", "what follows a here-document"],
	["cat <<E >x\ny\nE", "a file that is written from a here-document"],
	["cat <<E; rm a\nx\nE", "what stands behind a here-document's word"],
	["bash <<E\nrm a\nE", "a here-document for a shell"],
	["cat <<$X\nx\n$X", "a here-document with another word"],
	["cat <<-E\n\tE\n\trm a", "a here-document that ends behind tabs"],
	[`echo "$(cat <<'E'\nx\nE\nrm a\nE\n)"`, "a message that ends before its last line of that name"],
	[`echo "$(cat <<E\n$(rm a)\nE\n)"`, "a message in which something is expanded"],
	[`echo "$(cat <<'E'\nx\nE\n; rm a)"`, "a substitution that does more than give a message"],
	["ls >&x", "both outputs into a file"],
	["ls <>x", "a file that is opened for both"],
	["ls >|x", "a file that is written whatever is set"],
	["ls &>x", "both outputs in the other form"],
	["ls 2>x", "a file that errors are written to"],
	["ls &>>x", "the same at its end"],
	["ls {x}>y", "a descriptor that gets a name"],
	["ls > x#y", "a mark that is no comment in a target"],
	["ls 2>&1#x; rm a", "the same behind a copy"],
];

/** Built-ins and wrappers among the tools, each of which does no more than it says, or is plain without the words that matter. */
const HARMLESS = ["cd", "test", "npm", "pnpm", "yarn", "bun", "cmake", "rg", "gh", "node"];

test("no tool of those is one that runs another, a shell, or a built-in that changes what is read", () => {
	const special = (tool: string) => [WRAPPERS, BUILTINS, INSTEAD].some((table) => Object.hasOwn(table, tool)) || SHELLS.has(tool);
	expect(
		[...TOOLS, "npm", "pnpm", "yarn", "bun", "cmake", "test", "sed", "curl", "find"].filter(
			(tool) => special(tool) && !HARMLESS.includes(tool),
		),
	).toEqual([]);
});

describe("a line is plain", () => {
	for (const line of PLAIN) test(line, () => expect(plain(line)).toBe(true));
});

describe("a line is read for", () => {
	for (const [line, why] of READ) test(`${why}: ${line.slice(0, 60)}`, () => expect(plain(line)).toBe(false));
	test("a tool that the guardfile in force wraps", () => {
		const wrapping = Object.assign(new Policies(system, choice), { tool: () => ({ unusable: "for this test" }) });
		expect(["ls", "git status", "find ."].filter((line) => plainUnder(line, wrapping))).toEqual([]);
	});
	test("a tool whose guardfile reads it otherwise", () => {
		const policy = policies.tool("rm");
		const otherwise = Object.assign(new Policies(system, choice), { tool: () => policy });
		expect(["git status", "find .", "sed -n 1p a"].filter((line) => plainUnder(line, otherwise))).toEqual([]);
	});
});

/** What reading lines comes to. */
async function readAll(lines: readonly string[]): Promise<string[]> {
	const found: string[] = [];
	for (const line of lines) found.push(...(await read(line)));
	return found;
}

/** What reading a line after all comes to. */
async function read(line: string): Promise<string[]> {
	const cwd = fromText(`${box.box.root}/proj`);
	const world = { ...worldOfText(system, policies), env: (name: string) => (name === "TMX_ROOTS" ? fromText(box.box.root) : "") };
	const judged = await judgeLine(fromText(line), new Session(system, choice, world, cwd, policies), false);
	return [...judged.findings.filter(({ verdict }) => verdict.decision === "deny").map(({ source }) => source), ...judged.unclear];
}

const SOME =
	"ls cat grep echo cd test [ npm yarn git find sed make python3 rm sh env true curl printf timeout set exit bun awk sort uniq ./x.sh /bin/ls CI=1 A=1".split(
		" ",
	);
const WORDS = [
	...`-n 1p '5,9p' -delete '-delete' -exec . .. / ~ /etc *.ts 'a b' "x y" "a" -- -i -la status log diff --output=/x --output show add`.split(
		" ",
	),
	..."a=b x exec run -rf ] -f $HOME `a` > >/dev/null 2>&1 2>/dev/null >&2 <a >x {a,b} # 'it $? $X -o /dev/null -w 5 -s e#f -v".split(" "),
	..."s/a/b/ s/a/b/w s/a/b/gp s|a|b| s/a/b -F: -F '{print}' '{print>\"x\"}' -k2 -k -t, -o -uo -c x=1 PATH=. 's/x/y/e' '/a/d'".split(" "),
	...[String.raw`a\b`, String.raw`\;`, String.raw`"\\"`, String.raw`"a\"b"`, '"$X"', "'$(rm -rf /)'", String.raw`\d`],
];
const OPERATORS = [" && ", " || ", "; ", " | ", "\n", " & ", ";", " ;; ", " |& "];

function randomLine(random: Random): string {
	const command = () => [random.pick(SOME), ...Array.from({ length: random.below(4) }, () => random.pick(WORDS))].join(" ");
	return Array.from({ length: 1 + random.below(3) }, command).reduce((line, next) => line + random.pick(OPERATORS) + next);
}

describe("who reads a plain line finds nothing in it", () => {
	test("of the lines above", async () => expect(await readAll(PLAIN)).toEqual([]));
	test("of the corpus", async () => {
		const text = readFileSync(join(import.meta.dir, "lines.txt"), "utf8");
		const lines = corpus(text).flatMap(({ cases }) => cases.map(({ command }) => box.fill(command)));
		const found = lines.filter(plain);
		expect(found.length).toBeGreaterThan(5);
		expect(await readAll(found)).toEqual([]);
	});
	test("of random lines", async () => {
		const random = new Random(20261130, 0);
		const found = Array.from({ length: 6000 }, () => randomLine(random)).filter(plain);
		expect(found.length).toBeGreaterThan(300);
		expect(await readAll(found)).toEqual([]);
	});
});
