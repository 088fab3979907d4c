// SPDX-License-Identifier: LGPL-3.0-or-later
// Images of a dataset that were never written, as in a scan that ended early.
#pragma once
#include "formats/stack.hpp"
#include <string>
#include <vector>

namespace sino::files {

// Deals with projections that were never written as it was asked for: `numbers` of the scan and their `pages`, of which
// those are left out that shall be. `title` of the dataset. Gives back whether some are left out.
bool mend_unwritten (const formats::Stack &stack, formats::Missing missing, const std::string &title,
                     std::vector<int64_t> &numbers, std::vector<int64_t> &pages, std::vector<std::string> &messages);

// The same of sinograms or slices, `what` they are, of which none can be left out: those behind would move up.
void refuse_unwritten (const formats::Stack &stack, formats::Missing missing, const char *what,
                       const std::string &title, const std::vector<int64_t> &pages, std::vector<std::string> &messages);

// Leaves darks or flats out that were never written. `positions` of the pages, or none.
void leave_out_unwritten (const formats::Stack &stack, const char *what, std::vector<int64_t> &pages,
                          std::vector<double> &positions, std::vector<std::string> &messages);

} // namespace sino::files
