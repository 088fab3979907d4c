// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/inspect-text.hpp"
#include "base/error.hpp"
#include "formats/formats.hpp"
#include "glue/registry.hpp"
#include "graph/properties.hpp"
#include "graph/snapshot.hpp"
#include <algorithm>

namespace sino::cli {

namespace {

struct Described {
  std::string summary;
  std::vector<Port> inputs;
  std::string unknown; // why the inputs are, with the defaults of the properties
  bool has_output;
  std::vector<GParamSpec *> properties;
};

std::string summary_of (GType type)
{
  const auto *known = task_type (type);
  return known ? known->info.summary : text ("Type %s", g_type_name (type));
}

Described describe (const std::string &name)
{
  const GType type = Registry::get ().find (name);
  Graph graph;
  auto *task = graph.nodes ()[graph.add (name)].task.get ();
  Described node{summary_of (type), {}, {}, has_output (task), list_properties (type)};
  try {
    node.inputs = input_ports (task);
  } catch (const Error &e) {
    node.unknown = e.what ();
  }
  return node;
}

std::string blurb (GParamSpec *spec)
{
  const char *text = g_param_spec_get_blurb (spec);
  return text ? text : "";
}

// Text for a cell of a Markdown table.
std::string cell (const std::string &text)
{
  std::string out;
  for (const char c : text)
    out += c == '|' ? "\\|" : c == '\n' ? " " : std::string (1, c);
  return out;
}

std::string code (const std::string &text)
{
  return text.empty () ? "" : "`" + cell (text) + "`";
}

// "`hann`, `none`" of a choice, else the range.
std::string values (GParamSpec *spec)
{
  const auto words = choices (spec);
  if (words.empty ())
    return type_text (spec) == "boolean" ? "`true`, `false`" : range_text (spec);
  return join (words, ", ", code);
}

// Lines of columns as wide as their widest cell; the last column is not padded.
std::string table (const std::vector<std::vector<std::string>> &rows)
{
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size (); i++) {
      widths.resize (std::max (widths.size (), i + 1));
      widths[i] = std::max (widths[i], row[i].size ());
    }
  std::string out;
  for (const auto &row : rows) {
    out += " ";
    for (size_t i = 0; i < row.size (); i++)
      out += " " + row[i] + (i + 1 < row.size () ? std::string (widths[i] - row[i].size () + 1, ' ') : "");
    out += '\n';
  }
  return out;
}

} // namespace

std::string list_text (const std::vector<std::string> &names)
{
  std::vector<std::vector<std::string>> rows;
  for (const auto &name : names)
    rows.push_back ({name, summary_of (Registry::get ().find (name))});
  return table (rows);
}

// "formats to read: TIFF (.tif, .tiff; u8, u16, f16, f32), ..."
template <class F> static std::string formats_line (const std::string &node)
{
  const auto words = join (formats::registered<F> (), ", ", [] (const F *format) {
    return format->name + " (" + join (format->suffixes) + "; " + formats::elements_text (format->elements) + ")";
  });
  if (words.empty () || (!node.empty () && node != F::use))
    return "";
  return text ("%sformats to %s: %s\n", node.empty () ? "" : "\n", F::use, words.c_str ());
}

std::string formats_text (const std::string &node)
{
  return formats_line<formats::ReadingFormat> (node) + formats_line<formats::WritingFormat> (node);
}

std::string node_text (const std::string &name)
{
  const auto node = describe (name);
  std::string out = name + ": " + node.summary + "\n";
  if (!node.inputs.empty ()) {
    out += "\nInputs:\n";
    for (size_t i = 0; i < node.inputs.size (); i++)
      out += text ("  %zu  %s%s\n", i, node.inputs[i].name, node.inputs[i].optional ? " (optional)" : "");
  }
  if (!node.unknown.empty ())
    out += "\nInputs depend on the properties: " + node.unknown + "\n";
  if (!node.has_output)
    out += "\nNo output.\n";
  if (node.properties.empty ())
    return out + "\nNo properties.\n";
  std::vector<std::vector<std::string>> rows;
  for (auto *spec : node.properties) {
    const auto range = range_text (spec);
    rows.push_back (
        {spec->name, type_text (spec), default_json (spec), blurb (spec) + (range.empty () ? "" : " (" + range + ")")});
  }
  return out + "\nProperties, with their defaults:\n" + table (rows);
}

std::string node_json (const std::string &name)
{
  const auto node = describe (name);
  const auto inputs = join (node.inputs, ", ", [] (const auto &port) {
    return text ("{\"name\": %s, \"optional\": %s}", quote_json (port.name).c_str (), port.optional ? "true" : "false");
  });
  const auto properties = join (node.properties, ",", [] (GParamSpec *spec) {
    const auto words = join (choices (spec), ", ", quote_json);
    const auto range = words.empty () ? range_text (spec) : "";
    return text ("\n    {\"name\": %s, \"type\": %s%s%s, \"default\": %s, \"description\": %s}",
                 quote_json (spec->name).c_str (), quote_json (type_text (spec)).c_str (),
                 range.empty () ? "" : (", \"range\": " + quote_json (range)).c_str (),
                 words.empty () ? "" : (", \"values\": [" + words + "]").c_str (), default_json (spec).c_str (),
                 quote_json (blurb (spec)).c_str ());
  });
  return text ("{\n  \"name\": %s,\n  \"description\": %s,\n  \"inputs\": [%s],\n  \"output\": %s,\n"
               "  \"properties\": [%s%s]\n}",
               quote_json (name).c_str (), quote_json (node.summary).c_str (), inputs.c_str (),
               node.has_output ? "true" : "false", properties.c_str (), properties.empty () ? "" : "\n  ");
}

std::string node_markdown (const std::string &name)
{
  const auto node = describe (name);
  if (node.properties.empty ())
    return "This node has no properties.\n";
  std::string out = "| property | type | values | default | meaning |\n|---|---|---|---|---|\n";
  for (auto *spec : node.properties)
    out += text ("| `%s` | %s | %s | %s | %s |\n", spec->name, type_text (spec).c_str (), values (spec).c_str (),
                 code (default_text (spec)).c_str (), cell (blurb (spec)).c_str ());
  return out;
}

} // namespace sino::cli
