// SPDX-License-Identifier: LGPL-3.0-or-later
// Where a run works, and what it may take.
#pragma once
#include "device/device.hpp"
#include "ranks/cluster.hpp"

namespace sino {

struct RunOptions {
  double memory = 0;                                  // bytes this process may use; 0: 80 % of what is free
  int threads = 0;                                    // CPU threads for kernels; 0: all that the process may use
  std::vector<std::shared_ptr<const Device>> devices; // where reconstruction runs; empty: native
  std::string trace;                                  // file for Chrome's trace events; empty: none
  bool resume = false;                                // goes on with what an earlier run has finished, if any has
  bool strict = false;                                // ends before the work where a node doubts what it has found
  bool goes_on = true;                                // without devices that fail, as long as there are others
  int verify = 0;                                     // slices that are computed again at the end
  bool only_samples = false;                          // computes only what holds those slices, and keeps nothing
  std::shared_ptr<const Device> composed_for;         // whom nodes that stand for others suit; null: the chief device
  double watchdog = 0;              // seconds without progress after which the run fails; 0: it waits for ever
  std::string confine;              // folder that what the graph reads and writes must lie in; empty: any
  DeviceUse use;                    // of OpenCL devices
  bool read_ahead = true;           // sources read blocks before they are wanted
  int most_devices = 0;             // so many of the list at most; 0: all
  std::shared_ptr<Cluster> cluster; // of which this process is a rank; null: it works alone
};

// What `find` gives, for a run that this process works on with those that mpirun or srun has started beside it; where
// it throws, the others are told.
SINO_VISIBLE RunOptions options_of_ranks (const std::function<RunOptions ()> &find);

} // namespace sino
