# SPDX-License-Identifier: LGPL-3.0-or-later
# Clean roots of Debian, for scripts that are run as root. Sets: source_folder, suite, work. debootstrap makes one bare root a suite,
# others are its copies.
source_folder=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
suite=${1:-bookworm}
mirror=${SINO_DEBIAN_MIRROR:-http://deb.debian.org/debian}
work=$source_folder/build-packages/$suite
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

# A fresh root in $work: its name, and the suite if it is another one.
fresh_root()
{
  local of=${2:-$suite} bare script
  bare=$source_folder/build-packages/$of/bare
  if [ ! -d "$bare" ]; then
    rm -rf "$bare.unfinished"
    script=$of # suites that are newer than debootstrap are made as sid is
    [ -e "/usr/share/debootstrap/scripts/$of" ] || script=sid
    debootstrap --variant=minbase "$of" "$bare.unfinished" "$mirror" "$script"
    mv "$bare.unfinished" "$bare"
  fi
  rm -rf "${work:?}/$1"
  cp -a "$bare" "$work/$1"
}

# The files of the working tree that git knows or does not ignore, as sinograph/ in a root: its name.
copy_sources()
{
  mkdir "$work/$1/sinograph"
  git -C "$source_folder" ls-files -z --cached --others --exclude-standard |
    tar -C "$source_folder" --null --files-from=- --ignore-failed-read -c | tar -C "$work/$1/sinograph" -x
}

# A scan to try what was packaged with, where there is one: the root's name, the file in it.
copy_scan()
{
  local tooth=$source_folder/../shared/data/tooth.h5
  [ ! -e "$tooth" ] || cp "$tooth" "$work/$1/$2"
}

# Runs a command in a root, with processes and mounts of its own: the root's name, command.
in_root()
{
  local root=$work/$1
  shift
  unshare --mount --pid --fork --mount-proc="$root/proc" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-noautodbgsym}" chroot "$root" "$@"
}
