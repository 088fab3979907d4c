// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "ufo/ufo.hpp"
#include <algorithm>
#include <cmath>
#include <optional>

namespace sino::ufo {

namespace {

constexpr size_t none = static_cast<size_t> (-1);
constexpr double degrees = 57.29577951308232;

std::string word (const Node &node, const char *property, const char *otherwise)
{
  const auto found = node.given.find (property);
  return found == node.given.end () ? otherwise : found->second;
}

double number (const Node &node, const char *property, double otherwise)
{
  double value = otherwise;
  const auto given = word (node, property, "");
  if (!given.empty () && !parse_number (given, value))
    refuse (node, property, text ("it must be a number, not '%s'", given.c_str ()));
  return value;
}

std::string exact (double value)
{
  return text ("%.17g", value);
}

class Rewriter
{
public:
  explicit Rewriter (Graph &g) : graph (g) {}

  void run ()
  {
    // The list does not grow; removed nodes have an empty type.
    for (size_t i = 0; i < graph.nodes.size (); i++) {
      if (type (i) == "filter")
        filter (i);
      else if (type (i) == "retrieve-phase")
        retrieve_phase (i);
      else if (type (i) == "stack" || type (i) == "slice" || type (i) == "buffer")
        drop (i);
    }
    for (size_t i = 0; i < graph.nodes.size (); i++)
      if (type (i) == "average" || type (i) == "flatten")
        reduce (i);
    for (size_t i = 0; i < graph.nodes.size (); i++)
      if (type (i) == "backproject")
        back_project (i);
    for (size_t i = 0; i < graph.nodes.size (); i++)
      if (type (i) == "read")
        read (i);
      else if (type (i) == "write")
        write (i);
    left ();
  }

private:
  const std::string &type (size_t node) const
  {
    static const std::string nothing;
    return node == none ? nothing : graph.nodes[node].type;
  }

  size_t before (size_t node) const
  {
    const auto at = std::ranges::find_if (graph.edges, [&] (const Edge &e) { return e.to == node && e.input == 0; });
    return at == graph.edges.end () ? none : at->from;
  }

  size_t after (size_t node) const
  {
    const auto leads = [&] (const Edge &e) { return e.from == node; };
    const auto at = std::ranges::find_if (graph.edges, leads);
    const bool only = std::ranges::count_if (graph.edges, leads) == 1;
    return only ? at->to : none;
  }

  void drop (size_t node)
  {
    const auto source = before (node);
    if (source == none)
      refuse (graph.nodes[node], "", "nothing is connected to it");
    std::erase_if (graph.edges, [&] (const Edge &e) { return e.to == node; });
    for (auto &edge : graph.edges)
      if (edge.from == node)
        edge.from = source;
    graph.nodes[node].type.clear ();
  }

  // Removes fft and ifft around a node, and the pad and crop around these. Returns the pad.
  std::optional<Node> unwrap (size_t node, double dimensions)
  {
    const auto fft = before (node), ifft = after (node);
    if (type (fft) != "fft" || type (ifft) != "ifft")
      refuse (graph.nodes[node], "", "it is supported only between fft and ifft: fft ! filter ! ifft is 'ramp-filter'");
    for (const auto end : {fft, ifft})
      if (number (graph.nodes[end], "dimensions", 1) != dimensions)
        refuse (graph.nodes[end], "dimensions", text ("it must be %g beside %s", dimensions, type (node).c_str ()));
    const auto pad = before (fft), crop = after (ifft);
    drop (fft);
    drop (ifft);
    if (type (pad) != "pad")
      return {};
    const auto padding = graph.nodes[pad];
    if (type (crop) == "crop")
      drop (crop);
    else if (word (graph.nodes[ifft], "crop-width", "").empty ())
      refuse (padding, "",
              "a crop after ifft is missing, to remove the padding; 'pad' and 'crop' of Sinograph count columns at "
              "each side");
    drop (pad);
    return padding;
  }

  void filter (size_t node)
  {
    const auto pad = unwrap (node, 1);
    auto &me = graph.nodes[node];
    const auto window = word (me, "filter", "ramp-fromreal");
    if (window == "butterworth" || window == "hamming")
      me.set["cutoff"] = exact (std::min (2 * number (me, "cutoff", 0.5), 1.0));
    if (window == "butterworth")
      me.set["order"] = word (me, "order", "4");
    me.set["padding-mode"] = "zero";
    if (!pad)
      return;
    const auto mode = word (*pad, "addressing-mode", "clamp");
    if (mode != "none" && mode != "clamp" && mode != "clamp_to_edge")
      refuse (*pad, "addressing-mode",
              text ("'%s' is not among none, clamp, clamp_to_edge; use clamp_to_edge", mode.c_str ()));
    me.set["padding-mode"] = mode == "clamp_to_edge" ? "edge" : "zero";
  }

