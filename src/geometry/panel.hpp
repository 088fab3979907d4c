// SPDX-License-Identifier: LGPL-3.0-or-later
// The detector as the scan has it, which files of geometry leave out.
#pragma once
#include "stream/view.hpp"
#include <cstdint>
#include <optional>

namespace sino {

struct Panel {
  int64_t columns, rows;
  double pixel = 0;                  // distance of its columns and rows; 0: unknown
  std::optional<double> column, row; // the point where a file's own coordinates begin, if it is not the middle

  double middle_column () const { return 0.5 * static_cast<double> (columns); }
  double middle_row () const { return 0.5 * static_cast<double> (rows); }
};

} // namespace sino
