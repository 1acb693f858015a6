#!/usr/bin/env bash
# Everything that must hold, as `npm test` runs it: installs what is missing, lints, builds, tests. The last line counts.
# Arguments go to `bun test`: `npm test -- rm.txt` runs the files whose names match. What needs a systemd user manager of its
# own and measures time is `npm run test:confine`; real agents are `npm run test:agents`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
PATH=$PWD/node_modules/.bin:$PATH
unset TMX_TEST_BINARY

passed=0
failed=0
started=$SECONDS

step() { printf '\n== %s (%d s)\n' "$1" "$((SECONDS - started))"; }
# Run a command that is one check; its output is shown.
check() {
	if "$@"; then passed=$((passed + 1)); else
		failed=$((failed + 1))
		printf 'FAILED: %s\n' "$*"
	fi
}
finish() {
	printf '\n%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" -eq 0 ]
	exit
}

# Another bun on PATH says nothing of the other packages.
if ! [ -e node_modules/.package-lock.json ] || ! bun --version >/dev/null 2>&1; then
	step "installing the packages of package-lock.json"
	check npm ci --no-audit --no-fund
	[ "$failed" -eq 0 ] || finish
fi

step "types, lint and format"
check tsc --noEmit
check biome check

step "shell scripts"
if command -v shellcheck >/dev/null; then
	mapfile -t scripts < <(find test shims .ci -name '*.sh' -o -path '.ci/run')
	check shellcheck "${scripts[@]}"
else
	echo "shellcheck is not installed: not checked"
fi

step "building dist/tmx"
check bun build.ts
[ -x dist/tmx ] || finish

step "tests"
mapfile -t files < <(find test -name '*.test.ts' ! -path 'test/confine/faults*' ! -path 'test/confine/many*' ! -path 'test/confine/promises*' \
	! -path 'test/confine/states*' ! -path 'test/confine/commands*' ! -path 'test/agents/*' | sed 's|^|./|' | sort)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
bun test --timeout 120000 --only-failures --parallel=2 "${@:-${files[@]}}" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
count() { sed -n "s/^ *\([0-9]\{1,\}\) $1\$/\1/p" "$log" | tail -n 1; }
passed=$((passed + $(count pass || true) + 0))
# An error is a file that cannot be loaded, or one thrown outside of a test.
failures=$(($(count fail || true) + $(count 'errors\{0,1\}' || true) + 0))
failed=$((failed + failures))
# A run that died fails without a count.
if [ "$status" -ne 0 ] && [ "$failures" -eq 0 ]; then failed=$((failed + 1)); fi
skipped=$(count skip || true)
[ -z "$skipped" ] || printf '%s skipped, each for the reason in its name\n' "$skipped"
finish
