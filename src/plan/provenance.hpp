// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "plan/layouts.hpp"

namespace sino {

// Tells each sink everything that decides its pixels: the nodes upstream with their properties, the kind of device and
// the kernel variants used there, also for devices of other kinds that take part. Output paths, limits, dates and hosts
// are not included.
void tell_provenance (const Graph &graph, Net &net, const std::vector<DeviceGroup> &groups);

} // namespace sino
