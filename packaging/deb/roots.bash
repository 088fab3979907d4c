# SPDX-License-Identifier: LGPL-3.0-or-later
# Clean roots of Debian, for scripts that are run as root. Sets: source_folder, suite, work. debootstrap makes one bare root a suite,
# others are its copies.
source_folder=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
suite=${1:-bookworm}
mirror=${SINO_DEBIAN_MIRROR:-http://deb.debian.org/debian}
work=$source_folder/build-deb/$suite
mkdir -p "$work"

fail()
{
  echo "${0##*/}: $*" >&2
  exit 1
}

[ "$(id -u)" -eq 0 ] || fail "only root can make roots of Debian: start it with sudo"

# Runs a command, says how many seconds it took, and shows what it printed if it failed: what it is, command.
step()
{
  local what=$1 begin=$EPOCHREALTIME log=$work/log status
  shift
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1
  status=$?
  set -e
  [ "$status" -eq 0 ] || { cat "$log"; fail "$what: failed"; }
  printf '%6.1f s  %s\n' "$(bc <<<"$EPOCHREALTIME - $begin")" "$what"
}

# A fresh root in $work: its name.
fresh_root()
{
  if [ ! -d "$work/bare" ]; then
    rm -rf "$work/unfinished"
    debootstrap --variant=minbase "$suite" "$work/unfinished" "$mirror"
    mv "$work/unfinished" "$work/bare"
  fi
  rm -rf "${work:?}/$1"
  cp -a "$work/bare" "$work/$1"
}

# Runs a command in a root, with processes and mounts of its own: the root's name, command.
in_root()
{
  local root=$work/$1
  shift
  unshare --mount --pid --fork --mount-proc="$root/proc" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-noautodbgsym}" chroot "$root" "$@"
}
