// SPDX-License-Identifier: LGPL-3.0-or-later
// A graph after negotiation: task descriptions with frozen properties, and the format of every stream. The parts of
// composites stand in their place.
#pragma once
#include "base/named-error.hpp"
#include "glue/facets.hpp"
#include "graph/expansion.hpp"
#include <deque>
#include <functional>

namespace sino {

struct NetNode {
  std::string name, title; // names of the node; a part of a composite has "outer/inner"
  int composite = -1;      // the composite that it is a part of
  std::unique_ptr<Task> task;
  std::vector<int> producers;                 // node per input port, -1 where not connected
  std::vector<std::pair<int, int>> consumers; // (node, port) that take the output
  std::shared_ptr<const Format> format;       // format of the output; for a sink, of its input
  int64_t samples = 0;                        // number of slices that a sink keeps for verification

  bool is_sink () const { return !task->has_output (); }
  bool is_source () const { return producers.empty (); }
  // Whether nothing leaves the node before all of its inputs have arrived (interleave, average).
  bool gathers () const;
};

struct Composed {
  std::string name, title;
  int composite; // the composite that it is a part of, or -1
  Inner inner;
};

struct Net {
  std::vector<NetNode> nodes;      // producers before consumers
  std::deque<Composed> composites; // outer ones before their parts
  // For each node of the graph: the node of the net that gives its output; for a sink: the sink itself.
  std::vector<int> outputs;
  bool alone = false; // it runs on one device of one process, so serial tasks may work there

  NetNode &node (int n) { return nodes[static_cast<size_t> (n)]; }
  const NetNode &node (int n) const { return nodes[static_cast<size_t> (n)]; }
  const Composed &composite (int n) const { return composites[static_cast<size_t> (n)]; }

  // Port `port` of node `n`: its format, null where not connected. inputs (): those of a node that need not be in the
  // net yet.
  const Format *input (int n, size_t port) const;
  std::vector<const Format *> inputs (const NetNode &of) const;
};

// Negotiates a graph: copies its tasks, replaces composites by their parts, and finds the format of each stream. Errors
// name the node. `set_place`, if given, gets the title of each node before the node is called, and may throw.
Net negotiate_net (const Graph &graph, const Site &site,
                   const std::function<void (const std::string &)> &set_place = {});

// Negotiates a node and all nodes after it again, in place.
void renegotiate (Net &net, int first, const std::function<void (const std::string &)> &set_place);

// Negotiation only. Returns the format of each node's output (for sinks: their input), in the order of the graph's
// nodes. `messages`, if given, gets the messages of nodes that a run would show at its start.
SINO_VISIBLE std::vector<Format> negotiate (const Graph &graph, const Device &device = *native_device (),
                                            std::vector<std::string> *messages = nullptr);

// Runs `body`; adds the node's title in front of the message of what it throws, and its name to the error. `Titled`: a
// structure with the two.
template <class Titled, class Body> auto naming (const Titled &node, Body body) -> decltype (body ())
{
  try {
    return body ();
  } catch (const Error &e) {
    throw_again (e, node.title + ": " + e.what (), node.name);
  } catch (const std::bad_alloc &) {
    throw NamedError (SINO_ERROR_MEMORY, node.title + ": out of memory", node.name);
  } catch (const std::exception &e) {
    throw NamedError (SINO_ERROR_FAILED, node.title + ": " + e.what (), node.name);
  }
}

// Bytes that a source reads for these rows.
inline double bytes_read (const NetNode &node, const Rows &rows)
{
  return naming (node, [&] { return facet<Reads> (*node.task).bytes_read (*node.format, rows); });
}

inline std::string remark_of (const NetNode &node, const Device &device, int lanes)
{
  return naming (node, [&] { return node.task->remark (device, lanes); });
}

} // namespace sino
