#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
# Runs a test on the simulator Oclgrind and fails on anything that it reports:
#
#   simulated.sh [OPTIONS OF OCLGRIND] PROGRAM [ARGS]
command -v oclgrind >/dev/null || { echo '# SKIP there is no oclgrind on the PATH'; exit 77; }
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
oclgrind --check-api --data-races --log "$log" "$@" || exit 1
cat "$log"
! grep -q . "$log"
