// SPDX-License-Identifier: LGPL-3.0-or-later
// What the registry and a node itself tell about it.
#pragma once
#include "cli/inspect/formats-taken.hpp"
#include "glue/task.hpp"
#include <algorithm>
#include <glib-object.h>

namespace sino::cli {

struct NodeFacts {
  std::string name, summary, type;
  std::string module, page; // paths, "" where there is none
  std::vector<Port> inputs;
  std::string unknown; // why the inputs are, with the defaults of the properties
  bool has_output, composite;
  std::vector<std::string> devices; // "native", "opencl"; none of a composite, whose parts have their own
  std::vector<GParamSpec *> properties;
  std::vector<std::string> live; // names of those that may be set while a run goes on

  bool is_live (const GParamSpec *spec) const { return std::ranges::find (live, spec->name) != live.end (); }
};

NodeFacts facts_of (const std::string &name);
std::string summary_of (GType type);
std::string blurb_of (GParamSpec *spec);

// As GVariant of type a{sv}, floating.
GVariant *to_variant (const NodeFacts &node);

} // namespace sino::cli
