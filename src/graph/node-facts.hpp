// SPDX-License-Identifier: LGPL-3.0-or-later
// Facts about a node, from the registry and the node itself.
#pragma once
#include "glue/task.hpp"
#include <algorithm>
#include <glib-object.h>

namespace sino {

struct SINO_VISIBLE NodeFacts {
  std::string name, summary, type;
  std::string module, page; // paths, "" if there is none
  std::vector<Port> inputs;
  std::string unknown; // reason why the inputs are unknown with default properties
  bool has_output, composite;
  // A signature with a single kind for each kind of input that the node takes; for a source: of output.
  std::vector<Signature> signatures;
  std::string no_signatures;        // reason why these are unknown
  std::vector<std::string> devices; // "native", "opencl"; empty for a composite, whose parts have their own
  std::vector<GParamSpec *> properties;
  std::vector<std::string> live; // names of properties that may be set during a run

  bool is_live (const GParamSpec *spec) const { return std::ranges::find (live, spec->name) != live.end (); }
};

SINO_VISIBLE NodeFacts facts_of (const std::string &name);
SINO_VISIBLE std::string summary_of (GType type);
SINO_VISIBLE std::string blurb_of (GParamSpec *spec);

// Names of the axes of a kind of stream; for `other`, only "row" and "column".
SINO_VISIBLE std::vector<std::string> axes_of (Kind kind);

// Returns the facts as a floating GVariant of type a{sv}.
SINO_VISIBLE GVariant *to_variant (const NodeFacts &node);

} // namespace sino
