// SPDX-License-Identifier: LGPL-3.0-or-later
// Ranges "begin:end:step", as in Python slices.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::files {

struct Range {
  int64_t first = 0, step = 1, count = 0;
  int64_t end = 0; // requested end; the last number plus the step may be below it

  // The numbers of the range, ascending.
  std::vector<int64_t> numbers () const;
};

// The part of [0, extent) that the text selects. Each of its three parts may be missing, negative numbers count from
// the end, and a single number selects only itself. Throws if the text is no range or nothing is selected. `property`
// and `what` ("rows") are for the message.
Range parse_range (const char *property, const std::string &word, int64_t extent, const char *what);

} // namespace sino::files
