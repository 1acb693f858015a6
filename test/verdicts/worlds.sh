# shellcheck shell=sh
# The trees that the cases stand on. $R is the session's directory, $O lies outside of it, $X is allowed too and another
# file system, $B holds R and O, $H is the home directory. The set-up of a section starts in $R and its cases start where it ends.

# Files, directories and links of every kind: ld, lD and lf lead out, dang leads out to nothing, li stays inside.
links() {
	mkdir -p sub d/e "$O/D"
	touch a b d/x d/e/g "$O/f" "$O/D/x"
	ln -s "$O" ld
	ln -s "$O/D" lD
	ln -s "$O/f" lf
	ln -s "$O/none" dang
	ln -s loop loop
	ln -s d li
	ln "$O/f" hl
}

# A project in the root, where an agent would work, and what lies around it.
project() {
	mkdir -p proj/sub proj/build "$O/dir"
	touch "$O/keep.txt" "$O/dir/f1" "$O/dir/f2"
	cd proj || exit
	echo a >a
	echo b >b
}
