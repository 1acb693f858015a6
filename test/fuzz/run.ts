// Runs one case in the box: the tree, the verdict, the real tool under strace, and what came of it.

import * as fs from "node:fs";
import type { Verdict } from "../../src/policy/verdict.ts";
import { type Case, makeCase, rootNodes } from "./case.ts";
import { build, changes, clear, DEEPEST, survey } from "./disk.ts";
import { environmentOf, verdictOf } from "./judging.ts";
import { type Findings, Oracle } from "./oracle.ts";
import { parseTrace, TRACED } from "./strace.ts";
import { everything, type Node, type Tree } from "./tree.ts";
import { shellLine, shellWord } from "./words.ts";

/** What is known of a case when it is over. */
export interface Ran {
	found: Case;
	/** The model as it was before the call. */
	before: { tree: Tree; roots: ReadonlySet<Node> };
	verdict: Verdict;
	/** What the compiled shim answered, when it was asked: 0 or 2. */
	shim: number | undefined;
	status: number | null;
	findings: Findings;
	/** Whether the tool was stopped because it did not end. */
	endless: boolean;
	/** What is different on disk outside the session's directories. */
	changed: string[];
	trace: string;
	/** What the tool printed. */
	said: string;
}

const TRACE = "/trace/out";
const STRACE = `strace -f --seccomp-bpf -e signal=none -y -xx -s 4200 -o ${TRACE} -e trace=${TRACED}`;
const PATH = "/usr/bin:/bin";
/** A tool that takes longer than this hangs. */
const LIMIT_MS = 8_000;

/** The answers to every question, and the starting points of `-files0-from -`. */
export const ANSWERS = "/trace/yes";

function bash(line: string, found: Case) {
	const env = { PATH, LC_ALL: "C", ...environmentOf(found) };
	return Bun.spawnSync(["bash", "-c", line], { env, stdout: "pipe", stderr: "pipe", timeout: LIMIT_MS });
}

/** The environment and the call as one shell line. */
export function callLine(found: Case): string {
	const settings = Object.entries(found.env).map(([name, value]) => `${name}=${shellWord(value)}`);
	return [...settings, shellLine(found.argv)].join(" ");
}

function askShim(found: Case): number {
	const { exitCode, stderr } = bash(`exec /shim/${shellLine([found.tool, ...found.argv.slice(1)])} <${ANSWERS}`, found);
	if (exitCode !== 0 && exitCode !== 2) throw new Error(`the shim ended with ${exitCode}: ${stderr}`);
	return exitCode;
}

/** Names that the model has and the disk has not, or the other way round: then the oracle missed a system call. */
function differences(found: Case, disk: ReadonlyMap<string, { kind: string }>): string[] {
	const { tree } = found;
	const model = new Map([...everything(tree.root, "")].map(({ path, node }) => [path, node.kind]));
	const wrong = [...model].filter(
		([path, kind]) => path.length > 3 && path.length <= DEEPEST && disk.get(path)?.kind !== kind && !underMount(found, path),
	);
	const extra = [...disk.keys()].filter((path) => !model.has(path));
	return [...wrong.map(([path, kind]) => `the model has ${kind} ${path}`), ...extra.map((path) => `the disk has ${path}`)];
}

const underMount = (found: Case, path: string) => found.steps.some((step) => step.make === "mount" && path.startsWith(step.path));

/** Run case `index` of a seed. */
export function runCase(seed: number, index: number, tools: readonly string[], withShim: boolean): Ran {
	const found = makeCase(seed, index, tools);
	build(found.steps);
	process.chdir(found.cwd);
	const verdict = verdictOf(found, "");
	const elsewhere = verdictOf(found, found.cwd);
	// What stands on standard input is another thing for this process than for the shim.
	const shim = withShim && !found.argv.includes("/dev/stdin") ? askShim(found) : undefined;
	fs.rmSync(TRACE, { force: true });
	const before = survey(found.steps);
	const roots = rootNodes(found);
	const ran = bash(`ulimit -t 4; exec ${STRACE} ${shellLine(found.argv)} <${ANSWERS}`, found);
	const after = survey(found.steps);
	const trace = fs.existsSync(TRACE) ? fs.readFileSync(TRACE, "latin1") : "";
	const findings = new Oracle(found.tree, roots, found.cwd, parseTrace(trace)).run();
	findings.faults.push(...differences(found, after));
	if (elsewhere.decision !== verdict.decision)
		findings.faults.push(`with the working directory named the verdict is ${elsewhere.decision}`);
	if (trace === "") findings.faults.push(`strace did not start: ${ran.stderr}`);
	const changed = changes(before, after, found.roots);
	clear(found.steps);
	const untouched = makeCase(seed, index, tools);
	return {
		found,
		before: { tree: untouched.tree, roots: rootNodes(untouched) },
		verdict,
		shim,
		status: ran.exitCode,
		endless: ran.exitedDueToTimeout === true,
		findings,
		changed,
		trace,
		said: `${ran.stdout}${ran.stderr}`,
	};
}
