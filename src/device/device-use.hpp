// SPDX-License-Identifier: LGPL-3.0-or-later
// What a run may take of each of its OpenCL devices, and what it does without there, to see what it brings.
#pragma once

namespace sino {

struct DeviceUse {
  double memory = 0;        // bytes of blocks and buffers that it works in; 0: what it has
  double slice_share = 0.5; // of that, kept for slices where groups of projections are added to them

  bool pinned = true;          // blocks of the host that are transferred stay in place
  bool local_tile = true;      // kernels keep what a group shares in local memory
  bool write_combined = false; // what the host only writes is asked for as such
  bool overlap = true;         // transfers and kernels of all workers run side by side

  static constexpr double least_share = 0.05, most_share = 0.95;

  friend bool operator== (const DeviceUse &, const DeviceUse &) = default;
};

} // namespace sino
