// SPDX-License-Identifier: LGPL-3.0-or-later
// How long one reconstruction takes on many nodes: a simulation of discrete events, from rates. It does no input or
// output, and the same numbers give the same result everywhere.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::cli {

// What is stated of a cluster and of how the work is cut for it. Seconds, bytes, and bytes per second.
struct StatedCluster {
  double launch = 1; // of the launcher, until all processes run and know each other; none for one node
  double start = 0;  // of a process, until it could read its first work item

  double read = 40e9, write = 30e9; // the file system, for all nodes together
  double link = 10e9;               // between a node and the file system, each way
  double latency = 0.5e-3;          // of a request to the file system
  double requests = 16;             // that a node has in flight
  double metadata = 20e3;           // files that are opened, created or renamed per second, for all nodes together

  double counter_latency = 3e-6; // of an operation on the shared counter, there and back
  double counter_rate = 1e6;     // operations per second that its owner serves

  double item = 0;       // slices of a work item; 0: as planned for so many nodes, with the two that follow
  double step = 1;       // slices that kernels take together, so that items have a multiple of them
  double most_item = 16; // slices of an item where nodes are few
  double item_time = 0;  // what an item costs beside its slices
  double begun = 4;      // items that a node has begun and not ended, at most
  double extra_rows = 0; // detector rows that an item reads beyond its own, as those of a cone beam do
  double frames = 20;    // darks and flats, which one node reads for all

  // Standard deviations of the times of computing, as shares of them, and what makes them others.
  double item_variation = 0, node_variation = 0, seed = 1;
};

// What is to be reconstructed.
struct ClusterScan {
  int64_t slices = 1;
  double projections = 1;
  double row_bytes = 0;     // of a row of one projection, in the file
  double reduced_bytes = 0; // of the dark and the flat that all frames are reduced to
  double slice_bytes = 0;   // that are written; 0: nothing is
  double slice_files = 0;   // files that are created or renamed for a slice; 0: all slices are in one file
  double slice_seconds = 0; // of a node, from rows to slices
};

// A time that the reconstruction cannot be shorter than, whatever else were free.
struct ClusterBound {
  const char *key; // computing, reading, frames, writing, counter or start-up
  const char *about;
  double seconds;
};

struct ClusterTime {
  int64_t nodes, items, item; // of an item: its slices
  double seconds;
  std::vector<ClusterBound> bounds;

  bool too_few_items () const { return items < nodes; }
  const ClusterBound &largest () const;
};

// Slices of a work item, as the planner would have them for so many nodes.
double planned_item (const StatedCluster &cluster, const ClusterScan &scan, int64_t nodes);

// Each node is one process that takes work items from a counter that all share, and reads, computes and writes one item
// at a time each, so that these overlap. The first one that has an item makes the darks and flats, for which the others
// wait. Transfers share the file system evenly at each moment, and none is faster than the node's link, or than its
// requests in flight allow; files are opened and the counter is served one after the other.
ClusterTime simulate_cluster (const StatedCluster &cluster, const ClusterScan &scan, int64_t nodes);

} // namespace sino::cli
