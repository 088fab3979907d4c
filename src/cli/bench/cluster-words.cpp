// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/bench/cluster-words.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include <algorithm>
#include <cmath>

namespace sino::cli {

namespace {

// The usual values are those of a file system of middle size behind a network of 100 Gbit/s: what one would state of
// another cluster, one should measure there.
constexpr ClusterWord all_words[] = {
    {"read", "GB/s", "of the file system, for all nodes together", &StatedCluster::read, 1e9, 1e-3, 1e6, false},
    {"write", "GB/s", "the same", &StatedCluster::write, 1e9, 1e-3, 1e6, false},
    {"link", "GB/s", "between a node and the file system, each way", &StatedCluster::link, 1e9, 1e-3, 1e6, false},
    {"latency", "ms", "of a request to the file system", &StatedCluster::latency, 1e-3, 0, 1e4, false},
    {"requests", "", "that a node has in flight", &StatedCluster::requests, 1, 1, 4096, true},
    {"metadata", "/s", "files opened, created or renamed, for all nodes together", &StatedCluster::metadata, 1, 1, 1e9,
     false},
    {"counter-latency", "us", "of taking a work item from the shared counter", &StatedCluster::counter_latency, 1e-6, 0,
     1e6, false},
    {"counter-rate", "/s", "work items that its owner can hand out", &StatedCluster::counter_rate, 1, 1, 1e12, false},
    {"launch", "s", "until the launcher has started and connected all processes", &StatedCluster::launch, 1, 0, 1e5,
     false},
    {"start", "s", "of a process (measured)", &StatedCluster::start, 1, 0, 1e5, false},
    {"item", "", "slices of a work item (as plans would have them for so many nodes)", &StatedCluster::item, 1, 1,
     65536, true},
    {"step", "", "slices that kernels take together, of which items have a multiple (as planned)", &StatedCluster::step,
     1, 1, 64, true},
    {"item-time", "ms", "that an item costs beside its slices (as plans count it)", &StatedCluster::item_time, 1e-3, 0,
     1e6, false},
    {"begun", "", "items that a node has begun and not ended, at most", &StatedCluster::begun, 1, 1, 64, true},
    {"extra-rows", "", "that an item reads beyond its own", &StatedCluster::extra_rows, 1, 0, 65536, true},
    {"frames", "", "darks and flats, which one node reads for all", &StatedCluster::frames, 1, 0, 1e5, true},
    {"item-variation", "", "standard deviation of the items' times of computing, as a share",
     &StatedCluster::item_variation, 1, 0, 0.5, false},
    {"node-variation", "", "the same of the nodes'", &StatedCluster::node_variation, 1, 0, 0.5, false},
    {"seed", "", "of these", &StatedCluster::seed, 1, 0, 1e9, true},
};

const ClusterWord &find_word (const std::string &name)
{
  std::vector<std::string> names;
  for (const auto &each : all_words) {
    if (name == each.name)
      return each;
    names.emplace_back (each.name);
  }
  const auto near = nearest (name, names);
  throw Wrong (SINO_ERROR_BAD_PROPERTY,
               text ("--cluster has no '%s': ", name.c_str ()) +
                   (near.empty () ? "there are " + join (names) : "did you mean " + in_quotes (near) + '?'));
}

} // namespace

std::span<const ClusterWord> cluster_words ()
{
  return all_words;
}

StatedCluster parse_cluster (const char *words, std::vector<std::string> &stated)
{
  StatedCluster cluster;
  if (!words)
    return cluster;
  for (const auto &word : split (words, ',')) {
    const auto equals = word.find ('=');
    if (equals == word.npos)
      throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--cluster wants NAME=VALUE,..., got '%s'", word.c_str ()));
    const auto &which = find_word (word.substr (0, equals));
    const auto value = word.substr (equals + 1);
    double number = 0;
    if (!parse_number (value, number) || !(number >= which.least && number <= which.most) ||
        (which.whole && number != std::floor (number)))
      throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--cluster %s wants a %snumber from %.10g to %.10g%s%s, got '%s'",
                                                  which.name, which.whole ? "whole " : "", which.least, which.most,
                                                  *which.unit ? " " : "", which.unit, value.c_str ()));
    cluster.*which.value = number * which.scale;
    stated.emplace_back (which.name);
  }
  return cluster;
}

std::string cluster_words_text ()
{
  std::string out;
  const StatedCluster usual;
  for (const auto &each : all_words) {
    const bool found = each.value == &StatedCluster::start || each.value == &StatedCluster::item_time ||
                       each.value == &StatedCluster::item || each.value == &StatedCluster::step;
    const auto value = found ? std::string ("...") : text ("%.10g", usual.*each.value / each.scale);
    out += text ("%s  %-24s %s", out.empty () ? "" : "\n", (each.name + ("=" + value) + " " + each.unit).c_str (),
                 each.about);
  }
  return out;
}

} // namespace sino::cli
