// SPDX-License-Identifier: LGPL-3.0-or-later
// Meaning of a stream's values, as stated or as judged from a few of them.
#pragma once
#include "base/monitor.hpp"
#include <cstdint>
#include <optional>

namespace sino {

// open: unknown. Emission is summed along rays like attenuation and is reconstructed in the same way.
enum class Meaning : uint8_t { open, counts, transmission, attenuation, emission };

SINO_VISIBLE const char *name_of (Meaning meaning);

// Statistics of a few rows of a few projections.
struct Seen {
  // Columns at a border of the detector.
  struct Border {
    int64_t columns = 0;
    double level = 0;  // the mean
    double spread = 0; // difference between the greatest and the least mean of a projection, relative to the level
    double slope = 0;  // difference between the two halves of the columns, relative to the level
  };
  double least = 0, most = 0, mean = 0; // 98 % of the values lie between the first two
  Border left, right;
  // The same for the transmission computed with darks and flats; none without flats.
  struct Air {
    Border left, right;
  };
  std::optional<Air> air;
};

// Reads some pixels of a scan before a run.
class SINO_VISIBLE Look
{
public:
  virtual ~Look ();
  virtual Seen see () const = 0; // throws if nothing can be seen
};

} // namespace sino
