// SPDX-License-Identifier: LGPL-3.0-or-later
// Options of 'sinograph tune' for single nodes: the words of their kernel families.
#pragma once
#include "bench/scan.hpp"
#include "cli/options.hpp"
#include "families/use.hpp"

namespace sino::bench {

// A node with a family of OpenCL kernels, and an output.
struct TunedNode {
  std::string name;
  const families::Family *family;
  bool runs;         // false: the node is a composite, or wants a file
  Properties limits; // properties without which the node would be a composite, or would not run
};
std::vector<TunedNode> tuned_nodes ();

// Whether a node with kernels examines the scan before a run: there is no run before this one.
bool examines_scan (const std::string &node);

class TuneWords
{
public:
  // `taken`: options of tune itself. An option of a node with the same name gets the node's name: --median-size.
  TuneWords (const std::vector<TunedNode> &nodes, const std::vector<GOptionEntry> &taken);

  void add_entries (std::vector<GOptionEntry> &entries);

  // The given options as properties of the node, and as properties of its input. Throws Wrong for options that the node
  // does not have.
  struct Given {
    Properties properties;
    bool half = false;
  };
  Given given_for (const TunedNode &node) const;
  std::string any () const; // the name of a given option, or ""

private:
  struct Option {
    std::string name;
    std::vector<std::string> nodes; // nodes that have the option
    std::string help, property;
    const char *word = nullptr;
  };
  std::vector<Option> options;
};

} // namespace sino::bench
