// SPDX-License-Identifier: LGPL-3.0-or-later
// "begin:end:step", as Python cuts lists.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::files {

struct Range {
  int64_t first = 0, step = 1, count = 0;
  int64_t end = 0; // as it was asked for: where the step goes on, there may be more before it

  // The numbers of the range, rising.
  std::vector<int64_t> numbers () const;
};

// The part of [0, extent) that the text asks for; each of its parts may be missing, negative numbers count from the
// end, and a single number is that one alone. Throws when the text is no range or nothing is left. `property` and
// `what` ("rows") are for the message.
Range parse_range (const char *property, const std::string &word, int64_t extent, const char *what);

} // namespace sino::files
