// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/slices-at-once.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino::slice {

int slices_at_once (const OpenclDevice &device, int most, double share, const std::function<Bill (int slices)> &bill_of)
{
  const auto has = device.attempt ([&] { return device.device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE> (); });
  const double all = std::min (static_cast<double> (has), device.room ());
  const double usable = (device.use.memory > 0 ? share : 0.5) * all;
  for (int slices = most;; slices /= 2) {
    const auto bill = bill_of (slices);
    const auto bytes = static_cast<double> (total (bill));
    const auto largest = std::ranges::max (bill, {}, &BillItem::bytes).bytes;
    if (largest <= device.largest_buffer && (bytes <= usable || slices == 2)) // the plan reports missing memory
      return slices;
    if (slices == 2)
      fail (SINO_ERROR_MEMORY,
            "two slices at once need %s of device memory in one piece, but %s (%s) has at most %s: set variant=native",
            bytes_text (static_cast<double> (largest)).c_str (), device.id.c_str (), device.name.c_str (),
            bytes_text (static_cast<double> (device.largest_buffer)).c_str ());
  }
}

} // namespace sino::slice
