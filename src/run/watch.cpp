// SPDX-License-Identifier: LGPL-3.0-or-later
// The functions of a run for a program that shows it.
#include "run/run-state.hpp"
#include "run/run.hpp"

namespace sino {

void Run::pause ()
{
  state->context->gate.close ();
}

void Run::resume ()
{
  state->context->gate.open ();
}

bool Run::paused () const
{
  return state->context->gate.closed ();
}

bool Run::can_pause () const
{
  const auto &context = *state->context;
  return !context.cluster && std::ranges::none_of (context.net.nodes, [] (const NetNode &node) {
    return node.is_source () && facet<Embedded> (*node.task).waits_outside ();
  });
}

std::vector<std::string> Run::slice_sinks () const
{
  std::vector<std::string> names;
  for (const auto &node : state->context->net.nodes)
    if (node.is_sink () && node.format->kind () == Kind::slices)
      names.push_back (node.name);
  return names;
}

// Null if there is no such node.
static Newest *newest_of (RunContext &context, const std::string &name)
{
  for (size_t n = 0; n < context.net.nodes.size (); n++)
    if (context.net.nodes[n].name == name)
      return &context.meters.nodes[n].newest;
  return nullptr;
}

std::shared_ptr<const NewSlice> Run::newest_slice (const std::string &node) const
{
  const auto *newest = newest_of (*state->context, node);
  return newest ? newest->get () : nullptr;
}

void Run::wish_slice (const std::string &node)
{
  if (auto *newest = newest_of (*state->context, node))
    newest->wish ();
}

const Graph &Run::graph () const
{
  return state->graph;
}

} // namespace sino
