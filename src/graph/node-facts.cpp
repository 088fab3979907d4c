// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/node-facts.hpp"
#include "base/error.hpp"
#include "base/modules.hpp"
#include "base/variant.hpp"
#include "glue/registry.hpp"
#include "graph/properties.hpp"
#include "graph/snapshot.hpp"
#include <cmath>
#include <filesystem>

#ifndef SINO_PAGES
#error "SINO_PAGES: where the pages of nodes are installed, from the folder of the library"
#endif

namespace sino {

namespace {

std::string page_of (const std::string &name)
{
  const char *other = g_getenv ("SINOGRAPH_PAGES");
  const std::filesystem::path folder = other ? other : installed_path (SINO_PAGES);
  for (const auto *kind : {"filters", "tasks"}) {
    const auto path = folder / kind / (name + ".md");
    if (std::error_code code; std::filesystem::exists (path, code))
      return path;
  }
  return {};
}

std::vector<Signature> signatures_by_kind (const Signature &signature, bool has_output)
{
  std::vector<Signature> signatures;
  if (signature.takes.kinds.empty ())
    for (const auto kind : signature.gives.kinds.list ())
      signatures.push_back ({.gives = {kind, signature.gives.elements}});
  for (const auto kind : signature.takes.kinds.list ()) {
    const auto given = signature.gives.kinds.empty () ? kind : signature.gives.kinds;
    signatures.push_back (
        {{kind, signature.takes.elements}, {has_output ? given : Kinds (), signature.gives.elements}});
  }
  return signatures;
}

GVariant *to_variant (const Kinds &one, Element element)
{
  const auto kind = one.list ().front ();
  return Dict ().add ("kind", name_of (kind)).add ("element", name_of (element)).add ("axes", axes_of (kind)).end ();
}

// One dictionary for each pair of an input format and an output format.
std::vector<GVariant *> to_variants (const Signature &signature)
{
  std::vector<GVariant *> pairs;
  for (const auto taken :
       signature.takes.elements.empty () ? std::vector{Element ()} : signature.takes.elements.list ())
    for (const auto given : signature.gives.elements.empty () ? std::vector{taken} : signature.gives.elements.list ()) {
      Dict pair;
      if (!signature.takes.kinds.empty ())
        pair.add ("takes", to_variant (signature.takes.kinds, taken));
      if (!signature.gives.kinds.empty ())
        pair.add ("gives", to_variant (signature.gives.kinds, given));
      pairs.push_back (pair.end ());
    }
  return pairs;
}

GVariant *to_variant (const NodeFacts &node, GParamSpec *spec)
{
  Dict dict;
  dict.add ("name", spec->name).add ("type", type_text (spec));
  Value standard (spec->value_type);
  g_param_value_set_default (spec, standard.get ());
  const auto add = [&] (const char *name, GVariant *value) {
    const bool number = value && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE);
    if (value && !(number && !std::isfinite (g_variant_get_double (value)))) // JSON has no infinite numbers
      dict.add (name, value);
    else if (value)
      g_variant_unref (g_variant_ref_sink (value));
  };
  add ("default", sino::to_variant (standard.get ()));
  const auto limit = limits (spec);
  add ("minimum", limit.least);
  add ("maximum", limit.most);
  if (const auto words = choices (spec); !words.empty ())
    dict.add ("choices", words);
  return dict.add ("blurb", blurb_of (spec)).add ("live", node.is_live (spec)).end ();
}

} // namespace

std::string summary_of (GType type)
{
  const auto *known = task_type (type);
  return known ? known->info.summary : text ("Type %s", g_type_name (type));
}

std::string blurb_of (GParamSpec *spec)
{
  const char *text = g_param_spec_get_blurb (spec);
  return text ? text : "";
}

NodeFacts facts_of (const std::string &name)
{
  auto &registry = Registry::get ();
  const GType type = registry.find (name);
  Graph graph;
  auto *object = graph.nodes ()[graph.add (name)].task.get ();
  const auto task = snapshot (object);
  NodeFacts node{.name = name,
                 .summary = summary_of (type),
                 .type = g_type_name (type),
                 .module = registry.module_of (name),
                 .page = page_of (name),
                 .has_output = task->has_output (),
                 .composite = task->composite () != nullptr,
                 .properties = list_properties (type),
                 .live = live_properties (object)};
  try {
    node.inputs = input_ports (object);
  } catch (const Error &e) {
    node.unknown = e.what ();
  }
  if (task->stated_signature)
    node.signatures = signatures_by_kind (*task->stated_signature, node.has_output);
  else
    node.no_signatures = node.unknown.empty () ? "the node does not describe its formats" : node.unknown;
  if (!node.composite)
    node.devices.push_back ("native");
  if (!node.composite && task->kernels ())
    node.devices.push_back ("opencl");
  return node;
}

std::vector<std::string> axes_of (Kind kind)
{
  switch (kind) {
  case Kind::projections:
    return {"angle", "row", "column"};
  case Kind::sinograms:
    return {"row", "angle", "column"};
  case Kind::slices:
    return {"z", "y", "x"};
  case Kind::other:
    break;
  }
  return {"row", "column"};
}

GVariant *to_variant (const NodeFacts &node)
{
  Dict dict;
  dict.add ("name", node.name).add ("summary", node.summary).add ("type", node.type);
  if (!node.module.empty ())
    dict.add ("module", node.module);
  if (!node.page.empty ())
    dict.add ("page", node.page);
  dict.add ("composite", node.composite);
  if (!node.composite)
    dict.add ("devices", node.devices);
  if (node.unknown.empty ())
    dict.add ("inputs", node.inputs,
              [] (const Port &port) { return Dict ().add ("name", port.name).add ("optional", port.optional).end (); });
  else
    dict.add ("inputs-unknown", node.unknown);
  dict.add ("output", node.has_output);
  std::vector<GVariant *> formats;
  for (const auto &signature : node.signatures)
    std::ranges::copy (to_variants (signature), std::back_inserter (formats));
  dict.add ("formats", formats, [] (GVariant *pair) { return pair; });
  if (!node.no_signatures.empty ())
    dict.add ("formats-unknown", node.no_signatures);
  return dict.add ("properties", node.properties, [&] (GParamSpec *spec) { return to_variant (node, spec); }).end ();
}

} // namespace sino
