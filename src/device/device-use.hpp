// SPDX-License-Identifier: LGPL-3.0-or-later
// Limits and optimisations of a run on its OpenCL devices; optimisations can be switched off to measure their effect.
#pragma once

namespace sino {

struct DeviceUse {
  double memory = 0;        // bytes for blocks and buffers; 0: all memory of the device
  double slice_share = 0.5; // share of that for slices, if groups of projections are added to them

  bool pinned = true;          // host blocks that are transferred are in pinned memory
  bool local_tile = true;      // kernels keep data of a work-group in local memory
  bool write_combined = false; // memory that the host only writes is requested as write-combined
  bool overlap = true;         // transfers and kernels of all workers overlap

  static constexpr double least_share = 0.05, most_share = 0.95;

  friend bool operator== (const DeviceUse &, const DeviceUse &) = default;
};

} // namespace sino
