// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "plan/layouts.hpp"

namespace sino {

// Tells each sink what decides the pixels that reach it: the nodes upstream with their properties, the kind of device
// and the variants that run there, and those of devices that take part beside and are unlike it. Neither where results
// go, nor limits, dates or hosts.
void tell_provenance (const Graph &graph, Net &net, const std::vector<DeviceGroup> &groups);

} // namespace sino
