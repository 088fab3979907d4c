// SPDX-License-Identifier: LGPL-3.0-or-later
// Stripes as wavelet-fourier.hpp defines them, in the memory of an OpenCL device.
#pragma once
#include "filters/remove-stripes/opencl/batch.hpp"
#include "filters/remove-stripes/wavelet-fourier.hpp"

namespace sino::remove_stripes {

class OpenclWavelets
{
public:
  // Memory of the device, for this many groups of sinograms at a time.
  static void memory (const WaveletFourier &wavelets, int64_t lanes, int64_t groups, Bill &bill);

  OpenclWavelets (const OpenclDevice &device, const cl::Program &program, const WaveletFourier &wavelets, int64_t lanes,
                  Allotment &memory);

  void remove (const Batch &batch, Launches &launches);

private:
  // A plane of a level, and the places of its values in the buffer for one group.
  struct Level {
    Stack stack;
    int64_t coarse = 0, fine = 0; // places, multiplied by the number of groups
    int64_t factors = 0;          // place in the table
    int frequencies = 0;
  };

  const int taps;
  std::vector<Level> levels; // the first is the sinogram
  cl::Kernel fill_gaps, restore_gaps, coarsen_angles, split_columns, join_columns, refine_angles, find_frequencies,
      keep_frequencies;
  cl::Buffer planes, table, found;
};

} // namespace sino::remove_stripes
