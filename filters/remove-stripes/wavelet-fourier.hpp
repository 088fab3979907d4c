// SPDX-License-Identifier: LGPL-3.0-or-later
// Stripes as defined by B. Muench, P. Trtik, F. Marone and M. Stampanoni (Optics Express 17, 2009, 8567): details
// across columns in a wavelet transform that hardly change along angles.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "kernels/remove-stripes/wavelet.hpp"

namespace sino::remove_stripes {

struct WaveletSettings {
  int moments, levels;
  double sigma;
};

class WaveletFourier
{
public:
  WaveletFourier (const WaveletSettings &settings, int64_t angles, int64_t columns);

  // Memory for `groups` groups with this many lanes at a time.
  void memory (int64_t lanes, int64_t threads, int64_t groups, Bill &bill) const;
  // Removes stripes from a group of finite values.
  void remove (const Cpu &cpu, Allotment &memory, int64_t lanes, float *group) const;

  // --- for other devices ---
  const Bank &filters () const { return bank; }
  const std::vector<Plane> &sizes () const { return planes; }
  const std::vector<LowPass> &low_passes () const { return passes; }
  int64_t between () const; // number of values in a plane that is coarse along angles only
  int64_t values () const;  // number of values in this plane and in all levels

private:
  Bank bank;
  double sigma;
  std::vector<Plane> planes; // planes of one lane: the sinogram, and the approximation at each level
  std::vector<LowPass> passes;
};

} // namespace sino::remove_stripes
