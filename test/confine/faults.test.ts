// Whatever is wrong with the machine, the command runs, soon, and without a word; beside it what the plain way does then.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { eventually, FRAGMENT, ORDINARY, type Ran, Rig, ROOT, UNABLE, WHY_SKIPPED } from "../rig/rig.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { CONFINED, SHELLS } from "./shells.ts";

setDefaultTimeout(120_000);

const PLAIN = join(ROOT, "test/confine/reference.sh");
/** Milliseconds within which the command has to run. */
const SOON = 300;
const TRIES = 6;

/** Prints how long sourcing took in microseconds, its status, and the cgroup. */
const SCRIPT = `if [ -n "\${ZSH_VERSION-}" ]; then zmodload zsh/datetime; fi
s=$EPOCHREALTIME; . "$F"; r=$?; e=$EPOCHREALTIME; s=\${s/./}; e=\${e/./}
echo "took=$((\${e:0:16} - \${s:0:16})) status=$r"; cat /proc/$$/cgroup 2>/dev/null; echo "ran"`;

const WITHIN = (uid: string, words: string) =>
	`drop() { if [ "${uid}" = root ]; then exec "$@"; fi; exec setpriv --reuid=${uid} --regid=65534 --clear-groups -- "$@"; }; ${words}`;

class World {
	constructor(
		readonly rig: Rig,
		readonly directory: string,
	) {}

	static async make(user: string): Promise<World> {
		const rig = await Rig.start(user);
		const directory = rig.run(["mktemp", "-d"], { root: true }).stdout.trim();
		const world = new World(rig, directory);
		world.root(`mkdir "$W"/{hung,empty,dead,"a b,c;d%e=f"}; touch "$LOG"; chown -R ${user} "$W"; chmod 777 "$W" "$LOG"`);
		// A bus that takes every connection and says nothing, and the socket of one that has gone.
		Bun.listen({ unix: join(directory, "hung/bus"), socket: { data() {} } });
		world.root(`perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "$ENV{W}/dead/bus", Listen => 1)'; chmod 777 "$W"/*/bus`);
		return world;
	}

	get env(): Record<string, string> {
		return { W: this.directory, LOG: join(this.directory, "log") };
	}

	root(script: string): Ran {
		return this.rig.run(["bash", "-c", script], { root: true, env: this.env });
	}

	run(fault: Fault, argv: string[], fragment: string): Ran {
		const env = Object.fromEntries(Object.entries(fault.env ?? {}).map(([name, value]) => [name, value.replaceAll("$W", this.directory)]));
		const options = { env: { ...this.env, F: fragment, ...env }, limit: 3 };
		if (fault.within === undefined) return this.rig.run([...argv, SCRIPT], options);
		const words = ["unshare", "--mount", "bash", "-c", WITHIN(this.rig.user, fault.within), "within", ...argv, SCRIPT];
		return this.rig.run(words, { ...options, root: true });
	}

	forget(): void {
		this.root('rm -f "$XDG_RUNTIME_DIR/tmx-confine.broken" "$W"/*/tmx-confine.broken; : >"$LOG"');
	}

	async stop(): Promise<void> {
		this.root('rm -r "$W"');
		await this.rig.stop();
	}
}

const tookOf = ({ stdout }: Ran) => Number(/took=(\d+)/.exec(stdout)?.[1] ?? Number.POSITIVE_INFINITY) / 1000;
const isThere = (fault: Fault) => !fault.within?.includes("bwrap") || existsSync("/usr/bin/bwrap");

