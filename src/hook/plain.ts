// Command lines that need no reading, which are most of what an agent runs: words in the open, and tools that look, build or test.

import type { Bytes } from "../policy/bytes.ts";
import { baseOf } from "../policy/resolve.ts";
import { BINS } from "../tools/packages.ts";
import type { Policies } from "./policies.ts";
import { type Simple, scan } from "./scan.ts";
import { ESCAPE, PATTERN, type Scanned, VALUE } from "./scan-word.ts";

/**
 * Tools that nobody wraps by default, that are no word of the shell's language, and that run no command which is named by their words.
 * Whether they write is not asked: without a policy of theirs it would not be judged either.
 */
export const TOOLS: ReadonlySet<string> = new Set(
	(
		"cat ls head tail wc grep egrep fgrep rg echo pwd true false sleep cd date whoami id uname nproc which du df stat file diff cmp " +
		"basename dirname realpath readlink seq tr cut nl od md5sum sha256sum cksum ps pgrep jq tsc eslint jest vitest biome prettier pytest " +
		"ruff mypy black cargo rustc go gofmt make ninja node python python3 pip pip3 deno java javac gradle mvn ruby php dotnet " +
		"docker kubectl terraform gh shellcheck " +
		"tree bat less more man printenv hostname uptime free lsof ss netstat ping dig base64 strings nm objdump ldd comm join paste fold fmt " +
		"column expr bc yes tac rev kill pkill killall redis-cli mongosh aws gcloud az heroku vercel netlify systemctl " +
		"journalctl tsx ts-node turbo next vite webpack rollup esbuild playwright cypress mocha ava tap c8 stylelint oxlint tsup isort flake8 " +
		"pylint coverage tox nox rake rails rspec rubocop composer phpunit phpstan swift xcodebuild gcc g++ cc clang clang++ ld ar meson bazel " +
		"helm clippy-driver"
	).split(" "),
);

/** Scripts of a project, and the starters of its build. What they do is in no command line. */
const SCRIPT = /^[\w./@+-]*\/(?:[\w@.+-]+\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php)|gradlew|mvnw|configure)$/;

/** Variables that change what a tool prints or how it tests, and nothing about which files are meant. */
const ASSIGNED: ReadonlySet<string> = new Set(
	"CI NODE_ENV DEBUG LOG_LEVEL FORCE_COLOR NO_COLOR RUST_LOG RUST_BACKTRACE PYTHONPATH PYTHONUNBUFFERED TZ LANG LC_ALL CGO_ENABLED".split(
		" ",
	),
);

/** A tool that is plain with some words only. Its words are put together with a NUL, without their quotes. */
interface Row {
	/** The reader that its policy must name: it is guarded, and these words are known to name nothing that it changes. */
	reader?: string;
	/** What the words must be. */
	is?: RegExp;
	/** What may not be among them. */
	never?: RegExp;
}

