// SPDX-License-Identifier: LGPL-3.0-or-later
// The geometry of a scan for people.
#pragma once
#include "plan/net.hpp"
#include "run/report/page.hpp"

namespace sino {

// Numbers of the geometry that slices were made with, in columns and rows of the scan as it was read, under names for
// people; `text` has the digits that `value` has.
struct GeometryFact {
  std::string name, text;
  std::optional<double> value = {};
};
std::vector<GeometryFact> geometry_facts (const Net &net);

} // namespace sino
