#!/bin/bash
# Runs a command under a real systemd user manager of its own, also on a machine that was not booted with systemd.
#
#   user-systemd.sh COMMAND [ARG...]               as root
#   RIG_USER=NAME user-systemd.sh COMMAND [ARG...] as that user
#
# Wants root, and Debian's packages systemd and dbus-user-session. Nothing of it is seen outside: /run is a tmpfs and
# /sys/fs/cgroup a cgroup2 mount in a mount namespace of this call, and all processes live in one cgroup that is killed and
# removed at the end. The exit status is the command's; 69 (EX_UNAVAILABLE) when no manager can be started here.
#
# The command stands in a scope as a terminal's shell does. RIG_CGROUP and RIG_MANAGER tell it the manager's cgroup and pid.
# Where cgroup v1 holds the pids and memory controllers, the manager takes limits and reports them, and the kernel enforces none.
set -euo pipefail

unavailable() {
	printf 'user-systemd.sh: %s\n' "$*" >&2
	exit 69
}

if [[ -z ${RIG_STAGE-} ]]; then
	(($#)) || unavailable 'a command is needed'
	[[ $EUID == 0 ]] || unavailable 'this needs root'
	exec env RIG_STAGE=1 unshare --mount --propagation private -- "$BASH" "$0" "$@"
fi
unset RIG_STAGE

user=${RIG_USER-root}
uid=$(id -u "$user")
gid=$(id -g "$user")
cgroups=/sys/fs/cgroup

# Take the processes and the directories of a rig away; the manager first, so that it does not fight for its units.
dismantle() {
	local subtree=$1 k
	[[ -e $subtree/cgroup.kill ]] && echo 1 >"$subtree/cgroup.kill"
	for ((k = 0; k < 100; k++)); do
		find "$subtree" -depth -type d -exec rmdir {} + 2>/dev/null && return
		sleep 0.02
	done
}

mount -t tmpfs -o mode=755 none /run
umount -R "$cgroups" 2>/dev/null || true
mount -t cgroup2 none "$cgroups" || unavailable 'cgroup2 cannot be mounted'

# A rig that was killed could not clean up behind itself.
for stale in "$cgroups"/tmx-rig-*; do
	[[ -d $stale && ! -d /proc/${stale##*-} ]] && dismantle "$stale"
done

subtree=$cgroups/tmx-rig-$$
home=/run/rig-home
runtime=/run/user/$uid
export RIG_CGROUP=$subtree/manager
terminal=$RIG_CGROUP/app.slice/vte-spawn-rig.scope
mkdir -p "$RIG_CGROUP" "$runtime" /run/systemd/system "$home" # /run/systemd/system: what sd_booted(3) looks for
# Each controller by itself: which of them are here is the machine's matter.
for level in "$cgroups" "$subtree"; do
	for controller in pids memory cpu io; do echo "+$controller" 2>/dev/null >"$level/cgroup.subtree_control" || true; done
done
mkdir -p "$terminal"
chown -R "$uid:$gid" "$subtree" "$home"
mount -t tmpfs -o "mode=700,uid=$uid,gid=$gid" none "$runtime"
export HOME=$home XDG_RUNTIME_DIR=$runtime DBUS_SESSION_BUS_ADDRESS=unix:path=$runtime/bus
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME

as_user() {
	if [[ $uid == 0 ]]; then exec "$@"; fi
	exec setpriv --reuid "$uid" --regid "$gid" --clear-groups -- "$@"
}

(
	echo "$BASHPID" >"$RIG_CGROUP/cgroup.procs"
	as_user setsid /lib/systemd/systemd --user --log-target=console
) </dev/null >/run/manager.log 2>&1 &
export RIG_MANAGER=$!

# shellcheck disable=SC2317 # called by the trap
finish() {
	local status=$?
	trap '' TERM INT HUP
	exec 2>/dev/null # bash would tell of each process that is killed
	dismantle "$subtree"
	exit "$status"
}
trap finish EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
trap 'exit 129' HUP

for ((k = 0; ; k++)); do
	if [[ -S $runtime/bus ]] && (as_user busctl --user --timeout=1 status org.freedesktop.systemd1) >/dev/null 2>&1; then break; fi
	if ((k > 400)) || [[ ! -d /proc/$RIG_MANAGER ]]; then
		cat /run/manager.log >&2
		unavailable 'the manager did not start'
	fi
	sleep 0.05
done

# In the background, so that a signal ends the rig and not only the command.
(
	echo "$BASHPID" >"$terminal/cgroup.procs"
	as_user "$@"
) <&0 &
command=$!
status=0
wait "$command" || status=$?
exit "$status"
