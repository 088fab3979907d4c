// SPDX-License-Identifier: LGPL-3.0-or-later
// What the values of a stream are, as they are said, or seen in a few of them.
#pragma once
#include "base/monitor.hpp"
#include <cstdint>
#include <optional>

namespace sino {

// open: nothing tells it. Emission is added up along rays as attenuation is, and is reconstructed alike.
enum class Meaning : uint8_t { open, counts, transmission, attenuation, emission };

SINO_VISIBLE const char *name_of (Meaning meaning);

// A few rows of a few projections.
struct Seen {
  // Columns at a border of the detector.
  struct Border {
    int64_t columns = 0;
    double level = 0;  // the mean
    double spread = 0; // from the least mean of a projection to the greatest, of the level
    double slope = 0;  // from one half of the columns to the other, of the level
  };
  double least = 0, most = 0, mean = 0; // 98 % of the values lie between the first two
  Border left, right;
  // The same of the transmission that darks and flats give; nothing without flats.
  struct Air {
    Border left, right;
  };
  std::optional<Air> air;
};

// Looks at the pixels of a scan before any run.
class SINO_VISIBLE Look
{
public:
  virtual ~Look ();
  virtual Seen see () const = 0; // nothing can be seen: throws
};

} // namespace sino
