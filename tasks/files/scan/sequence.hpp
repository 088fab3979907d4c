// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds missing files in a numbered sequence.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::files {

struct Gaps {
  std::vector<int64_t> places; // missing ones in the complete sequence, ascending
  std::string first;           // path of the first missing file
  int64_t files = 0;           // number of existing files
};

// The gaps between files whose names differ in one number only; the step is the least difference between neighbours.
// Empty if the names differ in more, if the numbers have no common step (for example times), or if the sequence would
// be longer than any scan.
Gaps find_gaps (const std::vector<std::string> &paths);

// leave_out (): the pages of the complete sequence that exist. places_of (): their indices in the stack with gaps.
std::vector<int64_t> leave_out (std::vector<int64_t> pages, const Gaps &gaps);
std::vector<int64_t> places_of (std::vector<int64_t> pages, const Gaps &gaps);

// Removes the first file that changed less than a second ago, and those behind it: a detector may still write them, or
// files before them.
void drop_unfinished (std::vector<std::string> &paths);

} // namespace sino::files
