// SPDX-License-Identifier: LGPL-3.0-or-later
// Options of 'sinograph tune' for single nodes: the words of their kernel families.
#pragma once
#include "bench/scan.hpp"
#include "cli/options.hpp"
#include "families/use.hpp"

namespace sino::bench {

// A node with a family of OpenCL kernels.
struct TunedNode {
  std::string name;
  const families::Family *family;
  bool runs;         // whether the node runs itself; otherwise it is a composite
  Properties limits; // properties with which it runs itself, if another node would find them otherwise
};
std::vector<TunedNode> tuned_nodes ();

class TuneWords
{
public:
  // If tune itself has an option of that name (`taken`), the name of the node is added: --median-size.
  TuneWords (const std::vector<TunedNode> &nodes, const std::vector<GOptionEntry> &taken);

  void add_entries (std::vector<GOptionEntry> &entries);

  // The given options, as properties of the node, or as properties of its input. Throws Wrong for options that the node
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
