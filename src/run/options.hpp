// SPDX-License-Identifier: LGPL-3.0-or-later
// Devices and limits of a run.
#pragma once
#include "device/device.hpp"
#include "ranks/cluster.hpp"

namespace sino {

struct RunOptions {
  double memory = 0;                                  // bytes this process may use; 0: 80 % of what is free
  int threads = 0;                                    // CPU threads for kernels; 0: all that the process may use
  std::vector<std::shared_ptr<const Device>> devices; // devices that run the graph; empty: native
  bool found_devices = false;                         // they are those of the machine, as none was asked for
  std::string trace;                                  // file for Chrome's trace events; empty: none
  std::string report;                                 // file for a page about the run; empty: none
  double aside = 0;                                   // bytes that the program will take besides the run
  bool resume = false; // continues with the finished part of an earlier run, if there is one
  bool strict = false; // fails before the work if a node doubts its findings
  static constexpr bool usually_goes_on = true;
  bool goes_on = usually_goes_on;             // continues without devices that fail, as long as others work
  int verify = 0;                             // number of slices that are computed again at the end
  bool only_samples = false;                  // computes only the data for those slices, and keeps nothing
  std::shared_ptr<const Device> composed_for; // device for which composites choose their parts; null: the chief device
  double watchdog = 0;              // seconds without progress after which the run fails; 0: it waits for ever
  std::string confine;              // folder in which all files that the graph reads and writes must lie; empty: any
  DeviceUse use;                    // settings for OpenCL devices
  bool read_ahead = true;           // sources read blocks before they are wanted
  int most_devices = 0;             // largest number of devices of the list; 0: all
  std::shared_ptr<Cluster> cluster; // the cluster in which this process is a rank; null: it works alone
};

} // namespace sino