for (const user of ["root", ORDINARY]) {
	describe.skipIf(UNABLE !== undefined)(`as ${user}${WHY_SKIPPED}`, () => {
		let world: World;
		const table: string[] = [];
		beforeAll(async () => {
			world = await World.make(user);
		});
		afterAll(async () => {
			console.log(`${"milliseconds until the command runs".padEnd(52)}${"tmx".padStart(7)}${"plain".padStart(8)}\n${table.join("\n")}`);
			await world.stop();
		});

		/** The best of a few runs: on a busy machine one may be late, or unconfined. */
		function best(fault: Fault, argv: string[]): Ran {
			let found: Ran | undefined;
			for (let k = 0; k < TRIES; k++) {
				world.forget();
				const ran = world.run(fault, argv, FRAGMENT);
				const good = CONFINED.test(ran.stdout) === (fault.confined ?? false) && tookOf(ran) < SOON;
				if (!found || good) found = ran;
				if (good) break;
			}
			return found as Ran;
		}

		for (const [shell, argv] of SHELLS.filter(([name]) => !name.includes(" "))) {
			for (const fault of FAULTS) {
				test.skipIf(!isThere(fault))(`${shell}: ${fault.name}${isThere(fault) ? "" : " (bwrap is missing)"}`, async () => {
					// A scope of the row before would be stepped into.
					expect(await eventually(() => world.rig.scopes().length === 0)).toBe(true);
					if (fault.before) expect(world.root(fault.before).status).toBe(0);
					const ran = best(fault, argv);
					const asked = world.root('cat "$LOG"').stdout;
					world.forget();
					const plain = shell === "bash" ? world.run(fault, argv, PLAIN) : undefined;
					const plainAsked = world.root('cat "$LOG"').stdout;
					if (fault.after) world.root(fault.after);
					expect([ran.status, ran.stderr]).toEqual([0, ""]);
					expect(ran.stdout).toMatch(/ status=0\n(.*\n)*ran\n$/);
					expect(CONFINED.test(ran.stdout)).toBe(fault.confined ?? false);
					expect(tookOf(ran)).toBeLessThan(SOON);
					if (fault.asked !== undefined) expect(asked.includes("StartTransientUnit")).toBe(fault.asked);
					if (!plain) return;
					const figure = tookOf(plain);
					table.push(
						`${fault.name.padEnd(52)}${tookOf(ran).toFixed(0).padStart(7)}${(Number.isFinite(figure) ? figure.toFixed(0) : ">3000").padStart(8)}`,
					);
					if (fault.plain === "waits") expect(figure).toBeGreaterThan(1000);
					if (fault.plain === "asks") expect(plainAsked).toContain("StartTransientUnit");
				});
			}

			test(`${shell}: a manager that does not answer costs one wait, not one a command`, () => {
				const [, stopped] = FAULTS as [Fault, Fault];
				world.forget();
				world.root(stopped.before as string);
				const first = world.run(stopped, argv, FRAGMENT);
				const others = [1, 2, 3].map(() => tookOf(world.run(stopped, argv, FRAGMENT)));
				const stamp = world.root('cat "$XDG_RUNTIME_DIR/tmx-confine.broken"').stdout;
				// Older than 30 s, and from before the machine was started anew: both count no more.
				const again = [3100, -100000].map((age) => {
					world.root(`echo $(($(cut -d" " -f1 /proc/uptime | tr -d .) - ${age})) >"$XDG_RUNTIME_DIR/tmx-confine.broken"`);
					return tookOf(world.run(stopped, argv, FRAGMENT));
				});
				world.root(stopped.after as string);
				expect(tookOf(first)).toBeGreaterThan(150);
				expect(Math.min(...others)).toBeLessThan(100);
				expect(stamp).toMatch(/^\d+\n$/);
				for (const took of again) expect(took).toBeGreaterThan(150);
			});
		}

		test("a machine with too much to do is not taken for a broken manager", () => {
			world.forget();
			const busy = `for k in {1..10}; do timeout 20 bash -c 'while :; do :; done' & done; sleep 0.3
for k in {1..12}; do bash -c '. "$F"'; done; kill $(jobs -p); ls "$XDG_RUNTIME_DIR"`;
			const { stdout } = world.rig.run(["bash", "-c", busy], { env: { F: FRAGMENT } });
			expect(stdout).toContain("bus");
			expect(stdout).not.toContain("tmx-confine.broken");
		});
	});
}
