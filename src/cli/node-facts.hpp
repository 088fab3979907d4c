// SPDX-License-Identifier: LGPL-3.0-or-later
// What the registry and a node itself tell about it.
#pragma once
#include "cli/formats-taken.hpp"
#include "glue/task.hpp"
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
};

NodeFacts facts_of (const std::string &name);
std::string summary_of (GType type);
std::string blurb_of (GParamSpec *spec);
// Whether it may be set while the run goes on.
bool is_live (GParamSpec *spec);

// As GVariant of type a{sv}, floating.
GVariant *to_variant (const NodeFacts &node);

} // namespace sino::cli
