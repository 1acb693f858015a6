# shellcheck shell=bash disable=SC2154,SC2317,SC2030,SC2031,SC2034,SC2119,SC2120 # called by name; exported in a subshell for one program
# Moves the shell that sources this file into a systemd scope of its own, so that what it starts is bounded and can be killed as one.
{
	case "${BASH_VERSION+b}${ZSH_VERSION+z}" in
	b) IFS='
' \builtin 'read' -r -d '' _tmx_cgroup </proc/self/cgroup ;;
	z) _tmx_cgroup=$(</proc/self/cgroup) ;;
	esac
	case "${_tmx_cgroup-}" in *'0::/'*'/confine-'*'.scope' | *'0::/'*'/confine-'*'.scope/'*)
		case "${BASH_SOURCE-$0}" in *'confine'*'.sh') \builtin 'unset' _tmx_cgroup && \builtin 'return' 0 ;; esac
	esac
} >/dev/null 2>&1 || :
# What stands above is all that a nested shell needs: whether it is confined already. It is short, because each of them pays for
# it (zsh makes two system calls a line), and it ends the file where it may: sourced under its name. As text in an eval, `return`
# would end the caller. The cgroup is on the line that starts with 0::, on a hybrid machine the last one (cgroups(7)).
#
# For bash (3.2 and newer) and zsh; any other shell passes it by. It moves this shell alone, never its parent. It fails open:
# whatever is missing, hung or broken, the status is 0, nothing is printed, and the command runs unconfined at most 250 ms later.
# Off: CONFINE_TOOL_SHELL=0. Limits: AGENT_TASKS_MAX (1024), AGENT_MEMORY_MAX, AGENT_MEMORY_SWAP_MAX, AGENT_CPU_WEIGHT.
#
# It runs in other people's shells. So: every builtin is called by a backslash and `builtin` (aliases, functions), every name has
# its prefix and is gone at the end, no word is split, no array, no arithmetic on anything but digits, and no job is left.
# Literal words are quoted, because zsh has aliases that hold for any word.
#
# The second block is all that most shells need, and ends the file as the first does; the third is for limits of memory, a turn to
# wait for, a move that takes longer, a manager that does not answer. To read it takes bash as long as a fork.
{
	case "${BASH_VERSION-}${ZSH_VERSION-}" in
	?*)
		# Nothing works, and nothing is tried, where `builtin` is not what it should be, or `kill` has been switched off.
		if \builtin 'test' 'a' '=' 'a' && ! \builtin 'test' 'a' '=' 'b' && \builtin 'kill' -0 "$$"; then
			# The first line of a small file. zsh reads byte by byte for `read`, and at once like this, without a process.
			__tmx_read() {
				case "${ZSH_VERSION-}" in
				'') \builtin 'read' -r _tmx_line <"$1" ;;
				*) _tmx_line=$(<"$1") ;;
				esac
			}

			# All of a small file.
			__tmx_whole() {
				case "${ZSH_VERSION-}" in
				'') \builtin 'read' -r -d '' _tmx_line <"$1" ;;
				*) _tmx_line=$(<"$1") ;;
				esac
			}

			# Whether the third block is there. Where it is not, it is asked for, and whoever needs it gives up until then.
			__tmx_more() {
				case "$_tmx_more" in 'read') \builtin 'return' 0 ;; esac
				_tmx_more='wanted'
				\builtin 'return' 1
			}

			# Whether the kernel has moved us into $_tmx_unit.
			__tmx_moved() {
				__tmx_whole "/proc/$_tmx_self/cgroup"
				case "$_tmx_line" in *"/$_tmx_unit"*) _tmx_inside=1 ;; *) \builtin 'return' 1 ;; esac
			}

			# The pid of the manager of $_tmx_dir, none where it is foreign; 1 where nothing runs there. In a sandbox with pids of its
			# own our pid is somebody else's outside, and the bus would move that process. A process that our namespace does not
			# see is a 0 in cgroup.procs. Beside the manager stands (sd-pam), which never runs.
			__tmx_manager() {
				_tmx_manager=
				while \builtin 'read' -r _tmx_pid; do
					case "$_tmx_pid" in '0') \builtin 'return' 0 ;; esac
					__tmx_read "/proc/$_tmx_pid/stat" || \builtin 'continue'
					case "$_tmx_line" in *' (systemd) '*) _tmx_manager=$_tmx_pid && \builtin 'return' 0 ;; esac
				done <"$_tmx_dir/init.scope/cgroup.procs"
				\builtin 'return' 1
			}

			# Become busctl, or what bounds it.
			__tmx_become() {
				LC_ALL=C SYSTEMD_LOG_LEVEL=notice XDG_RUNTIME_DIR="$_tmx_run" DBUS_SESSION_BUS_ADDRESS="$_tmx_bus" \builtin 'exec' "$@"
			}

			# Ask the manager for the scope, with these properties beside the four that are always there; $1 is how many in all. The
			# reply only says that the job is queued: until the kernel has moved us, the first child could still start outside, and
			# a shell that ends leaves an empty scope behind. Nearly always that is a matter of a moment, while busctl ends.
			#
			# busctl's own time does not hold while it connects. So its process tells its pid first, and is killed when it says no more
			# in time, or has said it: that costs a millisecond less than timeout(1). The last part of the pipeline is this very shell,
			# in zsh and in bash with lastpipe; in any other it is a process of its own, and its variables are lost.
			__tmx_ask() {
				_tmx_count=$1
				\builtin 'shift'
				_tmx_line=${AGENT_TASKS_MAX-}
				case "$_tmx_line" in '' | '0'* | *[!0123456789]* | ????????????????*) _tmx_line=1024 ;; esac
				\builtin 'set' -- "$_tmx_bin/busctl" --user --timeout="$_tmx_time" call \
					'org.freedesktop.systemd1' '/org/freedesktop/systemd1' 'org.freedesktop.systemd1.Manager' \
					'StartTransientUnit' 'ssa(sv)a(sa(sv))' "$_tmx_unit" 'fail' "$_tmx_count" 'PIDs' 'au' '1' "$_tmx_self" \
					'Slice' 's' 'agent.slice' 'CollectMode' 's' 'inactive-or-failed' 'TasksMax' 't' "$_tmx_line" "$@" '0'
				case "${BASH_VERSION-}" in
				[123].*)
					__tmx_bounded "$@"
					\builtin 'return'
					;;
				esac
				{
					# Where BASHPID has been made a variable like others it is not the pid of this process, but still the shell's.
					_tmx_child=${BASHPID-}
					case "$_tmx_child" in '' | "$_tmx_self" | *[!0123456789]*) __tmx_read /proc/self/stat && _tmx_child=${_tmx_line%%' '*} ;; esac
					\builtin 'printf' '%s\n' "$_tmx_child"
					__tmx_become "$@"
				} | {
					# For the case that it does not answer.
					case "$_tmx_ran" in '') __tmx_ran ;; esac
					\builtin 'read' -r _tmx_child || _tmx_child=
					_tmx_status=1
					__tmx_hear "$_tmx_time" && _tmx_status=0
					case "$_tmx_status" in '0') for _tmx_at in 1 2 3; do __tmx_moved && \builtin 'break'; done ;; esac
					# To kill nobody would be to kill the group of processes.
					case "$_tmx_child" in '' | *[!0123456789]*) ;; *) \builtin 'kill' -KILL "$_tmx_child" ;; esac
					# What was said in the last moment counts.
					\builtin 'test' "$_tmx_status" = '0' || __tmx_hear 0.01
				}
			}

			# How long the manager has run so far.
			__tmx_ran() {
				__tmx_read "/proc/$_tmx_manager/schedstat" && _tmx_ran=${_tmx_line%%' '*}
			}

			# Whether something comes on stdin within $1 seconds. bash makes four system calls for each byte.
			__tmx_hear() {
				case "${ZSH_VERSION-}" in
				'') \builtin 'read' -r -n 1 -t "$1" _tmx_line ;;
				*) \builtin 'read' -r -t "$1" _tmx_line ;;
				esac
			}

			# It has its answer: who was alone leaves an empty file.
			__tmx_answered() {
				__tmx_whole "$_tmx_calls"
				case "$_tmx_line" in
				"+$_tmx_turn" | "+$_tmx_turn
") \builtin 'printf' '' >|"$_tmx_calls" ;;
				*) \builtin 'printf' '%s\n' "-$_tmx_turn" >>"$_tmx_calls" ;;
				esac
			}

			# Everything in its order; $_tmx_cgroup is /proc/self/cgroup.
			__tmx_move() {
				case "${CONFINE_TOOL_SHELL-1}" in '0') \builtin 'return' ;; esac
				case "${SANDBOX_RUNTIME-}${CODEX_SANDBOX-}${CODEX_SANDBOX_NETWORK_DISABLED-}${FLATPAK_ID-}" in ?*) \builtin 'return' ;; esac
				_tmx_path=${_tmx_cgroup##*'
0::/'}
				case "$_tmx_cgroup" in "$_tmx_path") _tmx_path=${_tmx_cgroup#'0::/'} ;; esac
				case "$_tmx_cgroup" in "$_tmx_path") \builtin 'return' ;; esac
				_tmx_path=/${_tmx_path%%'
'*}
				# With "(deleted)" behind its name it is no scope any more. Within a cgroup namespace nobody knows where he stands.
				case "$_tmx_path" in *'/confine-'*'.scope' | *'/confine-'*'.scope/'* | '/' | '/..'*) \builtin 'return' ;; esac
				# The pid of this very process, also in a subshell, where $$ is the parent's.
				_tmx_self=${BASHPID-}
				case "$_tmx_self" in
				'' | *[!0123456789]*) __tmx_read /proc/self/stat && _tmx_self=${_tmx_line%%' '*} || \builtin 'return' ;;
				*) \builtin 'test' /proc/self -ef "/proc/$_tmx_self" || \builtin 'return' ;;
				esac
				_tmx_run=${XDG_RUNTIME_DIR-}
				case "$_tmx_run" in '/'*) ;; *) _tmx_run=/run/user/$EUID ;; esac
				_tmx_broken=$_tmx_run/tmx-confine.broken
				_tmx_calls=$_tmx_run/tmx-confine.calls
				_tmx_bus=unix:path=$_tmx_run/bus
				\builtin 'test' -S "$_tmx_run/bus" && \builtin 'test' -O "$_tmx_run" || \builtin 'return'
				case "$_tmx_run" in *[%,\;]*) __tmx_more && __tmx_escape || \builtin 'return' ;; esac
				# Hundredths of a second since the boot: the one clock that every shell can read without a process.
				__tmx_read /proc/uptime || \builtin 'return'
				_tmx_now=${_tmx_line%%' '*}
				_tmx_now=${_tmx_now%'.'*}${_tmx_now#*'.'}
				case "$_tmx_now" in '' | '0'* | *[!0123456789]*) \builtin 'return' ;; esac
				_tmx_start=$_tmx_now
				# The user's manager: nearly always above the own cgroup.
				_tmx_root=/sys/fs/cgroup/unified
				\builtin 'test' -d "$_tmx_root" || _tmx_root=/sys/fs/cgroup
				_tmx_dir=$_tmx_root$_tmx_path
				until \builtin 'test' -r "$_tmx_dir/init.scope/cgroup.procs" && __tmx_manager; do
					_tmx_dir=${_tmx_dir%'/'*}
					case "$_tmx_dir" in "$_tmx_root") __tmx_more && __tmx_elsewhere && \builtin 'break' || \builtin 'return' ;; esac
				done
				case "$_tmx_manager" in '') \builtin 'return' ;; esac
				if \builtin 'test' -e "$_tmx_broken"; then
					__tmx_more || \builtin 'return'
					if __tmx_remembered; then
						__tmx_join
						\builtin 'return'
					fi
				fi
				for _tmx_bin in /usr/bin /bin /run/current-system/sw/bin ''; do
					\builtin 'test' -x "$_tmx_bin/busctl" && \builtin 'break'
				done
				case "$_tmx_bin" in '') \builtin 'return' ;; esac
				case "${AGENT_MEMORY_MAX-}${AGENT_MEMORY_SWAP_MAX-}${AGENT_CPU_WEIGHT-}" in ?*) __tmx_more || \builtin 'return' ;; esac
				# bash 3.2 cannot wait for a part of a second, and takes timeout(1).
				case "${BASH_VERSION-}" in [123].*) \builtin 'test' -x "$_tmx_bin/timeout" && __tmx_more || \builtin 'return' ;; esac
				# When many shells start at once and all of them ask, the processors are shared among all, and every answer comes too
				# late. So each that asks adds a line with the time when it began, and another when it has its answer; and where
				# lines are, most wait until a few have theirs.
				if \builtin 'test' -s "$_tmx_calls"; then
					__tmx_more || \builtin 'return'
					__tmx_queue || {
						case "$_tmx_inside" in '') __tmx_join ;; esac
						\builtin 'return'
					}
				fi
				_tmx_unit=${SRANDOM-}
				case "$_tmx_unit" in
				'' | *[!0123456789]*) __tmx_read /proc/sys/kernel/random/uuid && _tmx_unit=${_tmx_line%%'-'*} || \builtin 'return' ;;
				esac
				_tmx_unit=confine-agent-$_tmx_self-$_tmx_unit.scope
				_tmx_turn=$_tmx_now
				\builtin 'printf' '+%s\n' "$_tmx_turn" >>"$_tmx_calls"
				case "${AGENT_MEMORY_MAX-}${AGENT_MEMORY_SWAP_MAX-}${AGENT_CPU_WEIGHT-}" in
				'') __tmx_ask 5 'OOMPolicy' 's' 'continue' ;;
				*) __tmx_limited 'all' ;;
				esac
				_tmx_status=$?
				# What the last part of the pipeline saw may be lost with it.
				case "$_tmx_inside" in '') __tmx_moved ;; esac
				case "$_tmx_inside" in '') __tmx_more && __tmx_after ;; *) __tmx_answered ;; esac
			}

			# Run a function in a shell of known options.
			__tmx_within() {
				case "${ZSH_VERSION-}" in ?*) \builtin 'emulate' -L zsh && \builtin 'setopt' null_glob no_xtrace no_monitor ;; esac
				\builtin 'local' IFS='' _tmx_flags='' _tmx_pipe='' _tmx_fail='' || \builtin 'return'
				# Neither traced (BASH_XTRACEFD may lead anywhere) nor watched by a DEBUG trap, which would run for every step.
				case "$-:${BASH_VERSION-}" in *'x'*':'?*) \builtin 'set' +x && _tmx_flags=x ;; esac
				case "$-:${BASH_VERSION-}" in *'T'*':'?*) \builtin 'set' +T && _tmx_flags=${_tmx_flags}T ;; esac
				# shopt writes BASHOPTS anew, and so would show what these three changed without writing it.
				case "${BASH_VERSION:+bash}${POSIXLY_CORRECT-}${GLOBIGNORE-}${BASH_COMPAT-}" in
				'bash') \builtin 'shopt' -q lastpipe || { \builtin 'shopt' -s lastpipe && _tmx_pipe=1; } ;;
				esac
				# With pipefail it would be the status of a killed busctl that counts.
				case "${BASH_VERSION:+bash}:${SHELLOPTS-}" in 'bash:'*'pipefail'*) \builtin 'set' +o pipefail && _tmx_fail=1 ;; esac
				"$1" || :
				case "$_tmx_fail" in 1) \builtin 'set' -o pipefail ;; esac
				case "$_tmx_pipe" in 1) \builtin 'shopt' -u lastpipe ;; esac
				case "$_tmx_flags" in ?*) \builtin 'set' "-$_tmx_flags" ;; esac
			}

			# Leave nothing behind.
			__tmx_forget() {
				\builtin 'unset' _tmx_cgroup _tmx_path _tmx_line _tmx_more _tmx_inside _tmx_status _tmx_error _tmx_ran _tmx_time _tmx_self _tmx_run \
					_tmx_broken _tmx_calls _tmx_bus _tmx_now _tmx_start _tmx_root _tmx_dir _tmx_manager _tmx_pid _tmx_child _tmx_bin _tmx_unit _tmx_turn \
					_tmx_count _tmx_at
				\builtin 'unset' -f __tmx_read __tmx_whole __tmx_more __tmx_moved __tmx_manager __tmx_become __tmx_ask __tmx_ran __tmx_hear __tmx_answered \
					__tmx_move __tmx_within __tmx_forget || :
			}

			_tmx_more='' _tmx_inside='' _tmx_status='' _tmx_error='' _tmx_ran='' _tmx_time=0.21
			__tmx_within __tmx_move || :
			case "$_tmx_more" in
			'')
				__tmx_forget
				case "${BASH_SOURCE-$0}" in *'confine'*'.sh') \builtin 'return' 0 ;; esac
				;;
			esac
		else
			\unset _tmx_cgroup
		fi
		;;
	esac
} </dev/null >/dev/null 2>&1 || :
{
	case "${_tmx_more-}" in
	?*)
		# Bytes of a number with an optional K, M, G or T; fails on anything else, and on less than $2.
		__tmx_bytes() {
			_tmx_bytes=${1%[KMGT]}
			case "$_tmx_bytes" in '' | '0'?* | *[!0123456789]* | ????????????????*) \builtin 'return' 1 ;; esac
			case "$1" in *'K' | *'M' | *'G' | *'T') case "$_tmx_bytes" in ???????*) \builtin 'return' 1 ;; esac ;; esac
			case "$1" in
			*'K') _tmx_bytes=$((_tmx_bytes * 1024)) ;;
			*'M') _tmx_bytes=$((_tmx_bytes * 1048576)) ;;
			*'G') _tmx_bytes=$((_tmx_bytes * 1073741824)) ;;
			*'T') _tmx_bytes=$((_tmx_bytes * 1099511627776)) ;;
			esac
			\builtin 'test' "$_tmx_bytes" -ge "$2"
		}

		# Sleep for $1 seconds, without a process where the shell can: on a terminal that nobody writes to. Forty shells
		# that each start a sleep take the processors from the manager that they wait for.
		__tmx_pause() {
			if \builtin 'test' -r /dev/ptmx && \builtin 'test' -w /dev/ptmx; then
				case "${BASH_VERSION-}" in
				'') \builtin 'read' -r -t "$1" _tmx_line </dev/ptmx || \builtin 'return' 0 ;;
				# Before bash 4 no part of a second is taken.
				[123].*) ;;
				*) \builtin 'read' -r -t "$1" _tmx_line </dev/ptmx || { \builtin 'test' "$?" -gt 128 && \builtin 'return' 0; } ;;
				esac
			fi
			"$_tmx_bin/sleep" "$1"
		}

		# Step into a scope that is there: better a ceiling shared with a neighbour than none.
		__tmx_join() {
			case "$-:${BASH_VERSION-}" in *'f'*':'?*) \builtin 'set' +f && _tmx_flags=${_tmx_flags}f ;; esac
			_tmx_at=
			case "${BASH_VERSION-}" in ?*) \builtin 'shopt' -q failglob && \builtin 'shopt' -u failglob && _tmx_at=1 ;; esac
			for _tmx_root in "$_tmx_dir/agent.slice/confine-agent-"*'.scope'; do
				_tmx_unit=${_tmx_root##*'/'}
				{ \builtin 'printf' '%s\n' "$_tmx_self" >|"$_tmx_root/cgroup.procs"; } && __tmx_moved && _tmx_at=${_tmx_at}0 && \builtin 'break'
			done
			case "$_tmx_at" in 1*) \builtin 'shopt' -s failglob ;; esac
			case "$_tmx_at" in *0) \builtin 'return' 0 ;; *) \builtin 'return' 1 ;; esac
		}

		# The time again.
		__tmx_clock() {
			__tmx_read /proc/uptime || \builtin 'return' 1
			_tmx_now=${_tmx_line%%' '*}
			_tmx_now=${_tmx_now%'.'*}${_tmx_now#*'.'}
		}

		# Whether few enough are asking just now. A line older than the longest wait is nobody: it counts no more.
		__tmx_turn() {
			_tmx_count=0
			_tmx_lines=0
			while \builtin 'read' -r _tmx_line; do
				_tmx_lines=$((_tmx_lines + 1))
				_tmx_at=${_tmx_line#?}
				case "$_tmx_at" in '' | '0'* | *[!0123456789]* | ????????????????*) \builtin 'continue' ;; esac
				\builtin 'test' "$((_tmx_now - _tmx_at))" -lt 25 || \builtin 'continue'
				case "$_tmx_line" in '+'*) _tmx_count=$((_tmx_count + 1)) ;; '-'*) _tmx_count=$((_tmx_count - 1)) ;; esac
			done <"$_tmx_calls"
			if \builtin 'test' "$_tmx_count" -le 0 || \builtin 'test' "$_tmx_lines" -gt 99; then \builtin 'printf' '' >|"$_tmx_calls"; fi
			\builtin 'test' "$_tmx_count" -lt 2
		}

		# Wait for a turn. Who had to wait steps in with somebody, if somebody is there.
		__tmx_queue() {
			# A manager that works for others meanwhile does not hang.
			__tmx_ran
			_tmx_deadline=$((_tmx_start + 24))
			__tmx_turn && \builtin 'return' 0
			while :; do
				__tmx_pause 0.03 && __tmx_clock || \builtin 'return' 1
				__tmx_turn && __tmx_left && \builtin 'return' 0
				__tmx_join && \builtin 'return' 1
				\builtin 'test' "$_tmx_now" -lt "$((_tmx_deadline - 5))" || \builtin 'return' 1
			done
		}

		# Look for the manager everywhere: a session of ssh or of a terminal stands beside it, a service of the system
		# such as cron does not stand below it.
		__tmx_elsewhere() {
			for _tmx_root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
				_tmx_at=$_tmx_path
				while \builtin 'test' -n "$_tmx_at"; do
					for _tmx_dir in "$_tmx_root$_tmx_at/user@$EUID.service" "$_tmx_root$_tmx_at"; do
						\builtin 'test' -r "$_tmx_dir/init.scope/cgroup.procs" && __tmx_manager && \builtin 'return' 0
					done
					_tmx_at=${_tmx_at%'/'*}
				done
				_tmx_dir=$_tmx_root/user.slice/user-$EUID.slice/user@$EUID.service
				\builtin 'test' -r "$_tmx_dir/init.scope/cgroup.procs" && __tmx_manager && \builtin 'return' 0
			done
			\builtin 'return' 1
		}

		# The seconds that are left for a call; fails when there are none: to timeout(1) a zero means no end.
		__tmx_left() {
			_tmx_deadline=$((_tmx_start + 24))
			__tmx_clock || \builtin 'return' 1
			_tmx_time=$((_tmx_deadline - 3 - _tmx_now))
			case "$_tmx_time" in 0 | '-'*) \builtin 'return' 1 ;; ?) _tmx_time=0.0$_tmx_time ;; *) _tmx_time=0.$_tmx_time ;; esac
		}

		# It takes longer: leave the processor to the manager, until the time is up.
		__tmx_wait() {
			_tmx_deadline=$((_tmx_start + 24))
			_tmx_at=0.001
			until __tmx_moved; do
				__tmx_clock && \builtin 'test' "$_tmx_now" -lt "$_tmx_deadline" && __tmx_pause "$_tmx_at" || \builtin 'return' 1
				\builtin 'test' "$((_tmx_now - _tmx_start))" -lt 4 || _tmx_at=0.01
			done
		}

		# Whether no answer came because the manager or its bus hangs, and not because everything is slow: it is stopped
		# or gone; or it did next to nothing while we waited, with processors free and no process kept from its disk or
		# memory.
		__tmx_hangs() {
			_tmx_was=$_tmx_ran
			__tmx_ran
			case "$_tmx_was:$_tmx_ran" in ':'* | *':' | *[!0123456789:]*) _tmx_was=0 && _tmx_ran=0 ;; esac
			__tmx_read "/proc/$_tmx_manager/stat" || \builtin 'return' 0
			case "$_tmx_line" in *') T '* | *') t '* | *') Z '* | *') X '*) \builtin 'return' 0 ;; esac
			\builtin 'test' "$((_tmx_ran - _tmx_was))" -lt 3000000 || \builtin 'return' 1
			for _tmx_at in 'io' 'memory'; do
				__tmx_read "/proc/pressure/$_tmx_at" || \builtin 'continue'
				case "$_tmx_line" in *'avg10='[3456789]?'.'* | *'avg10=100.'*) \builtin 'return' 1 ;; esac
			done
			__tmx_read /proc/loadavg || \builtin 'return' 1
			_tmx_line=${_tmx_line%' '*}
			_tmx_at=${_tmx_line##*' '}
			_tmx_at=${_tmx_at%%'/'*}
			__tmx_read /sys/devices/system/cpu/online || \builtin 'return' 1
			_tmx_line=${_tmx_line##*[!0123456789]}
			case "$_tmx_at:$_tmx_line" in ':'* | *':' | *[!0123456789:]*) \builtin 'return' 1 ;; esac
			\builtin 'test' "$_tmx_at" -le "$((2 * (_tmx_line + 1)))"
		}

		# Whether it was written down less than 30 s ago. The clock starts anew with the machine.
		__tmx_remembered() {
			__tmx_read "$_tmx_broken" || \builtin 'return' 1
			case "$_tmx_line" in '' | *[!0123456789]* | ????????????????*) \builtin 'return' 1 ;; esac
			\builtin 'test' "$_tmx_line" -le "$_tmx_start" && \builtin 'test' "$((_tmx_start - _tmx_line))" -lt 3000
		}

		# Write down for how long to leave the manager in peace, when it hangs or nothing stands behind its bus.
		__tmx_remember() {
			case "$_tmx_status:$_tmx_error" in
			'0:'*) ;;
			'137:'* | '124:'* | *'timed out'*) __tmx_hangs && \builtin 'printf' '%s\n' "$_tmx_start" >|"$_tmx_broken" ;;
			*'ailed to connect'* | *'onnection refused'* | *'onnection reset'* | *'not connected'* | *'org.freedesktop.systemd1 exited'*)
				\builtin 'printf' '%s\n' "$_tmx_start" >|"$_tmx_broken"
				;;
			esac
		}

		# Neither an answer nor a move: remember why, and step in with a neighbour. One may still be on its way where there
		# are many; not where the manager just said no.
		__tmx_else() {
			_tmx_deadline=$((_tmx_start + 24))
			__tmx_remember
			until __tmx_join; do
				case "$_tmx_status:$_tmx_error" in '0:'* | '137:'* | '124:'* | *'timed out'*) ;; *) \builtin 'return' ;; esac
				__tmx_clock && \builtin 'test' "$_tmx_now" -lt "$((_tmx_deadline - 2))" || \builtin 'return'
				__tmx_pause 0.02 || \builtin 'return'
			done
		}

		# Ask with the limits of memory and processor time as well: for 'all', or without OOMPolicy and with an ear for what is said.
		__tmx_limited() {
			_tmx_which=$1
			_tmx_count=5
			\builtin 'set' --
			if \builtin 'test' -n "${AGENT_MEMORY_MAX-}" && __tmx_bytes "$AGENT_MEMORY_MAX" 1048576; then
				\builtin 'set' -- "$@" 'MemoryMax' 't' "$_tmx_bytes"
				_tmx_count=$((_tmx_count + 1))
			fi
			if \builtin 'test' -n "${AGENT_MEMORY_SWAP_MAX-}" && __tmx_bytes "$AGENT_MEMORY_SWAP_MAX" 0; then
				\builtin 'set' -- "$@" 'MemorySwapMax' 't' "$_tmx_bytes"
				_tmx_count=$((_tmx_count + 1))
			fi
			case "${AGENT_CPU_WEIGHT-}" in
			'' | '0'* | *[!0123456789]* | ??????*) ;;
			*)
				if \builtin 'test' "$AGENT_CPU_WEIGHT" -le 10000; then
					\builtin 'set' -- "$@" 'CPUWeight' 't' "$AGENT_CPU_WEIGHT"
					_tmx_count=$((_tmx_count + 1))
				fi
				;;
			esac
			case "$_tmx_which" in
			'all') __tmx_ask "$_tmx_count" "$@" 'OOMPolicy' 's' 'continue' ;;
			*) _tmx_error=$(__tmx_ask "$((_tmx_count - 1))" "$@" 2>&1) ;;
			esac
		}

		# For a shell that cannot bound busctl by itself.
		__tmx_bounded() {
			(__tmx_become "$_tmx_bin/timeout" --foreground -s KILL "$_tmx_time" "$@")
		}

		# What parts an address and its fields is written as a number in a path (D-Bus specification, Server Addresses). It stands
		# in quotes because not every shell that passes by can read it.
		__tmx_escape() {
			\builtin 'eval' '_tmx_bus=${_tmx_run//"%"/"%25"}
			_tmx_bus=${_tmx_bus//","/"%2C"}
			_tmx_bus=unix:path=${_tmx_bus//";"/"%3B"}/bus'
		}

		# Once more, and listen to what is said: without OOMPolicy, because one unknown property fails the whole call, and systemd
		# before 253 does not know this one for scopes. Without time left it was no refusal.
		__tmx_again() {
			__tmx_left || { _tmx_status=124 && \builtin 'return' 1; }
			_tmx_status=0
			__tmx_limited 'known' && \builtin 'return' 0
			_tmx_status=1
			case "$_tmx_error" in *'ailed'*) ;; *) __tmx_left || _tmx_status=124 ;; esac
			\builtin 'return' 1
		}

		# After the first call, when we are not inside yet.
		__tmx_after() {
			case "$_tmx_status" in '0') __tmx_wait ;; *) __tmx_again && __tmx_wait ;; esac
			__tmx_answered
			case "$_tmx_inside" in '') __tmx_else ;; esac
		}

		_tmx_more='read'
		case "$_tmx_status" in '') __tmx_within __tmx_move ;; *) __tmx_within __tmx_after ;; esac
		__tmx_forget
		\builtin 'unset' _tmx_bytes _tmx_deadline _tmx_lines _tmx_was _tmx_which
		\builtin 'unset' -f __tmx_bytes __tmx_pause __tmx_join __tmx_clock __tmx_turn __tmx_queue __tmx_left __tmx_limited __tmx_again __tmx_wait \
			__tmx_hangs __tmx_remembered __tmx_remember __tmx_else __tmx_elsewhere __tmx_escape __tmx_bounded __tmx_after || :
		;;
	esac
} </dev/null >/dev/null 2>&1 || :
