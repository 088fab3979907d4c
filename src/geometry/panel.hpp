// SPDX-License-Identifier: LGPL-3.0-or-later
// Facts about the scan's detector that geometry files do not contain.
#pragma once
#include "stream/view.hpp"
#include <cstdint>
#include <optional>

namespace sino {

struct Panel {
  int64_t columns, rows;
  double pixel = 0;                  // detector pitch (distance of columns and of rows); 0: unknown
  std::optional<double> column, row; // origin of the file's detector coordinates; none: the middle of the detector
  double stated_pixel = 0;           // detector pitch in the file of the images, for files without one; 0: unknown

  double middle_column () const { return 0.5 * static_cast<double> (columns); }
  double middle_row () const { return 0.5 * static_cast<double> (rows); }
};

} // namespace sino
