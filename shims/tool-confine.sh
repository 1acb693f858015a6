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
# It runs in other people's shells. So: every builtin is called by a backslash and `builtin` (aliases, functions), every
# variable is local and has its prefix, no word is split, no array, no arithmetic on anything but digits, and no job is left.
# Literal words are quoted, because zsh has aliases that hold for any word.
{
	case "${BASH_VERSION-}${ZSH_VERSION-}" in
	?*)
		# Nothing works, and nothing is tried, where `builtin` is not what it should be.
		if \builtin 'test' 'a' '=' 'a' && ! \builtin 'test' 'a' '=' 'b'; then
			# The first line of a small file. zsh reads byte by byte for `read`, and at once like this, without a process.
			__tmx_read() {
				case "${ZSH_VERSION-}" in
				'') \builtin 'read' -r _tmx_line <"$1" ;;
				*) _tmx_line=$(<"$1") ;;
				esac
			}

			# Whether the kernel has moved us into $_tmx_unit.
			__tmx_moved() {
				case "${ZSH_VERSION-}" in
				'') IFS='' \builtin 'read' -r -d '' _tmx_line </proc/self/cgroup ;;
				*) _tmx_line=$(</proc/self/cgroup) ;;
				esac
				case "$_tmx_line" in *"/$_tmx_unit"*) \builtin 'return' 0 ;; *) \builtin 'return' 1 ;; esac
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

			# What few shells need: limits of memory, a turn to wait for, a manager that does not answer. As text it costs next to
			# nothing until then; bash takes as long to read a function as to start a process. No apostrophe may stand in it.
			__tmx_more() {
				\builtin 'eval' '
				# Bytes of a number with an optional K, M, G or T; fails on anything else, and on less than $2.
				__tmx_bytes() {
					_tmx_bytes=${1%[KMGT]}
					case "$_tmx_bytes" in "" | "0"?* | *[!0123456789]* | ????????????????*) \builtin "return" 1 ;; esac
					case "$1" in *"K" | *"M" | *"G" | *"T") case "$_tmx_bytes" in ???????*) \builtin "return" 1 ;; esac ;; esac
					case "$1" in
					*"K") _tmx_bytes=$((_tmx_bytes * 1024)) ;;
					*"M") _tmx_bytes=$((_tmx_bytes * 1048576)) ;;
					*"G") _tmx_bytes=$((_tmx_bytes * 1073741824)) ;;
					*"T") _tmx_bytes=$((_tmx_bytes * 1099511627776)) ;;
					esac
					\builtin "test" "$_tmx_bytes" -ge "$2"
				}

				# Sleep for $1 seconds, without a process where the shell can: on a terminal that nobody writes to. Forty shells
				# that each start a sleep take the processors from the manager that they wait for.
				__tmx_pause() {
					if \builtin "test" -r /dev/ptmx && \builtin "test" -w /dev/ptmx; then
						case "${BASH_VERSION-}" in
						"") \builtin "read" -r -t "$1" _tmx_line </dev/ptmx || \builtin "return" 0 ;;
						# Before bash 4 no part of a second is taken.
						[123].*) ;;
						*) \builtin "read" -r -t "$1" _tmx_line </dev/ptmx || { \builtin "test" "$?" -gt 128 && \builtin "return" 0; } ;;
						esac
					fi
					"$_tmx_bin/sleep" "$1"
				}

				# Step into a scope that is there: better a ceiling shared with a neighbour than none.
				__tmx_join() {
					case "$-:${BASH_VERSION-}" in *"f"*":"?*) \builtin "set" +f && _tmx_flags=${_tmx_flags}f ;; esac
					_tmx_at=
					case "${BASH_VERSION-}" in ?*) \builtin "shopt" -q failglob && \builtin "shopt" -u failglob && _tmx_at=1 ;; esac
					for _tmx_root in "$_tmx_dir/agent.slice/confine-agent-"*".scope"; do
						_tmx_unit=${_tmx_root##*"/"}
						{ \builtin "printf" "%s\n" "$_tmx_self" >|"$_tmx_root/cgroup.procs"; } && __tmx_moved && _tmx_at=${_tmx_at}0 && \builtin "break"
					done
					case "$_tmx_at" in 1*) \builtin "shopt" -s failglob ;; esac
					case "$_tmx_at" in *0) \builtin "return" 0 ;; *) \builtin "return" 1 ;; esac
				}

				# The time again.
				__tmx_clock() {
					__tmx_read /proc/uptime || \builtin "return" 1
					_tmx_now=${_tmx_line%%" "*}
					_tmx_now=${_tmx_now%"."*}${_tmx_now#*"."}
				}

				# Whether few enough are asking just now. A line older than the longest wait is nobody: it counts no more.
				__tmx_turn() {
					_tmx_count=0
					_tmx_lines=0
					while \builtin "read" -r _tmx_line; do
						_tmx_lines=$((_tmx_lines + 1))
						_tmx_at=${_tmx_line#?}
						case "$_tmx_at" in "" | "0"* | *[!0123456789]* | ????????????????*) \builtin "continue" ;; esac
						\builtin "test" "$((_tmx_now - _tmx_at))" -lt 25 || \builtin "continue"
						case "$_tmx_line" in "+"*) _tmx_count=$((_tmx_count + 1)) ;; "-"*) _tmx_count=$((_tmx_count - 1)) ;; esac
					done <"$_tmx_calls"
					if \builtin "test" "$_tmx_count" -le 0 || \builtin "test" "$_tmx_lines" -gt 99; then \builtin "printf" "" >|"$_tmx_calls"; fi
					\builtin "test" "$_tmx_count" -lt 2
				}

				# Wait for a turn. Who had to wait steps in with somebody, if somebody is there.
				__tmx_queue() {
					_tmx_deadline=$((_tmx_start + 24))
					__tmx_turn && \builtin "return" 0
					while :; do
						__tmx_pause 0.03 && __tmx_clock || \builtin "return" 1
						__tmx_turn && __tmx_left && \builtin "return" 0
						__tmx_join && _tmx_inside=1 && \builtin "return" 1
						\builtin "test" "$_tmx_now" -lt "$((_tmx_deadline - 5))" || \builtin "return" 1
					done
				}

				# Look for the manager everywhere: a session of ssh or of a terminal stands beside it, a service of the system
				# such as cron does not stand below it.
				__tmx_elsewhere() {
					for _tmx_root in "/sys/fs/cgroup" "/sys/fs/cgroup/unified"; do
						_tmx_at=$_tmx_cgroup
						while \builtin "test" -n "$_tmx_at"; do
							for _tmx_dir in "$_tmx_root$_tmx_at/user@$EUID.service" "$_tmx_root$_tmx_at"; do
								\builtin "test" -r "$_tmx_dir/init.scope/cgroup.procs" && __tmx_manager && \builtin "return" 0
							done
							_tmx_at=${_tmx_at%"/"*}
						done
						_tmx_dir=$_tmx_root/user.slice/user-$EUID.slice/user@$EUID.service
						\builtin "test" -r "$_tmx_dir/init.scope/cgroup.procs" && __tmx_manager && \builtin "return" 0
					done
					\builtin "return" 1
				}

				# What parts an address and its fields is written as a number in a path (D-Bus specification, Server Addresses).
				__tmx_escape() {
					_tmx_bus=${_tmx_run//"%"/"%25"}
					_tmx_bus=${_tmx_bus//","/"%2C"}
					_tmx_bus=unix:path=${_tmx_bus//";"/"%3B"}/bus
				}

				# The seconds that are left for a call; fails when there are none: to timeout(1) a zero means no end.
				__tmx_left() {
					_tmx_deadline=$((_tmx_start + 24))
					__tmx_clock || \builtin "return" 1
					_tmx_time=$((_tmx_deadline - 3 - _tmx_now))
					case "$_tmx_time" in 0 | "-"*) \builtin "return" 1 ;; ?) _tmx_time=0.0$_tmx_time ;; *) _tmx_time=0.$_tmx_time ;; esac
				}

				# Ask with the limits of memory and processor time as well: for "all", or without OOMPolicy and with an ear for what
				# is said. $1 says which; behind it stand the four properties that are always there.
				__tmx_limited() {
					_tmx_which=$1
					\builtin "shift"
					_tmx_count=5
					if \builtin "test" -n "${AGENT_MEMORY_MAX-}" && __tmx_bytes "$AGENT_MEMORY_MAX" 1048576; then
						\builtin "set" -- "$@" "MemoryMax" "t" "$_tmx_bytes"
						_tmx_count=$((_tmx_count + 1))
					fi
					if \builtin "test" -n "${AGENT_MEMORY_SWAP_MAX-}" && __tmx_bytes "$AGENT_MEMORY_SWAP_MAX" 0; then
						\builtin "set" -- "$@" "MemorySwapMax" "t" "$_tmx_bytes"
						_tmx_count=$((_tmx_count + 1))
					fi
					case "${AGENT_CPU_WEIGHT-}" in
					"" | "0"* | *[!0123456789]* | ??????*) ;;
					*)
						if \builtin "test" "$AGENT_CPU_WEIGHT" -le 10000; then
							\builtin "set" -- "$@" "CPUWeight" "t" "$AGENT_CPU_WEIGHT"
							_tmx_count=$((_tmx_count + 1))
						fi
						;;
					esac
					case "$_tmx_which" in
					"all") __tmx_call "$_tmx_count" "$@" "OOMPolicy" "s" "continue" ;;
					*) _tmx_error=$(__tmx_call "$((_tmx_count - 1))" "$@" 2>&1) ;;
					esac
				}

				# Once more, and listen to what is said: without OOMPolicy, because one unknown property fails the whole call, and
				# systemd before 253 does not know this one for scopes. Without time left it was no refusal.
				__tmx_again() {
					case "$_tmx_status" in 137 | 124) \builtin "return" 1 ;; esac
					__tmx_left || { _tmx_status=124 && \builtin "return" 1; }
					_tmx_status=0
					__tmx_limited known "$@" || _tmx_status=$?
					\builtin "return" "$_tmx_status"
				}

				# It takes longer: leave the processor to the manager after a while, until the time is up.
				__tmx_wait() {
					_tmx_deadline=$((_tmx_start + 24))
					_tmx_count=0
					until __tmx_moved; do
						_tmx_count=$((_tmx_count + 1))
						case "$_tmx_count" in
						? | ??) ;;
						*) __tmx_clock && \builtin "test" "$_tmx_now" -lt "$_tmx_deadline" && __tmx_pause 0.01 || \builtin "return" 1 ;;
						esac
					done
				}

				# Whether no answer came because the manager or its bus hangs, and not because everything is slow: it is stopped
				# or gone; or it did next to nothing while we waited, with processors free and no process kept from its disk or
				# memory.
				__tmx_hangs() {
					_tmx_was=$_tmx_ran
					__tmx_read "/proc/$_tmx_manager/schedstat" && _tmx_ran=${_tmx_line%%" "*}
					case "$_tmx_was:$_tmx_ran" in ":"* | *":" | *[!0123456789:]*) _tmx_was=0 && _tmx_ran=0 ;; esac
					__tmx_read "/proc/$_tmx_manager/stat" || \builtin "return" 0
					case "$_tmx_line" in *") T "* | *") t "* | *") Z "* | *") X "*) \builtin "return" 0 ;; esac
					\builtin "test" "$((_tmx_ran - _tmx_was))" -lt 3000000 || \builtin "return" 1
					for _tmx_at in "io" "memory"; do
						__tmx_read "/proc/pressure/$_tmx_at" || \builtin "continue"
						case "$_tmx_line" in *"avg10="[3456789]?"."* | *"avg10=100."*) \builtin "return" 1 ;; esac
					done
					__tmx_read /proc/loadavg || \builtin "return" 1
					_tmx_line=${_tmx_line%" "*}
					_tmx_at=${_tmx_line##*" "}
					_tmx_at=${_tmx_at%%"/"*}
					__tmx_read /sys/devices/system/cpu/online || \builtin "return" 1
					_tmx_line=${_tmx_line##*[!0123456789]}
					case "$_tmx_at:$_tmx_line" in ":"* | *":" | *[!0123456789:]*) \builtin "return" 1 ;; esac
					\builtin "test" "$_tmx_at" -le "$((2 * (_tmx_line + 1)))"
				}

				# Whether it was written down less than 30 s ago. The clock starts anew with the machine.
				__tmx_remembered() {
					__tmx_read "$_tmx_broken" || \builtin "return" 1
					case "$_tmx_line" in "" | *[!0123456789]* | ????????????????*) \builtin "return" 1 ;; esac
					\builtin "test" "$_tmx_line" -le "$_tmx_start" && \builtin "test" "$((_tmx_start - _tmx_line))" -lt 3000
				}

				# Write down for how long to leave the manager in peace, when it hangs or nothing stands behind its bus.
				__tmx_remember() {
					case "$_tmx_status:$_tmx_error" in
					"0:"*) ;;
					"137:"* | "124:"* | *"timed out"*) __tmx_hangs && \builtin "printf" "%s\n" "$_tmx_start" >|"$_tmx_broken" ;;
					*"ailed to connect"* | *"onnection refused"* | *"onnection reset"* | *"not connected"* | *"org.freedesktop.systemd1 exited"*)
						\builtin "printf" "%s\n" "$_tmx_start" >|"$_tmx_broken"
						;;
					esac
				}

				# Neither an answer nor a move: remember why, and step in with a neighbour. One may still be on its way where there
				# are many; not where the manager just said no.
				__tmx_else() {
					_tmx_deadline=$((_tmx_start + 24))
					__tmx_remember
					until __tmx_join; do
						case "$_tmx_status:$_tmx_error" in "0:"* | "137:"* | "124:"* | *"timed out"*) ;; *) \builtin "return" ;; esac
						__tmx_clock && \builtin "test" "$_tmx_now" -lt "$((_tmx_deadline - 2))" || \builtin "return"
						__tmx_pause 0.02 || \builtin "return"
					done
				}'
			}

			# Ask the manager for the scope with these properties; $1 is how many. The reply only says that the job is queued.
			# busctl's own time does not hold while it connects.
			__tmx_call() {
				(
					LC_ALL=C SYSTEMD_LOG_LEVEL=notice XDG_RUNTIME_DIR="$_tmx_run" DBUS_SESSION_BUS_ADDRESS="$_tmx_bus" \
						\builtin 'exec' "$_tmx_bin/timeout" --foreground -s KILL "$_tmx_time" "$_tmx_bin/busctl" --user --quiet --timeout="$_tmx_time" call \
						'org.freedesktop.systemd1' '/org/freedesktop/systemd1' 'org.freedesktop.systemd1.Manager' \
						'StartTransientUnit' 'ssa(sv)a(sa(sv))' "$_tmx_unit" 'fail' "$@" '0'
				)
			}

			# Ask for the scope, and wait until the kernel has moved us: without it the first child could still start outside, and
			# a shell that ends before it is moved leaves an empty scope behind. Nearly always that is a matter of a moment.
			__tmx_ask() {
				_tmx_unit=${SRANDOM-}
				case "$_tmx_unit" in
				'' | *[!0123456789]*) __tmx_read /proc/sys/kernel/random/uuid && _tmx_unit=${_tmx_line%%'-'*} || \builtin 'return' 1 ;;
				esac
				_tmx_unit=confine-agent-$_tmx_self-$_tmx_unit.scope
				_tmx_line=${AGENT_TASKS_MAX-}
				case "$_tmx_line" in '' | '0'* | *[!0123456789]* | ????????????????*) _tmx_line=1024 ;; esac
				\builtin 'set' -- 'PIDs' 'au' '1' "$_tmx_self" 'Slice' 's' 'agent.slice' 'CollectMode' 's' 'inactive-or-failed' 'TasksMax' 't' "$_tmx_line"
				case "${AGENT_MEMORY_MAX-}${AGENT_MEMORY_SWAP_MAX-}${AGENT_CPU_WEIGHT-}" in
				'') __tmx_call 5 "$@" 'OOMPolicy' 's' 'continue' ;;
				*) __tmx_more && __tmx_limited all "$@" ;;
				esac
				_tmx_status=$?
				case "$_tmx_status" in
				'0') ;;
				*) __tmx_more && __tmx_again "$@" || \builtin 'return' 1 ;;
				esac
				for _tmx_at in 1 2 3 4 5 6 7 8 9 10 11 12; do __tmx_moved && \builtin 'return' 0; done
				__tmx_more && __tmx_wait
			}

			# Everything in its order; $1 is /proc/self/cgroup.
			__tmx_move() {
				_tmx_cgroup=${1##*'
0::/'}
				case "$1" in "$_tmx_cgroup") _tmx_cgroup=${1#'0::/'} ;; esac
				case "$1" in "$_tmx_cgroup") \builtin 'return' ;; esac
				_tmx_cgroup=/${_tmx_cgroup%%'
'*}
				# With "(deleted)" behind its name it is no scope any more. Within a cgroup namespace nobody knows where he stands.
				case "$_tmx_cgroup" in *'/confine-'*'.scope' | *'/confine-'*'.scope/'* | '/' | '/..'*) \builtin 'return' ;; esac
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
				case "$_tmx_run" in *[%,\;]*) __tmx_more && __tmx_escape ;; esac
				# Hundredths of a second since the boot: the one clock that every shell can read without a process.
				__tmx_read /proc/uptime || \builtin 'return'
				_tmx_now=${_tmx_line%%' '*}
				_tmx_now=${_tmx_now%'.'*}${_tmx_now#*'.'}
				case "$_tmx_now" in '' | '0'* | *[!0123456789]*) \builtin 'return' ;; esac
				_tmx_start=$_tmx_now
				# The user's manager: nearly always above the own cgroup.
				_tmx_root=/sys/fs/cgroup/unified
				\builtin 'test' -d "$_tmx_root" || _tmx_root=/sys/fs/cgroup
				_tmx_dir=$_tmx_root$_tmx_cgroup
				until \builtin 'test' -r "$_tmx_dir/init.scope/cgroup.procs" && __tmx_manager; do
					_tmx_dir=${_tmx_dir%'/'*}
					case "$_tmx_dir" in "$_tmx_root") __tmx_more && __tmx_elsewhere && \builtin 'break' || \builtin 'return' ;; esac
				done
				case "$_tmx_manager" in '') \builtin 'return' ;; esac
				if \builtin 'test' -e "$_tmx_broken" && __tmx_more && __tmx_remembered; then
					__tmx_join
					\builtin 'return'
				fi
				for _tmx_bin in /usr/bin /bin /run/current-system/sw/bin ''; do
					\builtin 'test' -x "$_tmx_bin/busctl" && \builtin 'test' -x "$_tmx_bin/timeout" && \builtin 'break'
				done
				case "$_tmx_bin" in '') \builtin 'return' ;; esac
				# How long the manager has run so far, for the case that it does not answer.
				__tmx_read "/proc/$_tmx_manager/schedstat" && _tmx_ran=${_tmx_line%%' '*}
				# When many shells start at once and all of them ask, the processors are shared among all, and every answer comes too
				# late. So each that asks adds a line with the time when it began, and another when it has its answer; and where
				# lines are, most wait until a few have theirs. Who was alone leaves an empty file.
				if \builtin 'test' ! -s "$_tmx_calls" || { __tmx_more && __tmx_queue; }; then
					_tmx_turn=$_tmx_now
					\builtin 'printf' '+%s\n' "$_tmx_turn" >>"$_tmx_calls"
					__tmx_ask && _tmx_inside=1
					_tmx_now=
					{ \builtin 'read' -r _tmx_line && \builtin 'read' -r _tmx_now; } <"$_tmx_calls"
					case "$_tmx_line:$_tmx_now" in
					"+$_tmx_turn:") \builtin 'printf' '' >|"$_tmx_calls" ;;
					*) \builtin 'printf' '%s\n' "-$_tmx_turn" >>"$_tmx_calls" ;;
					esac
				fi
				case "$_tmx_inside" in '') __tmx_more && __tmx_else ;; esac
			}

			__tmx_confine() {
				case "${CONFINE_TOOL_SHELL-1}" in '0') \builtin 'return' ;; esac
				case "${SANDBOX_RUNTIME-}${CODEX_SANDBOX-}${CODEX_SANDBOX_NETWORK_DISABLED-}${FLATPAK_ID-}" in ?*) \builtin 'return' ;; esac
				case "${ZSH_VERSION-}" in ?*) \builtin 'emulate' -L zsh && \builtin 'setopt' null_glob no_xtrace ;; esac
				\builtin 'local' IFS='' _tmx_line='' _tmx_cgroup='' _tmx_now='' _tmx_root='' _tmx_at='' _tmx_dir='' _tmx_pid='' _tmx_manager='' \
					_tmx_ran='' _tmx_was='' _tmx_bytes='' _tmx_unit='' _tmx_error='' _tmx_flags='' _tmx_time=0.21 _tmx_deadline='' _tmx_bin='' \
					_tmx_run='' _tmx_self='' _tmx_count='' _tmx_status='' _tmx_broken='' _tmx_start='' _tmx_calls='' _tmx_turn='' _tmx_lines='' \
					_tmx_inside='' _tmx_which='' _tmx_bus='' || \builtin 'return'
				# Neither traced (BASH_XTRACEFD may lead anywhere) nor watched by a DEBUG trap, which would run for every step.
				case "$-:${BASH_VERSION-}" in *'x'*':'?*) \builtin 'set' +x && _tmx_flags=x ;; esac
				case "$-:${BASH_VERSION-}" in *'T'*':'?*) \builtin 'set' +T && _tmx_flags=${_tmx_flags}T ;; esac
				__tmx_move "$1" || :
				case "$_tmx_flags" in ?*) \builtin 'set' "-$_tmx_flags" ;; esac
			}

			__tmx_confine "${_tmx_cgroup-}" || :
			\builtin 'unset' _tmx_cgroup
			\builtin 'unset' -f __tmx_read __tmx_moved __tmx_manager __tmx_more __tmx_call __tmx_ask __tmx_move __tmx_confine
			\builtin 'unset' -f __tmx_bytes __tmx_pause __tmx_join __tmx_clock __tmx_turn __tmx_queue __tmx_left __tmx_limited __tmx_again \
				__tmx_wait __tmx_hangs __tmx_remembered __tmx_remember __tmx_else __tmx_elsewhere __tmx_escape || :
		else
			\unset _tmx_cgroup
		fi
		;;
	esac
} </dev/null >/dev/null 2>&1 || :
