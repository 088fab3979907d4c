// SPDX-License-Identifier: LGPL-3.0-or-later
// Images of a dataset that were never written, for example because the scan ended early.
#pragma once
#include "formats/stack.hpp"
#include <string>
#include <vector>

namespace sino::files {

// Handles projections that were never written, as requested by `missing`: an error, the fill value of the file, or
// removal from `numbers` (in the scan) and `pages`. `title`: the dataset. Returns whether some were removed.
bool mend_unwritten (const formats::Stack &stack, formats::Missing missing, const std::string &title,
                     std::vector<int64_t> &numbers, std::vector<int64_t> &pages, std::vector<std::string> &messages);

// The same for sinograms or slices (`what`). These cannot be left out, because the numbers of later ones would change.
void refuse_unwritten (const formats::Stack &stack, formats::Missing missing, const char *what,
                       const std::string &title, const std::vector<int64_t> &pages, std::vector<std::string> &messages);

// Removes darks or flats that were never written from `pages`. Removes their entries from `positions` as well, which
// has one entry for each page, or none.
void leave_out_unwritten (const formats::Stack &stack, const char *what, std::vector<int64_t> &pages,
                          std::vector<double> &positions, std::vector<std::string> &messages);

} // namespace sino::files
