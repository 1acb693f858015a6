#!/usr/bin/env bash
# The test suites of GNU coreutils (tests/rm, tests/mv) and findutils, with and without the shims: the same result for each test.
#
#   run.sh [DIRECTORY]     DIRECTORY keeps sources, builds and results (default: .cache/gnu in the checkout)
#
# Debian's source packages are fetched by apt into DIRECTORY alone and built there. A suite puts its own build first on
# PATH, so the shim takes the built tool's place, and the policy names the real one by its absolute path. The roots are the
# suite's directory and the temporary directories, as in the default guardfile. As root the suites run as user 65534,
# since half of their tests are not for root.
# Needs apt with a Debian mirror, a C compiler, make, dpkg-dev and gettext-free tarballs; dist/tmx must be built.
set -euo pipefail

here=$(cd "$(dirname "$0")/../.." && pwd)
work=${1:-$here/.cache/gnu}
mkdir -p "$work"
work=$(cd "$work" && pwd)
tmx=$work/bin/tmx
jobs=$(nproc)

say() { printf '== %s (%d s)\n' "$*" "$SECONDS" >&2; }
die() {
	printf 'gnu: %s\n' "$*" >&2
	exit 1
}
for tool in apt-get dpkg-source cc make xz; do command -v "$tool" >/dev/null || die "$tool is missing: apt-get install dpkg-dev build-essential xz-utils"; done
[ -x "$here/dist/tmx" ] || die "dist/tmx is missing: npm run build"
mkdir -p "$work/bin" "$work/home"
install -m 755 "$here/dist/tmx" "$tmx"

# An ordinary user runs the suites.
ordinary() { if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"; else "$@"; fi; }

fetch() {
	[ -d "$work/coreutils" ] && [ -d "$work/findutils" ] && return
	say "fetching the sources"
	local apt=$work/apt
	mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial"
	local found=
	for list in /etc/apt/sources.list.d/*.sources; do
		[ -e "$list" ] || continue
		sed 's/^Types: deb$/Types: deb deb-src/' "$list" >"$apt/parts/${list##*/}"
		found=1
	done
	if [ -s /etc/apt/sources.list ]; then
		sed -n 's/^deb \(.*\)/deb \1\ndeb-src \1/p' /etc/apt/sources.list >"$apt/parts/own.list"
		found=1
	fi
	[ -n "$found" ] || die "apt has no sources"
	cat >"$apt/conf" <<-CONF
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$apt/parts";
		Dir::State::lists "$apt/lists";
		Dir::Cache "$apt/cache";
		APT::Sandbox::User "";
	CONF
	(
		cd "$work"
		APT_CONFIG=$apt/conf apt-get update -qq
		APT_CONFIG=$apt/conf apt-get source -qq --download-only coreutils findutils
		for package in coreutils findutils; do
			rm -rf "./$package.new"
			dpkg-source --no-check -x ./"$package"_*.dsc "$package.new" >/dev/null
			mv "$package.new" "$package"
		done
	)
}

# build PACKAGE: configure and make it once.
build() {
	local directory=$work/$1
	[ -e "$directory/.built" ] && return
	say "building $1"
	(
		cd "$directory"
		export FORCE_UNSAFE_CONFIGURE=1 MAKEINFO=true
		# Debian patches files that autotools would be called for; what they generate is in the package.
		./configure -q --disable-nls --disable-dependency-tracking CFLAGS=-O1 ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=:
		make -s -j"$jobs" MAKEINFO=true
	) >"$work/$1.build.log" 2>&1 || die "$1 does not build: see $work/$1.build.log"
	touch "$directory/.built"
	[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$directory"
}

# shim DIRECTORY TOOL: put the shim in the place of a built tool, once; the real one goes to DIRECTORY/real.
shim() {
	local directory=$1 tool=$2
	mkdir -p "$directory/real"
	[ -L "$directory/$tool" ] || mv "$directory/$tool" "$directory/real/$tool"
	rm -f "$directory/$tool"
}

guardfile() {
	local directory=$1 tool=$2 reader=$3
	cat <<-KDL
		wrap $tool {
		    exec "$directory/real/$tool"
		    replace
		    can run "*" {
		        gate paths-within {
		            operands "$reader"
		            root-env "TMX_ROOTS"
		            root "/tmp"
		            root "/var/tmp"
		            root "/dev/shm"
		        }
		    }
		}
	KDL
}

# unshim DIRECTORY TOOL: the built tool back in its place.
unshim() {
	local directory=$1 tool=$2
	if [ -e "$directory/real/$tool" ]; then mv -f "$directory/real/$tool" "$directory/$tool"; fi
}

# results SUITE NAME: `TEST RESULT` lines out of the harness's .trs files.
results() {
	(cd "$1" && find tests -name '*.trs' -exec awk '/^:test-result:/ {print FILENAME, $2}' {} + | sort) >"$work/$2"
}

# suite PACKAGE NAME TESTS...: run and keep the results under NAME.
suite() {
	local package=$1 name=$2
	shift 2
	say "$package: $name"
	find "$work/$package/tests" -name '*.trs' -exec rm -f {} +
	(
		cd "$work/$package"
		# The harness's own output is the log; its exit status says only that some test failed.
		ordinary env -u PATH_SEPARATOR -u TERM TMX_ROOTS="$work/$package" HOME="$work/home" PATH=/usr/bin:/bin \
			make -k -j"$jobs" check-TESTS SUBDIRS=. TESTS="$*" VERBOSE=no RUN_EXPENSIVE_TESTS=no </dev/null
	) >"$work/$name.log" 2>&1 || true
	results "$work/$package" "$name"
	[ -s "$work/$name" ] || die "$package ran no test: see $work/$name.log"
}

compare() {
	local plain=$1 shimmed=$2
	printf '%s: %d tests, %d passed; through the shims: %d tests, %d passed\n' "$plain" \
		"$(wc -l <"$work/$plain")" "$(grep -c ' PASS$' "$work/$plain" || true)" \
		"$(wc -l <"$work/$shimmed")" "$(grep -c ' PASS$' "$work/$shimmed" || true)"
	diff "$work/$plain" "$work/$shimmed"
}

fetch
build coreutils
build findutils
core=$work/coreutils/src
finder=$work/findutils/find
unshim "$core" rm
unshim "$core" mv
unshim "$finder" find

cd "$work/coreutils"
mapfile -t core_tests < <(find tests/rm tests/mv -name '*.sh' -o -path 'tests/rm/*.pl' -o -path 'tests/mv/*.pl' | sort)
cd "$work/findutils"
mapfile -t find_tests < <(find tests/find tests/misc -name '*.sh' | sort)

suite coreutils coreutils.plain "${core_tests[@]}"
suite findutils findutils.plain "${find_tests[@]}"

shim "$core" rm
shim "$core" mv
shim "$finder" find
{ guardfile "$core" rm positional; guardfile "$core" mv positional-and-target; } >"$work/core.kdl"
guardfile "$finder" find find >"$work/find.kdl"
chmod go-w "$work"/*.kdl
"$tmx" build "$work/core.kdl" --out "$core" >&2
"$tmx" build "$work/find.kdl" --out "$finder" >&2

suite coreutils coreutils.shims "${core_tests[@]}"
suite findutils findutils.shims "${find_tests[@]}"

status=0
compare coreutils.plain coreutils.shims || status=1
compare findutils.plain findutils.shims || status=1
unshim "$core" rm
unshim "$core" mv
unshim "$finder" find
exit "$status"
