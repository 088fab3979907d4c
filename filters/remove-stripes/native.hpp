// SPDX-License-Identifier: LGPL-3.0-or-later
// Removes stripes on the CPU.
#pragma once
#include "filters/remove-stripes/settings.hpp"
#include "kernels/remove-stripes/shape.hpp"
#include <memory>

namespace sino::remove_stripes {

// The same for all groups of sinograms; any number of threads may use it.
class Remover
{
public:
  virtual ~Remover () = default;

  // Memory for `groups` groups with this many lanes at a time.
  virtual void memory (int64_t lanes, int64_t threads, int64_t groups, Bill &bill) const = 0;
  // Corrects the sinograms in the first `lanes` lanes of a group. The other lanes are zeros, and stay zeros.
  virtual void remove (const Cpu &cpu, Allotment &memory, const Shape &shape, int64_t lanes, const float *in,
                       float *out) const = 0;
};

// `angles`, `columns`: size of a sinogram.
std::shared_ptr<const Remover> make_remover (const Settings &settings, int64_t angles, int64_t columns);

} // namespace sino::remove_stripes
