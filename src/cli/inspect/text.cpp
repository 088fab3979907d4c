// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/inspect/text.hpp"
#include "cli/print.hpp"
#include "formats/formats.hpp"
#include "glue/registry.hpp"
#include "graph/node-facts.hpp"
#include "graph/properties.hpp"
#include <algorithm>

namespace sino::cli {

namespace {

// Escapes text for a cell of a Markdown table.
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

// "`hann`, `none`" for a choice, otherwise the range.
std::string values (GParamSpec *spec)
{
  const auto words = choices (spec);
  if (words.empty ())
    return type_text (spec) == "boolean" ? "`true`, `false`" : range_text (spec);
  return join (words, ", ", code);
}

} // namespace

std::string list_text (const std::vector<std::string> &names)
{
  std::vector<std::vector<std::string>> rows;
  for (const auto &name : names)
    rows.push_back ({name, summary_of (Registry::get ().find (name))});
  return columns_text (rows);
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

// Breaks text into lines of limited length; all lines but the first begin with `indent`.
static std::string wrapped (const std::string &words, const std::string &indent)
{
  constexpr size_t most = 100;
  std::string out;
  size_t column = indent.size ();
  for (const auto &word : split (words, ' ')) {
    if (!out.empty () && column + 1 + word.size () > most) {
      out += "\n" + indent;
      column = indent.size ();
    } else if (!out.empty ()) {
      out += ' ';
      column++;
    }
    out += word;
    column += word.size ();
  }
  return out + "\n";
}

// "u8, u16 projections (angle, row, column)". `elements`: used if the set has no element types.
static std::string shape_text (const FormatSet &set, const std::string &elements)
{
  const auto kind = set.kinds.list ().front ();
  const auto own = join (set.elements.list (), ", ", [] (Element element) { return name_of (element); });
  return text ("%s %s (%s)", own.empty () ? elements.c_str () : own.c_str (), name_of (kind),
               join (axes_of (kind)).c_str ());
}

std::string signature_text (const Signature &signature)
{
  if (signature.takes.kinds.empty ())
    return shape_text (signature.gives, "");
  auto taken = shape_text (signature.takes, "");
  if (signature.gives.kinds.empty ())
    return taken;
  const auto elements = signature.takes.elements.list ();
  return taken + " -> " +
         shape_text (signature.gives, elements.size () == 1 ? name_of (elements[0]) : "the same elements,");
}

std::string node_text (const std::string &name)
{
  const auto node = facts_of (name);
  std::string out = name + ": " + node.summary + "\n\n";
  std::vector<std::vector<std::string>> facts{{"Type", node.type}};
  facts.push_back ({"Module", node.module.empty () ? "none: part of the program" : node.module});
  if (!node.page.empty ())
    facts.push_back ({"Page", node.page});
  facts.push_back ({"Runs on", node.composite ? "the devices of the nodes that it stands for"
                               : node.devices.size () > 1
                                   ? "native, OpenCL ('sinograph devices' shows which kernels are chosen)"
                                   : "native"});
  out += columns_text (facts);
  if (!node.unknown.empty ())
    out += "\nInputs depend on the properties: " + node.unknown + "\n";
  else if (node.inputs.empty ())
    out += "\nNo inputs.\n";
  else
    out += "\nInputs:\n";
  for (size_t i = 0; i < node.inputs.size (); i++)
    out += text ("  %zu  %s%s\n", i, node.inputs[i].name, node.inputs[i].optional ? " (optional)" : "");
  if (!node.has_output)
    out += "\nNo output.\n";
  const auto *what = node.inputs.empty () && node.unknown.empty () ? "Gives"
                     : node.has_output                             ? "Takes and gives"
                                                                   : "Takes";
  if (node.signatures.empty ())
    out += text ("\n%s: not known: %s\n", what, node.no_signatures.c_str ());
  else
    out += text ("\n%s, with suitable properties:\n", what) +
           join (node.signatures, "",
                 [] (const Signature &signature) { return "  " + signature_text (signature) + "\n"; });
  if (node.properties.empty ())
    return out + "\nNo properties.\n";
  size_t width = 0;
  for (auto *spec : node.properties)
    width = std::max (width, std::string_view (spec->name).size ());
  out += "\nProperties:\n";
  const std::string indent (width + 4, ' ');
  for (auto *spec : node.properties) {
    const auto range = range_text (spec);
    out += text ("  %-*s  ", static_cast<int> (width), spec->name) + wrapped (blurb_of (spec), indent) + indent +
           wrapped (type_text (spec) + (range.empty () ? "" : ": " + range) + ". Default: " + default_json (spec) +
                        (node.is_live (spec) ? ". Can be changed during a run" : ""),
                    indent);
  }
  return out;
}

std::string node_markdown (const std::string &name)
{
  const auto node = facts_of (name);
  if (node.properties.empty ())
    return "This node has no properties.\n";
  std::string out = "| property | type | values | default | meaning |\n|---|---|---|---|---|\n";
  for (auto *spec : node.properties)
    out += text ("| `%s` | %s | %s | %s | %s |\n", spec->name, type_text (spec).c_str (), values (spec).c_str (),
                 code (default_text (spec)).c_str (), cell (blurb_of (spec)).c_str ());
  return out;
}

} // namespace sino::cli
