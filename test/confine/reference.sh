# shellcheck shell=bash
# The plain way to confine a shell, as the fragment was first described: for comparison with shims/tool-confine.sh under the
# same faults. One call without a bound of its own, no look at the pid namespace, no memory, no neighbour's scope.
plain_confine() {
	[[ ${CONFINE_TOOL_SHELL-1} == 0 ]] && return 0
	local line unit end
	line=$(cat /proc/self/cgroup 2>/dev/null) || return 0
	[[ $line == */confine-* ]] && return 0
	command -v busctl >/dev/null 2>&1 || return 0
	unit=confine-agent-$$-$RANDOM.scope
	busctl --user call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager StartTransientUnit \
		'ssa(sv)a(sa(sv))' "$unit" fail 5 PIDs au 1 $$ Slice s agent.slice TasksMax t "${AGENT_TASKS_MAX:-1024}" \
		OOMPolicy s continue CollectMode s inactive-or-failed 0 >/dev/null 2>&1 || return 0
	end=$((${EPOCHREALTIME/[.,]/} + 250000))
	while ((${EPOCHREALTIME/[.,]/} < end)); do
		line=$(cat /proc/self/cgroup 2>/dev/null) || return 0
		[[ $line == *"$unit"* ]] && return 0
	done
	return 0
}
plain_confine
unset -f plain_confine
