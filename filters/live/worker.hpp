// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/live/maker.hpp"
#include "filters/live/resident.hpp"
#include "filters/live/seeking.hpp"
#include "filters/live/snapshots.hpp"
#include "glue/task.hpp"

namespace sino::live {

// `making`, the settings and the board must outlive the worker. `user`: the node.
std::unique_ptr<Worker> live_worker (const Replica &replica, const Keeping &keeping,
                                     std::shared_ptr<const ramp_filter::RowFilter> filter, const Making &making,
                                     const SnapshotSettings &snapshots, const Seeking &seeking, const void *user,
                                     Board &board);

} // namespace sino::live