  // The result of 'tie' is (delta / beta) / 2 times the value whose logarithm Paganin's method takes.
  void retrieve_phase (size_t node)
  {
    unwrap (node, 2);
    auto &me = graph.nodes[node];
    if (word (me, "method", "tie") != "tie")
      refuse (me, "method", "its phases have the opposite sign here; use 'retrieve-phase' in a graph of Sinograph");
    const auto log = after (node);
    const auto expression = type (log) == "calculate" ? word (graph.nodes[log], "expression", "") : "";
    const auto ratio = std::pow (10.0, number (me, "regularization-rate", 2.5));
    double factor = 0;
    std::string squeezed;
    std::ranges::copy_if (expression, std::back_inserter (squeezed), [] (char c) { return c != ' '; });
    constexpr std::string_view begin = "-log(", end = "*v)";
    if (squeezed.starts_with (begin) && squeezed.ends_with (end))
      parse_number (squeezed.substr (begin.size (), squeezed.size () - begin.size () - end.size ()), factor);
    if (squeezed != "-log(v)" && (factor <= 0 || std::abs (factor * ratio / 2 - 1) > 1e-3))
      refuse (me, "method",
              text ("tie is supported with calculate expression='-log(%g * v)' after ifft and crop, as 'retrieve-phase "
                    "method=paganin'; for the phase use retrieve-phase method=tie in a graph of Sinograph",
                    2 / ratio));
    if (squeezed == "-log(v)")
      refuse (graph.nodes[log], "expression", text ("it adds a constant; give '-log(%g * v)'", 2 / ratio));
    drop (log);
    me.set["method"] = "paganin";
    me.set["delta-beta"] = exact (ratio);
  }

  // Translates a node that combines several darks or flats into one frame before flat-field correction.
  void reduce (size_t node)
  {
    const auto to = after (node);
    const auto how = type (node) == "average" ? "mean" : word (graph.nodes[node], "mode", "mean");
    const bool corrects =
        std::ranges::any_of (graph.edges, [&] (const Edge &e) { return e.from == node && e.to == to && e.input > 0; });
    if (type (to) != "flat-field-correct" || !corrects)
      refuse (graph.nodes[node], "",
              "frames can be combined only for the darks and flats of flat-field-correct; use 'bin' to make images "
              "smaller");
    if (how != "mean" && how != "median")
      refuse (graph.nodes[node], "mode", text ("'%s' is not among mean, median", how.c_str ()));
    const auto set = graph.nodes[to].set.emplace ("reduce", how).first;
    if (set->second != how)
      refuse (
          graph.nodes[node], "",
          "darks and flats must be combined in the same way here: both by 'average', or both by 'flatten mode=median'");
    drop (node);
  }

  void back_project (size_t node)
  {
    auto &me = graph.nodes[node];
    double count = number (me, "num-projections", -1);
    bool sinograms = true;
    auto source = before (node);
    for (; before (source) != none; source = before (source))
      if (type (source) == "transpose-projections") {
        sinograms = false;
        count = number (graph.nodes[source], "number", count);
      }
    if (type (source) != "read")
      refuse (me, "", "it needs a 'read' before it, which gets the angles");
    if (sinograms)
      graph.nodes[source].set["axes"] = "sinograms";
    auto &angles = graph.nodes[source].set["angles"];
    const auto step = -degrees * number (me, "angle-step", 0);
    if (step == 0)
      angles = "0:-180";
    else if (count < 1)
      refuse (me, "angle-step", "the number of projections is unknown: also give num-projections");
    else // The end lies half a step beyond the last angle, so that the number is the right one whatever is rounded.
      angles = "0:" + exact (step * (count - 0.5)) + ":" + exact (step);
  }

  void range (Node &me, const char *property, double begin, double length, double step)
  {
    if (begin != 0 || length > 0 || step != 1)
      me.set[property] = exact (begin) + ":" + (length > 0 ? exact (begin + length) : "") + ":" + exact (step);
  }

  void read (size_t node)
  {
    auto &me = graph.nodes[node];
    const double step = number (me, "step", 1);
    const bool sinograms = me.set.contains ("axes");
    range (me, sinograms ? "rows" : "projections", number (me, "start", 0), step * number (me, "number", 0), step);
    if (sinograms && (me.given.contains ("y") || me.given.contains ("height")))
      refuse (me, "y", "lines of sinograms are projections; choose them with 'read projections='");
    if (!sinograms)
      range (me, "rows", number (me, "y", 0), number (me, "height", 0), number (me, "y-step", 1));
  }

  void write (size_t node)
  {
    auto &me = graph.nodes[node];
    if (me.given.contains ("minimum") != me.given.contains ("maximum"))
      refuse (me, me.given.contains ("minimum") ? "minimum" : "maximum", "give minimum and maximum");
    if (me.given.contains ("minimum"))
      me.set["range"] = exact (number (me, "minimum", 0)) + ":" + exact (number (me, "maximum", 0));
  }

  void left ()
  {
    for (const auto &node : graph.nodes) {
      if (node.type == "fft" || node.type == "ifft")
        refuse (node, "", "it is supported only around filter and retrieve-phase; use 'ramp-filter' to filter rows");
      if (node.type == "pad")
        refuse (node, "", "it is supported only before fft; 'pad left= right=' counts columns at each side");
      if (node.type == "calculate")
        refuse (node, "expression",
                "it is supported only after retrieve-phase; use 'calculate expression=' with x for v");
    }
  }

  Graph &graph;
};

} // namespace

void rewrite (Graph &graph)
{
  Rewriter (graph).run ();
}

} // namespace sino::ufo
