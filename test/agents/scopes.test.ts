// Under a systemd user manager the tool shells of the real agents are in scopes of their own, and the agents stay where they were.

import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { Rig, UNABLE } from "../rig/rig.ts";
import { isThere, makePlace, type Place, playWrapped } from "./rig.ts";

setDefaultTimeout(180_000);

let rig: Rig;
let place: Place;
beforeAll(async () => {
	if (UNABLE === undefined) rig = await Rig.start("root");
});
afterAll(async () => {
	await rig?.stop();
});
beforeEach(() => {
	place = makePlace();
});
afterEach(() => place.remove());

/** The last part of the cgroup of a shell, and of the process that became the agent. */
const LOOK = `leader=\${TMX_SESSION##*/}; for p in self \${leader%-*}; do grep ^0:: /proc/$p/cgroup | sed "s|.*/|cgroup |"; done`;

for (const agent of ["claude", "codex"] as const) {
	for (const shell of ["/bin/bash", "/usr/bin/zsh"]) {
		const why = UNABLE ?? (isThere(agent) ? undefined : "test/agents/run.sh has not installed it");
		test.skipIf(why !== undefined)(`${agent} with ${shell}${why === undefined ? "" : ` (skipped: ${why})`}`, async () => {
			const enter = (argv: string[]) => rig.enter(["env", "-C", place.work, ...argv]);
			const { XDG_RUNTIME_DIR = "", DBUS_SESSION_BUS_ADDRESS = "" } = rig.env;
			const env = { ...rig.env, HOME: place.home, PATH: "/usr/bin:/bin", XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS };
			const { results } = await playWrapped(agent, place, [LOOK, `bash -lc '${LOOK.replaceAll("'", "")}'`], { enter, env, shell });
			expect(results).toHaveLength(2);
			for (const { text } of results) {
				const [own, agents] = [...text.matchAll(/cgroup (\S+)/g)].map((match) => match[1]);
				expect(own).toMatch(/^confine-agent-\d+-\w+\.scope$/);
				expect(agents).toBe("vte-spawn-rig.scope");
			}
			const off = await playWrapped(agent, place, [LOOK], { enter, env, shell, options: ["--no-confine"] });
			expect(off.results[0]?.text).toContain("cgroup vte-spawn-rig.scope");
			expect(off.results[0]?.text).not.toContain("confine-agent");
		});
	}
}
