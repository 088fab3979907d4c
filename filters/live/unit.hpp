// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <optional>

namespace sino::live {

// The unit in which halves count values, for their mean size in the first projection that has any; none if it is 0.
std::optional<float> unit_for (double mean);

} // namespace sino::live
