// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/graph-file.hpp"
#include "base/named-error.hpp"
#include "base/shown.hpp"
#include "graph/json-reader.hpp"
#include "graph/snapshot.hpp"
#include <algorithm>
#include <filesystem>

namespace sino {

namespace {

// Graph files being read, each used by a node of the file before it: to know the ports of a graph, its nodes' ports
// must be known.
struct Reading {
  std::vector<std::string> chain; // paths as written
  std::vector<std::filesystem::path> places;
  size_t nodes = 0; // nodes of all files since the first of the chain
};
thread_local Reading reading;

// Limits for nested files; no file written by hand exceeds them.
constexpr size_t most_levels = 16, most_nodes = 4096;

// Notes that the file is being read, until the returned object ends.
auto begin_reading (const std::string &path)
{
  std::error_code ignored;
  const auto place = std::filesystem::weakly_canonical (path, ignored);
  const bool ring = std::ranges::find (reading.places, place) != reading.places.end ();
  if (ring || reading.chain.size () == most_levels) {
    std::string names;
    for (const auto &name : reading.chain)
      names += name + " > ";
    fail (SINO_ERROR_BAD_GRAPH,
          ring ? "the graph file contains itself: %s%s" : "graph files within files, more than 16 levels: %s%s",
          names.c_str (), path.c_str ());
  }
  if (reading.chain.empty ())
    reading.nodes = 0;
  reading.chain.push_back (path);
  reading.places.push_back (place);
  return AtEnd ([] {
    reading.chain.pop_back ();
    reading.places.pop_back ();
  });
}

// Names each port like the inner port, preceded by the node's name if two have the same name. This is done twice,
// because such a combined name may be equal to the port of a nested graph.
std::vector<Port> name_ports (const Graph &graph, const std::vector<std::pair<size_t, size_t>> &inputs)
{
  std::vector<std::string> names;
  for (const auto &[node, input] : inputs)
    names.emplace_back (input_ports (graph.nodes ()[node])[input].name);
  auto full = names;
  for (size_t i = 0; i < names.size (); i++)
    full[i] = graph.nodes ()[inputs[i].first].name + "/" + names[i];
  for (int round = 0; round < 2; round++) {
    const auto before = names;
    for (size_t i = 0; i < names.size (); i++)
      if (std::ranges::count (before, before[i]) > 1)
        names[i] = full[i];
  }
  std::vector<Port> ports;
  for (const auto &name : names)
    ports.push_back ({g_intern_string (name.c_str ())});
  return ports;
}

size_t only_output (const Graph &graph, const std::vector<size_t> &outputs)
{
  if (outputs.empty ())
    fail (SINO_ERROR_BAD_GRAPH, "no output is open: as a node, a graph must have one unconnected output, and no sinks");
  if (outputs.size () == 1)
    return outputs[0];
  const auto names = join (outputs, ", ", [&] (size_t node) { return title (graph.nodes ()[node]); });
  fail (SINO_ERROR_BAD_GRAPH, "%zu outputs are open (%s): as a node, a graph must have one unconnected output",
        outputs.size (), names.c_str ());
}

} // namespace

std::shared_ptr<const GraphFile> load_graph_file (const std::string &path)
{
  const auto step = begin_reading (path);
  auto file = std::make_shared<GraphFile> ();
  file->graph = load_json (path);
  reading.nodes += file->graph.nodes ().size ();
  try {
    if (reading.nodes > most_nodes)
      fail (SINO_ERROR_BAD_GRAPH, "with the files that it contains it has more than %zu nodes", most_nodes);
    const auto open = file->graph.open_ends ();
    file->inputs = open.inputs;
    file->ports = name_ports (file->graph, open.inputs);
    file->output = only_output (file->graph, open.outputs);
  } catch (const Error &e) {
    throw_again (e, in_quotes (path) + ": " + e.what ());
  }
  return file;
}

} // namespace sino
