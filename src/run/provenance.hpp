// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "run/net.hpp"

namespace sino {

// Tells each sink what decides the pixels that reach it: the nodes upstream with their properties, the kind of device
// and the variants that run there. Neither where results go, nor limits, dates or hosts.
void tell_provenance (const Graph &graph, Net &net, const Device &device);

} // namespace sino
