// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/live/maker.hpp"
#include "filters/live/seeking.hpp"
#include "filters/live/snapshots.hpp"
#include "glue/task.hpp"

namespace sino::live {

// `making`, the settings and the board must outlive the worker. `user`: the node.
std::unique_ptr<Worker> live_worker (const Replica &replica, std::unique_ptr<Easel> easel, const Making &making,
                                     const SnapshotSettings &snapshots, const Seeking &seeking, const void *user,
                                     Board &board);

} // namespace sino::live
