// One launch, decided to the last word before anything is written: the session, its files, the environment and the program.

import type { FloorSettings } from "../floor/settings.ts";
import { stableBinary } from "../guardfile/binary.ts";
import { FLOOR, floorFile, floorSettings } from "../guardfile/floor.ts";
import { MANIFEST, type Manifest } from "../guardfile/manifest.ts";
import type { Bytes } from "../policy/bytes.ts";
import { SESSION_FORMAT } from "../policy/policy.ts";
import { join } from "../policy/resolve.ts";
import type { Failure } from "../sys/exit.ts";
import type { System } from "../sys/system.ts";
import { VERSION } from "../version.ts";
import type { Launched } from "./agents/agent.ts";
import { SESSION_VARIABLE, sessionsAround } from "./around.ts";
import { type Carried, carriersFor, FILES } from "./carriers.ts";
import { hookOf, launched, OWN_ZDOTDIR, shellOf } from "./command-line.ts";
import type { Content } from "./directory.ts";
import { chooseFloor, type FloorChoice, type FloorWish, INNER } from "./floor/choice.ts";
import { placeFor, runtimeDirectory } from "./places.ts";
import { allowedBy, type Base, baseFor, policiesFor } from "./policy.ts";
import { hereOf, processOf } from "./processes.ts";
import { type Program, programOf } from "./program.ts";
import { agentOf } from "./programs.ts";
import { type Found, newName, type Own, RECORD, type Session, SHIMS } from "./record.ts";
import { rootsFor, type SessionRoot } from "./roots.ts";

/** What the command line of `tmx wrap` says. */
export interface Wanted {
	roots: Bytes[];
	policy: Bytes | undefined;
	hook: boolean;
	confine: boolean;
	/** What is said of the floor; undefined leaves it to the guardfile. */
	floor: FloorWish | undefined;
	/** COMMAND and its words. */
	command: readonly Bytes[];
	/** The text of the fragment that confines a shell. */
	fragment: Bytes;
}

/** Everything that a launch does. */
export interface Launch {
	session: Session;
	/** The directory of all sessions, and this one's in it. */
	place: Bytes;
	directory: Bytes;
	base: Base;
	roots: SessionRoot[];
	content: Content;
	/** In the order in which it is set. */
	environment: [name: string, value: Bytes][];
	agent: string | undefined;
	floor: FloorChoice["floor"];
	program: Program;
	argv: Bytes[];
	notes: string[];
}

/** Why there is no launch. */
export interface Refused {
	failure: Failure;
	why: string;
}

/** The ceiling of tasks for a tool shell: builds start some for each processor, and a ceiling that honest work meets is soon taken away. */
const tasksMax = () => String(Math.max(4096, 64 * navigator.hardwareConcurrency));

const wrong = (why: string): Refused => ({ failure: "user_error", why });
const fault = (why: string): Refused => ({ failure: "internal", why });

/** What a session stands on. */
interface Ground {
	base: Base;
	/** The session around this one. */
	nearest: Found | undefined;
	/** What the sessions around this one allow, each of them; none outside of all. */
	outer: Bytes[][];
	own: Own;
}

/** Which policy; and where a session is around this one, its policy, what it leaves to give, and what the person's own values were. */
function groundFor(system: System, named: Bytes | undefined): Ground | Refused {
	const around = sessionsAround(system);
	const [nearest] = around;
	if (nearest !== undefined && named !== undefined) return wrong("--policy has no place within a session: its policy stays in force");
	const base = baseFor(system, nearest ? join(nearest.directory, SHIMS) : named);
	if ("unusable" in base) return named === undefined ? fault(base.unusable) : wrong(base.unusable);
	const env = (name: string) => system.env(name) ?? "";
	const own = nearest?.session.own ?? { bashEnv: env("BASH_ENV"), zdotdir: env("ZDOTDIR"), claudeEnvFile: env("CLAUDE_ENV_FILE") };
	const others = around.slice(1).map(({ directory }) => baseFor(system, join(directory, SHIMS)));
	const unusable = others.find((other) => "unusable" in other);
	if (unusable && "unusable" in unusable) return fault(unusable.unusable);
	const all = nearest === undefined ? [] : [base, ...(others as Base[])];
	return { base, nearest, outer: all.map((one) => allowedBy(system, one)), own };
}

function environmentFor(
	system: System,
	{ confine }: Wanted,
	{ shims, directory, own }: Carried,
	roots: SessionRoot[],
): Launch["environment"] {
	const path = system.env("PATH");
	const tasks = system.env("AGENT_TASKS_MAX") ?? "";
	return [
		["PATH", path === undefined || path === "" ? shims : `${shims}:${path}`],
		["TMX_ROOTS", roots.map(({ real }) => real).join(":")],
		[SESSION_VARIABLE, directory],
		["BASH_ENV", join(directory, FILES.bash)],
		["ZDOTDIR", join(directory, FILES.zsh)],
		[OWN_ZDOTDIR, own.zdotdir],
		...(confine && tasks === "" ? [["AGENT_TASKS_MAX", tasksMax()] as [string, Bytes]] : []),
		...(confine ? [] : [["CONFINE_TOOL_SHELL", "0"] as [string, Bytes]]),
	];
}

