// SPDX-License-Identifier: LGPL-3.0-or-later
// The options of 'sinograph tune' that belong to single nodes: the words of their families of kernels.
#pragma once
#include "bench/scan.hpp"
#include "cli/options.hpp"
#include "families/use.hpp"

namespace sino::bench {

// A node with a family of OpenCL kernels.
struct TunedNode {
  std::string name;
  const families::Family *family;
  bool runs;         // by itself: else it stands for other nodes
  Properties limits; // with which it does, where it has another node find them otherwise
};
std::vector<TunedNode> tuned_nodes ();

class TuneWords
{
public:
  // A word that tune itself has `taken` as an option is called after its node, too: --median-size.
  TuneWords (const std::vector<TunedNode> &nodes, const std::vector<GOptionEntry> &taken);
  ~TuneWords ();
  TuneWords (const TuneWords &) = delete;
  TuneWords &operator= (const TuneWords &) = delete;

  void add_entries (std::vector<GOptionEntry> &entries);

  // What was given, as properties of the node, or as what comes in. Throws Wrong for what the node does not have.
  struct Given {
    Properties properties;
    bool half = false;
  };
  Given given_for (const TunedNode &node) const;
  std::string any () const; // the name of one that was given, or ""

private:
  struct Option {
    std::string name;
    std::vector<std::string> nodes; // those that have it
    std::string help, property;
    char *word = nullptr;
  };
  std::vector<Option> options;
};

} // namespace sino::bench
