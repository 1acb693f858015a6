#!/usr/bin/env bash
# `npm run test:agents`: installs the real agents (some 800 MB, below .cache/agents) and lets them follow scripts, on loopback alone.
#
# They come from npm at exact versions, without their install scripts. AGENTS names another directory that holds them. Claude Code
# and Codex are always installed; `npm run test:agents -- all` installs OpenCode, Gemini CLI and Copilot CLI as well.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
PATH=$PWD/node_modules/.bin:$PATH
export AGENTS=${AGENTS:-$PWD/.cache/agents}

declare -A versions=([claude]=@anthropic-ai/claude-code@2.1.332 [codex]=@openai/codex@0.171.0)
if [ "${1-}" = all ]; then
	versions+=([opencode]=opencode-ai@1.18.33 [gemini]=@google/gemini-cli@0.61.0 [copilot]=@github/copilot@1.0.102)
fi
for agent in "${!versions[@]}"; do
	directory=$AGENTS/$agent
	[ -d "$directory/node_modules" ] && continue
	mkdir -p "$directory"
	[ -e "$directory/package.json" ] || echo '{"private":true}' >"$directory/package.json"
	echo "installing ${versions[$agent]}"
	npm install --prefix "$directory" --ignore-scripts --no-audit --no-fund --loglevel=error "${versions[$agent]}" ||
		echo "$agent cannot be installed here: its tests are skipped"
done
[ -x dist/tmx ] || bun build.ts || exit 1

tests=(bun test --timeout 180000 ./test/agents)
# Updates and telemetry that an agent thinks of find no network. Root keeps its own user namespace, in which a systemd can be started.
namespace=(unshare --net)
[ "$(id -u)" -eq 0 ] || namespace=(unshare --user --map-root-user --net)
if command -v ip >/dev/null && "${namespace[@]}" true 2>/dev/null; then
	# shellcheck disable=SC2016 # expanded by the inner shell
	exec "${namespace[@]}" bash -c 'ip link set lo up && exec "$@"' bash "${tests[@]}"
fi
echo "no network namespace here: the agents run in the machine's own network"
exec "${tests[@]}"
