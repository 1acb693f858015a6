// What the runtime below us would obey: no variable and no file of the caller's makes the shim run foreign code, and the tool still runs.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { BINARY } from "../support/binary.ts";
import { type Box, makeBox, PATIENCE, RAN, script, shims } from "../support/box.ts";
import { type Env, run } from "../support/shell.ts";

setDefaultTimeout(PATIENCE);

let box: Box;
let env: Env;
let mark: string;

/** The tool prints that it ran, and the value of one variable. */
const TOOL = `printf '${RAN.replace("\n", "\\n")}'; eval "printf '%s' \\"\\\${$1-unset}\\""`;

beforeAll(() => {
	box = makeBox();
	mark = `${box.base}/foreign-code-ran`;
	const tool = script(`${box.base}/real/rm`, TOOL);
	env = { PATH: shims(box, tool, ["rm"]), TMX_ROOTS: box.root, HOME: box.home };
	const evil = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");\n`;
	for (const name of ["evil.js", "evil.ts", "evil.cjs", "index.ts", "add.ts"]) writeFileSync(`${box.root}/${name}`, evil);
	writeFileSync(`${box.root}/evil.toml`, `preload = [${JSON.stringify(`${box.root}/evil.js`)}]\n`);
	writeFileSync(`${box.root}/evil.env`, `TMX_ROOTS=${box.outside}\n`);
});
afterAll(() => {
	box.remove();
});

/** Call the shim with an operand inside and one outside, both with this environment. */
async function both(more: Env, cwd = box.root) {
	rmSync(mark, { force: true });
	const name = Object.keys(more)[0] ?? "TMX_ROOTS";
	const call = (word: string) => run([`${env.PATH}/rm`, name, word], { ...env, ...more }, cwd);
	return { inside: await call(`${box.root}/a`), outside: await call(`${box.outside}/f`) };
}

/** The call is judged, the tool runs, the variable reaches it, and nothing else ran. */
async function unmoved(name: string, value: string): Promise<void> {
	const { inside, outside } = await both({ [name]: value });
	expect(inside).toEqual({ status: 0, stdout: RAN + value, stderr: "" });
	expect([outside.status, outside.stdout]).toEqual([2, ""]);
	expect(existsSync(mark)).toBe(false);
}

describe("BUN_OPTIONS", () => {
	test.each([
		"--preload=./evil.ts",
		"-r ./evil.cjs",
		"--import=./evil.js",
		"--config=./evil.toml",
		"-c=evil.toml",
		"--version",
		"--revision",
		"--help",
		"-e 0",
		"--eval 0",
		"-p 0",
		"--cwd=/",
		"--env-file=./evil.env",
		"--no-orphans",
		"--cpu-prof",
		"--inspect-brk",
		"--smol --no-such-option",
		"",
	])("%s", (value) => unmoved("BUN_OPTIONS", value));
});

describe("other switches of the runtime", () => {
	test.each([
		["BUN_BE_BUN", "1"],
		["BUN_INSPECT", "ws://127.0.0.1:1/x?break=1"],
		["BUN_INSPECT_CONNECT_TO", "127.0.0.1:1"],
		["BUN_INSPECT_NOTIFY", "unix:///no/such/socket"],
		["BUN_INSPECT_PRELOAD", "./evil.js"],
		["BUN_FEATURE_FLAG_NO_ORPHANS", "1"],
		["BUN_CONFIG_FILE", "./evil.toml"],
		["BUN_RUNTIME_TRANSPILER_CACHE_PATH", "."],
		["BUN_TMPDIR", "/no/such"],
		["BUN_DEBUG_QUIET_LOGS", "0"],
		["JSC_SIGNAL_FOR_GC", "10"],
		["NODE_OPTIONS", "--require=./evil.cjs --import=./evil.js"],
		["NODE_PATH", "."],
		["NODE_CHANNEL_FD", "3"],
		["NODE_V8_COVERAGE", "coverage"],
		["NODE_ENV", "production"],
		["NODE_TLS_REJECT_UNAUTHORIZED", "0"],
		["FORCE_COLOR", "1"],
	])("%s", (name, value) => unmoved(name, value));
});

describe("the engine's own options", () => {
	test.each([
		["BUN_JSC_noSuchOption", "1"],
		["BUN_JSC_useJIT", "maybe"],
		["BUN_JSC_useJIT", "0"],
		["BUN_JSC_watchdog", "1"],
		["BUN_JSC_logGC", "1"],
		["BUN_JSC_dumpOptions", "1"],
		["BUN_JSC_maxPerThreadStackUsage", "1"],
		["BUN_JSC_useJITDump", "1"],
		["BUN_JSC_functionOverrides", "/no/such"],
		["BUN_JSC_", ""],
	])("%s=%s", (name, value) => unmoved(name, value));
});

test("no file is left behind by any of them", async () => {
	const { readdirSync } = await import("node:fs");
	const known = ["add.ts", "evil.cjs", "evil.env", "evil.js", "evil.toml", "evil.ts", "index.ts"];
	expect(readdirSync(box.root).sort()).toEqual(known);
});

describe("files that a runtime would read", () => {
	/** A directory full of what Bun and Node look for. */
	function hostile(directory: string): void {
		mkdirSync(`${directory}/node_modules/consola`, { recursive: true });
		const evil = `${box.root}/evil.js`;
		const files: Record<string, string> = {
			".env": `TMX_ROOTS=${box.outside}\nPATH=/no/such\n`,
			".env.local": `TMX_ROOTS=${box.outside}\n`,
			".env.production": `TMX_ROOTS=${box.outside}\n`,
			"bunfig.toml": `preload = ["${evil}"]\n[run]\nbun = true\n`,
			".bunfig.toml": `preload = ["${evil}"]\n`,
			"tsconfig.json": '{"compilerOptions":{"paths":{"*":["./evil.ts"]},"jsx":"react","jsxImportSource":"./evil.ts"}}\n',
			"package.json": `{"imports":{"#ffi":"${evil}"},"main":"${evil}","scripts":{"rm":"touch ${mark}","preinstall":"touch ${mark}"}}\n`,
			".npmrc": "node-options=--require=./evil.js\n",
			"node_modules/consola/index.js": `require("${evil}")\n`,
			"node_modules/consola/package.json": '{"name":"consola","main":"index.js"}\n',
		};
		for (const [name, text] of Object.entries(files)) writeFileSync(`${directory}/${name}`, text);
	}

	test("in the working directory, in HOME and in the XDG directories", async () => {
		const cwd = `${box.root}/hostile`;
		const config = `${box.base}/config`;
		for (const directory of [cwd, box.home, config]) hostile(directory);
		const { inside, outside } = await both({ XDG_CONFIG_HOME: config }, cwd);
		expect(inside).toEqual({ status: 0, stdout: RAN + config, stderr: "" });
		expect(outside.status).toBe(2);
		expect(existsSync(mark)).toBe(false);
	});

	test("nor does the command line read them", async () => {
		const cwd = `${box.root}/hostile`;
		const plain = await run([BINARY, "--version"], { PATH: "/usr/bin:/bin", HOME: "/" }, "/");
		const there = await run([BINARY, "--version"], { PATH: "/usr/bin:/bin", HOME: box.home, BUN_OPTIONS: "--preload=../evil.js" }, cwd);
		expect(there).toEqual(plain);
		expect(there.status).toBe(0);
		expect(existsSync(mark)).toBe(false);
	});
});
