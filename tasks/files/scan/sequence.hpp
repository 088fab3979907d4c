// SPDX-License-Identifier: LGPL-3.0-or-later
// Files that are numbered one after the other, and the numbers that are not there.
#pragma once
#include "formats/stack.hpp"
#include <memory>

namespace sino::files {

using namespace formats;

struct Gaps {
  std::vector<int64_t> places; // in the complete sequence, rising
  std::string first;           // path of the first file that is missing
  int64_t files = 0;           // files that are there
};

// The gaps between files whose names differ in one number only; its step is the least that two neighbours are apart.
// None when the names differ in more, or in numbers that no step leads to, as those of times do, or that no scan is
// long enough for.
Gaps find_gaps (const std::vector<std::string> &paths);

// The complete sequence: zeros where a page is missing.
std::shared_ptr<const Stack> fill_gaps (std::shared_ptr<const Stack> stack, const Gaps &gaps);

// Those pages of the complete sequence that are there, and where these are in the stack with gaps.
std::vector<int64_t> leave_out (std::vector<int64_t> pages, const Gaps &gaps);
std::vector<int64_t> places_of (std::vector<int64_t> pages, const Gaps &gaps);

} // namespace sino::files
