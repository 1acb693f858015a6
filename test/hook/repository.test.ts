// What the hook knows of the repository that a session stands in: its remotes, its work tree, and the settings that git does not track.

import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { PATIENCE } from "../support/box.ts";
import { makeWorld } from "./world.ts";

setDefaultTimeout(PATIENCE);

const world = makeWorld();
afterAll(() => world.box.remove());

const CONFIG = `[core]
	bare = false
	hooksPath = checks
[remote "origin"]
	url = https://example.invalid/x.git
[remote "backup"]
	url = {OUT}/bare.git ; on this machine
[remote "near"]
	url = ../near.git
[remote "far"]
	url = git@example.invalid:x
	pushurl = "file://{OUT}/bare.git"
[url "{OUT}/"]
	pushInsteadOf = out:
[alias]
	st = status -s
	wipe = "!rm -rf {OUT}/dir"
	tidy = !rm -rf build
	put = checkout .
	status = "!rm -rf {OUT}/dir"
`;

const proj = `${world.box.root}/proj`;
const fill = (path: string, text: string) => writeFileSync(`${proj}/${path}`, world.fill(text));
for (const directory of [".git/hooks", "x/.claude", "x/src", "same/.claude", ".codex", ".gemini", "moved/.git"])
	mkdirSync(`${proj}/${directory}`, { recursive: true });
fill(".git/HEAD", "ref: refs/heads/main\n");
fill(".git/config", CONFIG);
// An index needs no more than the names that are looked for.
fill(".git/index", "DIRC\0\0\0\x02\0\0\0\x01.claude/settings.json\0");
fill(".gitignore", "build/\n.codex/\n");
fill(".claude/settings.json", '{"hooks": {}}');
fill(".claude/settings.local.json", '{"hooks":{}}');
fill(".gemini/settings.json", '{"permissions": "git hooks"}');
fill(".codex/hooks.json", '{"hooks":{}}');
fill("x/.claude/settings.json", "other\n");
fill("same/.claude/settings.json", '{"hooks": {}}');
fill("settings.patch", "--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-x\n+y\n");
fill("src.patch", "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n");
writeFileSync(`${world.box.home}/.gitconfig`, "[alias]\n\tst = status -sb\n\tput = checkout .\n");
fill("moved/.git/HEAD", "ref: refs/heads/main\n");
fill("moved/.git/config", "[core]\n\tworktree = {OUT}\n");
// Work trees: two elsewhere, of which a directory here has the name of one, one beside the project, two with one name, and the session's own.
const TREES = { away: "{OUT}/away", sub: "{OUT}/sub", near: "{ROOT}/near", one: "{OUT}/one/twin", two: "{ROOT}/two/twin" };
const kept = (directory: string, name: string, tree: string) => {
	mkdirSync(`${proj}/${directory}/.git/worktrees/${name}`, { recursive: true });
	fill(`${directory}/.git/worktrees/${name}/gitdir`, `${tree}/.git\n`);
};
for (const [name, tree] of Object.entries(TREES)) kept(".", name, tree);
mkdirSync(`${world.box.root}/main`);
kept(".", "beside", "../../../../../O/beside");
kept("../main", "proj", "{ROOT}/proj");

const REFUSED = [
	"rm -rf $(git rev-parse --show-toplevel)",
	'cd sub && rm -rf "$(git rev-parse --show-toplevel)/../../O"',
	"git push backup main",
	"git push far",
	"git push out:bare.git main",
	"git -c remote.origin.pushurl={OUT}/bare.git push origin",
	"git -c remote.pushDefault=backup push",
	"git -C moved checkout .",
	"git -C moved reset --hard",
	"git wipe",
	"git wipe --now",
	"git worktree remove away",
	"git worktree remove --force sub",
	"git worktree remove O/sub",
	"git worktree move away ../x",
	"git worktree remove beside",
	"git config remote.pushDefault backup && git push",
	"git config branch.main.remote backup; git push",
	"git config url.{OUT}/.insteadOf https://example.invalid/; git push",
	"git remote set-url origin {OUT}; git push",
	"git remote set-url --push near {OUT}; git push near",
	"git -C ../main worktree remove proj",
	"git -C ../main worktree move proj ../x",
	"echo 'rm -rf {OUT}/dir' > checks/pre-commit; git commit -m x",
	"echo 'rm -rf {OUT}/dir' > checks/pre-push; cd sub && git push",
	"git -C {OUT} put",
	"git apply settings.patch",
	"git -C sub apply -R {ROOT}/proj/settings.patch",
	"patch -p1 < settings.patch",
	"git clean -fdx",
	"git clean -fd",
	"git clean -fx .codex/hooks.json",
	"git clean -fX .codex",
	"git clean -fdX",
	"git stash -u",
	"git stash save --include-untracked x",
	"git stash -a",
	"git sparse-checkout set src",
	"cp -r x/.claude .",
	"cp -r x/. .",
	"cp -rT x/.claude .claude",
	"rsync -a x/.claude ./",
	"rsync -a x/ ./",
];

const PASSED = [
	'cd sub && rm -rf "$(git rev-parse --show-toplevel)/build" && cd "$(git rev-parse --show-toplevel)" && rm -rf build',
	"git push",
	"git push origin HEAD",
	"git push near main",
	"git st && git tidy && git put a",
	"git status",
	"git worktree remove near",
	"git config remote.pushDefault near && git push",
	"git remote set-url origin https://x/y; git push",
	"git worktree move near ../x",
	"git worktree remove twin",
	"git worktree lock away",
	"echo 'npm test' > checks/pre-commit; git commit -m x",
	"git -C {OUT} st",
	"git apply --check settings.patch; git apply --cached settings.patch",
	"git apply src.patch && patch -p1 < src.patch",
	"git push -u origin feature/x",
	"git fetch backup && git pull backup main",
	"git push far --dry-run",
	"git -C moved status",
	"git clean -fdx -e .claude -e .codex",
	"git clean -fdx src build",
	"git clean -nfdx",
	"git stash",
	"git stash pop",
	"git sparse-checkout set src .claude",
	"git sparse-checkout set --no-cone '/*'",
	"git checkout main",
	"cp -r x/src .",
	"cp -r same/. .",
	"rsync -a x/src ./",
	"rsync -a --exclude .claude x/ ./",
	"rsync -a same/ ./",
];

for (const [expected, lines] of [
	[2, REFUSED],
	[0, PASSED],
] as const)
	for (const line of lines)
		test.concurrent(`${expected === 2 ? "deny" : "allow"} ${line}`, async () => {
			const { status, stderr } = await world.command(world.fill(line));
			expect(expected === 0 ? stderr : /policy_denied/.test(stderr)).toBe(expected === 0 ? "" : true);
			expect(status).toBe(expected);
		});