function contentFor(base: Base, session: Session, carried: Carried, binary: Bytes, fragment: Bytes, floor: FloorSettings): Content {
	const asFile = (value: unknown): Bytes => `${JSON.stringify(value)}\n`;
	const { id, roots, home } = session;
	const policies = policiesFor(base, id, { roots, home, own: carried.directory }, session.floor === true);
	const tools = [...policies].filter(([name]) => name !== "files").map(([name]) => name);
	const manifest: Manifest = { format: SESSION_FORMAT, version: VERSION, binary, tools, links: base.links, guardfiles: base.guardfiles };
	const files = new Map<Bytes, Bytes>(carriersFor(carried, fragment));
	for (const [name, policy] of policies) files.set(`${SHIMS}/policy/${name}.json`, asFile(policy));
	files.set(`${SHIMS}/policy/${MANIFEST}`, asFile(manifest));
	// What is said of the floor is also for sessions within this one.
	if (floor.guardfile !== "") files.set(`${SHIMS}/policy/${FLOOR}`, floorFile(floor));
	files.set(RECORD, asFile(session));
	return { files, links: new Map(base.links.map((name) => [`${SHIMS}/${name}`, binary])) };
}

function sessionFor(system: System, id: string, roots: SessionRoot[], own: Own, command: readonly Bytes[]): Session {
	const pid = system.pid();
	const self = processOf(system, pid);
	return {
		format: 1,
		id,
		pid,
		start: self?.start ?? "",
		here: hereOf(system),
		terminal: self?.terminal ?? 0,
		home: system.env("HOME") ?? "",
		own,
		roots: roots.map(({ real }) => real),
		command: [...command],
		cwd: system.real(".", true) ?? "",
		since: new Date().toISOString(),
	};
}

/** Where the session shall lie: where nothing that it may change, and no floor around it, is in the way. */
function placeOn(system: System, { base, nearest }: Ground, roots: SessionRoot[], floored: boolean, write: boolean): Bytes | Refused {
	const open = [...roots.map(({ real }) => real), ...allowedBy(system, base), ...(floored ? runtimeDirectory(system) : [])];
	// Under the floor of the session around this one nothing else of its place may be written.
	const first = nearest?.session.floor ? { base: nearest.directory, names: [INNER] } : undefined;
	const none = "neither XDG_RUNTIME_DIR nor the state directory is a directory of this user's that others cannot write";
	return placeFor(system, open, write, first) ?? fault(`there is no place for a session: ${none}`);
}

/**
 * Decide a launch.
 * @param write whether the place for sessions may be made on the way
 */
export async function planOf(system: System, wanted: Wanted, write: boolean): Promise<Launch | Refused> {
	const binary = stableBinary(system);
	if (binary === "") return wrong("a session's shims point at the compiled binary, and this tmx runs from its sources");
	const ground = groundFor(system, wanted.policy);
	if ("failure" in ground) return ground;
	const { base, nearest, outer, own } = ground;
	const settings = floorSettings(system, base.choice.directory);
	if ("unusable" in settings) return fault(settings.unusable);
	const chosen = rootsFor(system, wanted.roots, outer);
	if ("wrong" in chosen) return wrong(chosen.wrong);
	const { roots } = chosen;
	const floor = chooseFloor(system, wanted.floor, nearest?.session.floor ? "on" : settings.default, wanted.command);
	if ("wrong" in floor) return wrong(floor.wrong);
	const place = placeOn(system, ground, roots, floor.floor !== "off", write);
	if (typeof place !== "string") return place;
	const id = newName(system);
	const directory = join(place, id);
	const shims = join(directory, SHIMS);
	const carried: Carried = {
		directory,
		shims,
		tools: base.links,
		pid: system.pid(),
		own,
		confine: wanted.confine ? "each" : "none",
	};
	const agent = await agentOf(wanted.command[0] ?? "");
	const started: Launched | { wrong: string } = agent
		? launched(system, wanted.hook, floor, agent, carried, binary)
		: shellOf([...floor.command], carried);
	if ("wrong" in started) return wrong(started.wrong);
	const { argv, environment: more = [], files = [] } = started;
	if (wanted.confine && started.confine !== undefined) carried.confine = started.confine;
	carried.own = started.own ?? own;
	const hook = agent && hookOf(wanted.hook, agent, shims, binary);
	const session: Session = {
		...sessionFor(system, id, roots, carried.own, wanted.command),
		...(agent && { agent: agent.name }),
		...(hook !== undefined && started.hooked !== false && { hook }),
		...(floor.floor !== "off" && { floor: true as const }),
	};
	const environment = environmentFor(system, wanted, carried, roots);
	for (const [name, value] of more) environment.push([name, value]);
	const path = environment.find(([name]) => name === "PATH")?.[1];
	const content = contentFor(base, session, carried, binary, wanted.fragment, settings);
	return {
		session,
		place,
		directory,
		base,
		roots,
		content: { ...content, files: new Map([...content.files, ...files]) },
		environment,
		agent: agent?.name,
		program: programIn(system, wanted.command[0] ?? "", path, shims, base.links),
		argv,
		floor: floor.floor,
		notes: [...chosen.notes, ...floor.notes, ...(started.notes ?? [])],
	};
}

/** The program; a guarded tool is the session's shim, which stands nowhere yet. */
function programIn(system: System, word: Bytes, path: Bytes | undefined, shims: Bytes, links: readonly Bytes[]): Program {
	return links.includes(word) ? { path: join(shims, word) } : programOf(system, word, path);
}
