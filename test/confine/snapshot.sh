# shellcheck shell=bash disable=SC2154
# Writes down what a sourced file could leave behind in a shell, without what changes by itself (a descriptor that
# was closed while ls looked, too): $SNAPSHOT is the file to write.
# It is sourced, in bash and in zsh, by a shell whose words may be shadowed; $PLAIN says that `builtin` is.
{
	\builtin 'printf' 'last job %s\n' "${!-}"
	/bin/echo "flags $-"
	case "${PLAIN-}" in
	1)
		set +o
		typeset -f
		typeset -p
		;;
	*)
		\builtin 'alias'
		\builtin 'trap'
		\builtin 'jobs'
		\builtin 'set' +o
		\builtin 'typeset' -f
		\builtin 'typeset' -p
		\builtin 'umask'
		\builtin 'pwd'
		case "${BASH_VERSION-}" in ?*) \builtin 'shopt' ;; *) \builtin 'setopt' ;; esac
		;;
	esac
	/bin/ls -l "/proc/$$/fd"
	/bin/cat "/proc/$$/limits"
} 2>&1 | /bin/sed -E '
	/^(declare|typeset|export)[^=]* (_|t_status|BASHPID|BASH_(ARG[CV]|COMMAND|LINENO|MONOSECONDS|SOURCE)|EPOCH(REALTIME|SECONDS)|FUNCNAME|LINENO|PIPESTATUS|RANDOM|SECONDS|SRANDOM|pipestatus|status|TTYIDLE|jobstates|jobtexts|jobdirs)(=|$| )/d
	/^total|\/proc\/.*\/fd/d
	/^l[rwx?-]{9} [^>]*$/d
	s/^([lrwx-]+) .* ([0-9]+ ->)/\1 \2/
	/ -> (pipe:|.*snapshot.sh)/d
' >|"$SNAPSHOT"
