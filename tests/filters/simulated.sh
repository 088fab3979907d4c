#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
# Runs a test on the simulator Oclgrind and fails on anything that it reports: simulated.sh OCLGRIND TEST [ARGS]
[ -x "$1" ] || exit 77
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
"$1" --check-api --data-races --uninitialized --log "$log" "$2" "$3" || exit 1
cat "$log"
! grep -q . "$log"
