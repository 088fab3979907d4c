// SPDX-License-Identifier: LGPL-3.0-or-later
// When the axis is sought while a scan goes on, and in which rows: settled before the run.
#pragma once
#include "device/bill.hpp"
#include "stream/format.hpp"
#include <cstdint>
#include <vector>

namespace sino::live {

constexpr const char *kept_item = "rows in which the axis is sought", *sinogram_item = "a sinogram",
                     *binned_item = "binned rows and spectra";

struct Seeking {
  bool applies = false;       // to the pictures
  std::vector<double> angles; // of the projections of the first turn, in their order; empty: nothing is sought
  std::vector<int64_t> rows;  // of the detector, rising
  int64_t columns = 0, height = 0;
  bool whole = true;            // whether these are all projections
  std::vector<int64_t> moments; // numbers of projections after which the axis is sought, rising

  // Throws if the scan gives an axis for each projection, or its angles do not show one.
  Seeking (const Format &in, bool applies);
  Seeking () = default;

  bool on () const { return !moments.empty (); }
  void memory (int threads, Bill &bill) const;
};

} // namespace sino::live
