#!/usr/bin/env bash
# The main job as a demonstration: a guarded shell session on a scratch tree that this script makes and removes again.
#
#   demo.sh BINARY
#
# It checks what it shows: where the guard did not do its work, the exit status is 1.
set -uo pipefail

tmx=$(realpath "${1:?usage: demo.sh BINARY}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tmx-demo-XXXXXX")
scratch=$(realpath "$scratch")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; fi
wrong=0

say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
# Run a line in the guarded session, as an agent's shell would; $1 is the exit status that it must have.
session() {
	local want=$1 line=$2 status
	printf '$ %s\n' "$line"
	(cd "$scratch/project" && PATH="$scratch/shims:$PATH" TMX_ROOTS="$scratch/project" sh -c "$line") 2>&1 | sed "s|$scratch|~|g; s/^/    /"
	status=${PIPESTATUS[0]}
	[ "$status" -eq "$want" ] || expected "exit status $want, not $status"
}
expected() {
	printf '    WRONG: expected %s\n' "$1"
	wrong=1
}
there() { [ -e "$scratch/$1" ] || [ -L "$scratch/$1" ] || expected "$1 to be there still"; }
gone() { [ ! -e "$scratch/$1" ] || expected "$1 to be gone"; }

mkdir -p "$scratch/project/build" "$scratch/other"
echo "a week of work" >"$scratch/other/thesis.txt"
touch "$scratch/project/notes.txt" "$scratch/project/old.log" "$scratch/project/build/out.o"
ln -s ../other "$scratch/project/link"

# The temporary directories are allowed by the default policy, and this tree is in one: so the demonstration has its own.
cat >"$scratch/guard.kdl" <<'KDL'
roots "session" { root-env "TMX_ROOTS"; }
wrap rm { exec rm; replace; can run "*" { gate paths-within { operands "positional"; roots "session"; }; }; }
wrap mv { exec mv; replace; can run "*" { gate paths-within { operands "positional-and-target"; roots "session"; }; }; }
wrap find { exec find; replace; can run "*" { gate paths-within { operands "find"; roots "session"; }; }; }
KDL
chmod 644 "$scratch/guard.kdl"
export XDG_STATE_HOME="$scratch/state"

say "A policy becomes shims: one link a tool, all to the one binary."
"$tmx" build "$scratch/guard.kdl" --out "$scratch/shims" 2>&1 | sed "s|$scratch|~|g; s/^/    /"
[ "${PIPESTATUS[0]}" -eq 0 ] || exit 1

say "The session may change ~/project. Beside it lies ~/other, which is none of its business."

say "Inside, everything is as always."
session 0 'rm -v old.log'
gone project/old.log
session 0 'mv -v notes.txt build/'
there project/build/notes.txt
session 0 'find . -name "*.o" -print -delete'
gone project/build/out.o

say "Outside, a call is refused before anything has run."
session 2 'rm -rf build ../other'
there project/build/notes.txt
session 2 'mv build/notes.txt link'
there project/build/notes.txt
session 2 'find -L . -name "*.txt" -delete'
there other/thesis.txt

say "What only reads passes anywhere; a link goes, and not what it points at."
session 0 'find .. -name "*.txt" | sort'
session 0 'rm -v link'
there other/thesis.txt

say "Each verdict is on record."
"$tmx" audit --policy "$scratch/shims" --rejects 2>&1 | sed "s|$scratch|~|g; s/^/    /"

say "$([ "$wrong" -eq 0 ] && echo "Nothing outside was lost: $(cat "$scratch/other/thesis.txt")." || echo "THE GUARD DID NOT DO ITS WORK: see WRONG above.")"
exit "$wrong"
