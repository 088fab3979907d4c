// SPDX-License-Identifier: LGPL-3.0-or-later
// The node 'graph': uses a graph file as a node, with its open ends as ports.
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "glue/binding.hpp"
#include "glue/composite.hpp"
#include "graph/graph-file.hpp"

namespace sino {

namespace {

class GraphNode final : public Composite
{
public:
  static constexpr Info info{"graph", "Use a graph file as a node, with its unconnected inputs and output",
                             "SinoGraphNode"}; // the type SinoGraph is the graph itself

  std::span<const Port> inputs () const override { return file ().ports; }

  Expansion expand (std::span<const Format *const>, const Site &) const override
  {
    check_confined (path); // the file may have been read before the run set its limits
    const auto &contents = file ();
    Expansion made;
    for (const auto &node : contents.graph.nodes ())
      made.parts.push_back (
          {node.name, node.type, {}, ObjectPtr<SinoTask> (SINO_TASK (g_object_ref (node.task.get ())))});
    for (const auto &[from, to, input] : contents.graph.edges ())
      made.wires.push_back ({from, to, input});
    for (size_t port = 0; port < contents.inputs.size (); port++)
      made.feeds.push_back ({port, contents.inputs[port].first, contents.inputs[port].second});
    made.output = contents.output;
    made.why = text ("%zu node%s of %s", made.parts.size (), made.parts.size () == 1 ? "" : "s", path.c_str ());
    return made;
  }

private:
  std::string path;

  // A node and its copies read a file once, so that its ports do not change while edges lead to them.
  struct Files {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const GraphFile>> read;
  };
  std::shared_ptr<Files> files = std::make_shared<Files> ();

  const GraphFile &file () const
  {
    if (path.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "path wants a graph file, before the node is connected");
    const std::lock_guard guard (files->mutex);
    auto &found = files->read[path];
    if (!found)
      found = load_graph_file (path);
    return *found;
  }

public:
  static constexpr Property properties[] = {
      prop<&GraphNode::path> ("path", "The graph file; paths in it are relative to the working folder, like this one"),
  };
};

SINO_REGISTER (GraphNode)

} // namespace

} // namespace sino
