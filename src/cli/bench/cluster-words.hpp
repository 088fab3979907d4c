// SPDX-License-Identifier: LGPL-3.0-or-later
// What --cluster states of a cluster.
#pragma once
#include "cli/bench/cluster-model.hpp"
#include <span>

namespace sino::cli {

struct ClusterWord {
  const char *name, *unit, *about;
  double StatedCluster::*value;
  double scale; // what the unit is, in seconds, bytes or their ratio
  double least, most;
  bool whole;
};

std::span<const ClusterWord> cluster_words ();

// "read=100,latency=0.2" over what is usual. `stated`: names of what was. Throws Wrong.
StatedCluster parse_cluster (const char *words, std::vector<std::string> &stated);

// "  read=40 GB/s    of the file system, for all nodes together", a line for each, with what is usual.
std::string cluster_words_text ();

} // namespace sino::cli