/** In an index, test(1) of bash runs a substitution even where it was quoted. */
const TESTED: Row = { never: /[$`]/ };

/** What a program has among its words that does more than look, in Python and JavaScript. */
const DOES =
	"open\\(|exec|eval|compile|Function|__|shutil|subprocess|child_|fs-extra|rimraf|zx|Sync|unlink|rm|rename|File|mkdir|link|Stream|spawn|write_|touch|to_|" +
	"extract|save|dump|remove|replace|truncate|ch(m|o)|makedirs|system|os\\.[^gpel]|[DB](eno|un)\\.";
/** Interpreters, by options with the text of a program that do not pass whatever it is; and what may stand on standard input. */
const programIn = (options: string, texts = "(?!)"): RegExp =>
	new RegExp(
		`^(?!--?(V|v|version|h|help)$)(-[^\\0]*(\\0|$))*$|(^|\\0)(-|${options})(\\0|$)|(^|\\0)(${texts})\\0[^\\0]*(${DOES})|/(dev|proc)/`,
	);
/** A row whose pattern is made when it is asked for: making it takes longer than most rows do. */
const scripted = (never: () => RegExp): Row => ({
	get never() {
		return never();
	},
});
const COMPILERS: Row = { never: /(^|\0)(-o|-M[FJ]|--out)/ };
const BUNDLERS: Row = { never: /(^|\0)-(o|d(\0|$)|-out|-file|-dir|-decl|-meta)/i };
const PYTHON: Row = scripted(() =>
	programIn(
		"-m\\0(?!(pytest|unittest|mypy|flake8|pylint|http\\.server)(\\0|$))[^\\0]*|--(basetemp|junit|html|log-file|report)[^\\0]*",
		"-[a-zA-Z]*c",
	),
);
const NODE: Row = scripted(() => programIn("-|eval|([^\\0]*\\/)?node_modules\\/[^\\0]*", "-p?e|-p|--eval|--print"));
const FIXERS: Row = { never: /(^|\0)(--(fix|write|apply|auto|output)|-[aAw](\0|$)|-o|format(\0|$))/ };
const FORMATTERS: Row = { is: /(^|\0)(--check(-only)?|--diff|--version)(\0|$)/ };
const PIP: Row = { never: /(^|\0)(-(?!-)[^\0]*[tdw]|--(target|prefix|root|src|dest|wheel))/ };

/** Runners of a project's scripts, which also start its programs by their names. */
const STARTER: Row = scripted(
	() => new RegExp(`(^|\\0)((exec|dlx|create|${BINS.replaceAll(" ", "|")})(\\0|$)|-C|--(dir|cwd|prefix|modules))`),
);
const BUN: Row = scripted(
	() =>
		new RegExp(
			"^(?!--?(V|v|version|h|help)$)(-[^\\0]*(\\0|$))*$|/(dev|proc)/|--cwd|" +
				`(^|\\0)(exec|x|create|c|-|-e|-p|--eval|--print|${BINS.replaceAll(" ", "|")})(\\0|$)`,
		),
);
const REPORTER: Row = { never: /(^|\0)--(basetemp|junit|html|log-file|report-log|output|coverage\S*dir|cacheD)/i };

const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
	["gcc", COMPILERS],
	["g++", COMPILERS],
	["cc", COMPILERS],
	["clang", COMPILERS],
	["clang++", COMPILERS],
	["ld", COMPILERS],
	["rustc", COMPILERS],
	["tsc", BUNDLERS],
	["vite", BUNDLERS],
	["webpack", BUNDLERS],
	["rollup", BUNDLERS],
	["esbuild", BUNDLERS],
	["python", PYTHON],
	["python3", PYTHON],
	["node", NODE],
	["deno", NODE],
	["tsx", NODE],
	["ts-node", NODE],
	["ruby", scripted(() => programIn("-[a-zA-Z]*e|-[a-zA-Z]*i[^\\0]*"))],
	["php", scripted(() => programIn("-[rRBE]"))],
	["pip", PIP],
	["pip3", PIP],
	["eslint", FIXERS],
	["stylelint", FIXERS],
	["oxlint", FIXERS],
	["rubocop", FIXERS],
	["biome", FIXERS],
	["prettier", FIXERS],
	["ruff", FIXERS],
	["black", FORMATTERS],
	["isort", FORMATTERS],
	["gofmt", { never: /(^|\0)-[a-z]*w/ }],
	["go", { never: /\0-(o|\w*profile|trace|outputdir)/ }],
	["cargo", { never: /(^|\0)(new|init|--(target-dir|root|artifact-dir))/ }],
	["javac", { never: /(^|\0)-[dsh]/ }],
	["ar", { is: /^-?[tp][vO]*(\0|$)/ }],
	["base64", { never: /(^|\0)(-(?!-)[^\0]*o|--o)/ }],
	["docker", { never: /(^|\0)(cp(\0|$)|-(?!-)[^\0]*o|--(output|iidfile|metadata-file))/ }],
	["kubectl", { never: /(^|\0)cp(\0|$)/ }],
	["terraform", { never: /(^|\0)(--?(out|state|backup)|fmt)/ }],
	["helm", { never: /(^|\0)(-(?!-)[^\0]*d|--(output-dir|destination|untardir))/ }],
	["gh", { never: /(^|\0)(download|clone)(\0|$)/ }],
	["aws", { never: /(^|\0)s3(\0|$)/ }],
	["redis-cli", { never: /(^|\0)--rdb/ }],
	["rg", { never: /(^|\0)--pre/ }],
	["man", { never: /(^|\0)(-[^\0-]*P|--pager)/ }],
	// Rules in a word or on standard input; those in a file of the project are no part of the line.
	["make", { never: /(^|\0)(--ev|-[^\0-]*E|(-[^\0-]*f|--(make)?file)[\0=]?(-(\0|$)|\/(dev|proc)\/))/ }],
	["test", TESTED],
	["[", TESTED],
	["printf", { never: /(^|\0)-/ }],
	["exit", { is: /^\d*$/ }],
	["set", { is: /^[-+][a-z]+(\0pipefail)?$/ }],
	["npm", { never: /(^|\0)((exec|x)(\0|$)|(create|init|innit)\0(?!-)|--p(refix|ack-)|-C)/ }],
	["pnpm", STARTER],
	["yarn", STARTER],
	["pytest", REPORTER],
	["jest", REPORTER],
	["vitest", REPORTER],
	["playwright", { never: /(^|\0)(screenshot|pdf|codegen)(\0|$)|\0--output/ }],
	["coverage", { never: /\0-(o|d|-directory)/ }],
	["composer", { never: /(^|\0)(-d|--working)/ }],
	["rails", { never: /(^|\0)(new|runner|r)(\0|$)/ }],
	["dotnet", { never: /(^|\0)(-o|--output)/ }],
	["bun", BUN],
	["cmake", { never: /(^|\0)(-E(\0|$)|-B|--(build|prefix))/ }],
	["tree", { never: /(^|\0)-[^\0-]*o/ }],
	[
		"git",
		{
			reader: "git",
			// `git grep -O` hands what it finds to a program.
			never: /^grep(\0[^\0]*)*\0(-[^-\0]*O|--op)/,
			is: /^(remote\0-v|(status|log|diff|show|ls-files|ls-tree|rev-parse|blame|grep|describe|cat-file)(\0(?!--ou)[^\0]*)*)$/,
		},
	],
	[
		"find",
		{
			reader: "find",
			is: /^(([^-\0][^\0]*|-([LHPoa]|not|i?name|i?path|i?regex|type|m(ax|in)depth|newer|size|[amc](time|min)|empty|prune|print0?|ls|quit))(\0|$))*$/,
		},
	],
	[
		"sed",
		{
			reader: "sed",
			// Lines that are printed, and one `s` command without the flags `w` and `e`.
			is: /^(-[nEr]+\0)?(\d+(,(\d+|\$))?[pd]|s(?<by>[/|#,:])(\\[^\0\n]|(?!\k<by>)[^\\\0\n])*\k<by>(\\[^\0\n]|(?!\k<by>)[^\\\0\n])*\k<by>[gIip\d]*)(\0[^-\0][^\0]*)*$/,
		},
	],
	// A program that prints into files or pipes, or runs something, needs one of these.
	["awk", { reader: "awk", is: /^(-F(\0)?[^-\0][^\0]*\0|-v\0\w+=[^\0]*\0)*[^-\0][^\0]*(\0[^-\0][^\0]*)*$/, never: /[>|@]|system|getline/ }],
	["sort", { reader: "sort", is: /^((-[bdfghinMRrsuVz]+|-[bdfghinMRrsuVz]*[kt]\0?[^-\0][^\0]*|[^-\0][^\0]*)(\0|$))*$/ }],
	["uniq", { reader: "makers", is: /^(-[cdiuz]+)?$/ }],
	["curl", { reader: "curl", is: /^((-[sSfLkivIgG46]+|-[XHdmuAew]|-o\0\/dev\/null|[^-\0][^\0]*)(\0|$))*$/, never: /%output/ }],
]);

/** A longer line is not worth a try. */
const LONGEST = 20_000;

/** Whether the words of a row's tool are known to the last: without values and escapes, and where options matter without patterns. */
function areKnown(words: readonly Scanned[], { reader }: Row): boolean {
	const open = reader === undefined ? VALUE | ESCAPE : VALUE | ESCAPE | PATTERN;
	for (const { marks } of words) if (marks & open) return false;
	return true;
}

/** Whether a tool is guarded, if at all, by the reader that its row is about. */
function isGuardedAs(tool: Bytes, reader: string | undefined, policies: Policies): boolean {
	const policy = policies.tool(tool);
	if (policy === undefined || reader === undefined) return policy === undefined;
	if ("unusable" in policy) return false;
	for (const { operands } of policy.gates) if (operands !== reader) return false;
	return true;
}

/** The words behind the first as a row sees them. */
function textOf(words: readonly Scanned[]): Bytes {
	let text = "";
	for (let k = 1; k < words.length; k++) text += k === 1 ? (words[k] as Scanned).text : `\0${(words[k] as Scanned).text}`;
	return text;
}

/** Whether the words behind the first are as a row wants them. */
function fits(words: readonly Scanned[], row: Row): boolean {
	const text = textOf(words);
	return areKnown(words, row) && row.is?.test(text) !== false && row.never?.test(text) !== true;
}

/** Whether a word in front of a command sets a variable that matters to nobody here. */
function isHarmless({ text }: Scanned, policies: Policies): boolean {
	const equals = text.indexOf("=");
	const name = equals < 0 ? "" : text.slice(0, equals);
	return ASSIGNED.has(name) && !policies.rootVariables().includes(name);
}

/** Whether one command needs no judgement, its redirections aside. */
export function isPlainCommand(words: readonly Scanned[], policies: Policies): boolean {
	const [first, second] = words;
	if (first === undefined) return false;
	if (second !== undefined && isHarmless(first, policies)) return isPlainCommand(words.slice(1), policies);
	if (first.marks !== 0) return false;
	const tool = first.text;
	if (tool === "timeout" && words.length > 2 && /^\d+[smh]?$/.test(second?.text ?? "") && policies.tool(tool) === undefined)
		return isPlainCommand(words.slice(2), policies);
	const row = ROWS.get(tool);
	if (row === undefined && !TOOLS.has(tool)) return false;
	if (!isGuardedAs(tool, row?.reader, policies)) return false;
	return row === undefined || fits(words, row);
}

/** The simple commands of a line that is worth a look; undefined for one that has to be read. */
export const commandsOf = (text: Bytes): Simple[] | undefined => (text.length > LONGEST ? undefined : scan(text));

/** Whether a command is a script or a program by its path: on a line that writes nothing, so that it is not this line's own. */
function isOwnProgram(words: readonly Scanned[], policies: Policies): boolean {
	const [first] = words;
	// With a `=` in it the word may set a variable.
	if (first === undefined || first.marks !== 0 || !first.text.includes("/") || first.text.includes("=")) return false;
	const base = baseOf(first.text);
	if (policies.tool(base) !== undefined) return false;
	const row = ROWS.get(base);
	if (row !== undefined) return row.reader === undefined && fits(words, row);
	return TOOLS.has(base) || SCRIPT.test(first.text);
}

/** Whether nothing in a command line need be judged. It says no to whatever it does not know. */
export function isPlain(commands: readonly Simple[], policies: Policies): boolean {
	for (const { words, writes } of commands)
		if (writes.length > 0 || !(isPlainCommand(words, policies) || isOwnProgram(words, policies))) return false;
	return true;
}
