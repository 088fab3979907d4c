// SPDX-License-Identifier: LGPL-3.0-or-later
// Stripes as B. Muench, P. Trtik, F. Marone and M. Stampanoni tell them (Optics Express 17, 2009, 8567): what a wavelet
// transform has of details along columns that hardly change along angles.
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

  // What it takes: memory for groups of so many lanes.
  void memory (int64_t lanes, int64_t threads, Bill &bill) const;
  // Takes the stripes from a group of finite values.
  void remove (const Cpu &cpu, Allotment &memory, int64_t lanes, float *group) const;

private:
  Bank bank;
  double sigma;
  std::vector<Plane> planes; // of a lane: the sinogram, and what is left of it at each level
  std::vector<LowPass> passes;

  int64_t between () const; // values that are coarse along angles alone
  int64_t values () const;  // those, and of all levels
};

} // namespace sino::remove_stripes
