# Writes down what a sourced file could leave behind in a shell, without what changes by itself: $1 is the file to write.
# It is sourced, in bash and in zsh, by a shell whose words may be shadowed.
{
	\builtin 'printf' 'last job %s\n' "${!-}"
	\builtin 'printf' 'flags %s\n' "$-"
	\builtin 'alias'
	\builtin 'trap'
	\builtin 'jobs'
	\builtin 'set' +o
	\builtin 'typeset' -f
	case "${BASH_VERSION-}" in
	?*)
		\builtin 'shopt'
		\builtin 'declare' -p
		;;
	*)
		\builtin 'setopt'
		\builtin 'typeset' -p
		;;
	esac
	/bin/ls -l "/proc/$$/fd"
	/bin/cat "/proc/$$/limits"
	\builtin 'umask'
	\builtin 'pwd'
} 2>&1 | /bin/sed -E '
	/^(declare|typeset)[^=]* (_|BASHPID|BASH_(ARG[CV]|COMMAND|LINENO|MONOSECONDS|SOURCE)|EPOCH(REALTIME|SECONDS)|FUNCNAME|LINENO|PIPESTATUS|RANDOM|SECONDS|SRANDOM|pipestatus|status|TTYIDLE|epochtime|HISTCMD|funcstack|func(file|source)trace|functrace|historywords|history|jobstates|jobtexts|jobdirs|mapfile|COUNT)(=|$| )/d
	/^total|\/proc\/.*\/fd/d
	s/^([lrwx-]+) .* ([0-9]+ ->)/\1 \2/
	/ -> (pipe:|.*snapshot.sh)/d
' >|"$1"
