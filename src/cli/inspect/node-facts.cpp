// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/inspect/node-facts.hpp"
#include "base/error.hpp"
#include "base/variant.hpp"
#include "glue/registry.hpp"
#include "graph/properties.hpp"
#include "graph/snapshot.hpp"
#include <cmath>
#include <filesystem>

#ifndef SINO_PAGES
#error "SINO_PAGES: where the pages of nodes are installed"
#endif

namespace sino::cli {

namespace {

std::string page_of (const std::string &name)
{
  const char *other = g_getenv ("SINOGRAPH_PAGES");
  const std::filesystem::path folder = other ? other : SINO_PAGES;
  for (const auto *kind : {"filters", "tasks"}) {
    const auto path = folder / kind / (name + ".md");
    if (std::error_code code; std::filesystem::exists (path, code))
      return path;
  }
  return {};
}

GVariant *to_variant (const Shape &shape)
{
  std::vector<std::string> axes;
  for (const auto axis : shape.axes)
    axes.push_back (name_of (axis));
  return Dict ().add ("kind", name_of (shape.kind)).add ("element", name_of (shape.element)).add ("axes", axes).end ();
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
  if (!node.composite)
    node.devices.push_back ("native");
  if (!node.composite && task->kernels ())
    node.devices.push_back ("opencl");
  return node;
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
  const auto formats = formats_taken (node.name);
  dict.add ("formats", formats.fits, [&] (const Fit &fit) {
    Dict pair;
    if (!node.inputs.empty ())
      pair.add ("takes", to_variant (fit.taken));
    if (node.has_output)
      pair.add ("gives", to_variant (fit.given));
    return pair.end ();
  });
  if (!formats.why.empty ())
    dict.add ("formats-unknown", formats.why);
  return dict.add ("properties", node.properties, [&] (GParamSpec *spec) { return to_variant (node, spec); }).end ();
}

} // namespace sino::cli
