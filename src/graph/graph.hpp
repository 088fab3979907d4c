// SPDX-License-Identifier: LGPL-3.0-or-later
// Nodes and edges as the user wrote them. Pixels and formats do not appear here.
#pragma once
#include "api/sino-task.h"
#include "base/pointers.hpp"
#include "glue/task.hpp"
#include "graph/snapshot.hpp"
#include "graph/wiring.hpp"
#include <map>
#include <string>
#include <vector>

namespace sino {

struct Node {
  std::string name; // unique in the graph
  std::string type; // operation of the node: "back-project"
  ObjectPtr<SinoTask> task;
};

// Inputs and outputs that are not connected. If the graph is part of another one, streams enter and leave it there.
struct OpenEnds {
  std::vector<std::pair<size_t, size_t>> inputs; // (node, port)
  std::vector<size_t> outputs;                   // nodes
};

class SINO_VISIBLE Graph
{
public:
  // Makes a node. An empty name becomes the type's, numbered if taken ("read", "read-2"). Throws on unknown types
  // and names that are taken.
  size_t add (const std::string &type, std::string name = {});
  size_t add (ObjectPtr<SinoTask> task, std::string name = {});

  // Connects; throws on a port that does not exist or is taken, a task without output, and a cycle.
  void connect (size_t from, size_t to, size_t input = 0);

  const std::vector<Node> &nodes () const { return nodes_; }
  const std::vector<Edge> &edges () const { return wiring_.edges (); }
  const Wiring &wiring () const { return wiring_; }
  // Index of a node; throws an error that suggests the most similar name.
  size_t find (const std::string &name) const;

  // Required inputs that are not connected, and outputs that are not, in the order of the nodes.
  OpenEnds open_ends () const;

  // Indices of the nodes, sources first. Throws if the graph is empty, has edges to ports that no longer exist, or has
  // open ends other than the expected ones.
  std::vector<size_t> order (const OpenEnds &expected = {}) const;

  // Returns a copy of the graph with copies of its tasks, so that later changes have no effect on it. Opens no file.
  // Tasks in C or Python cannot be copied: both graphs share their objects.
  Graph frozen () const;

private:
  std::vector<Node> nodes_;
  Wiring wiring_;
  std::map<std::string, size_t> places; // index of each node, by name
  std::map<std::string, int> numbers;   // number of generated names, by type
};

// Input ports of a node. Throws, with the node's title, if properties that decide the ports are wrong.
SINO_VISIBLE std::vector<Port> input_ports (const Node &node);

// "'ffc' (flat-field)", or "'flat-field'" if the name is that of the type.
SINO_VISIBLE std::string title (const Node &node);
// The title with a full name, for nodes inside composites.
SINO_VISIBLE std::string title (const Node &node, const std::string &full_name);

} // namespace sino
