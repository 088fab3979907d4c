// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/devices.hpp"
#include "base/error.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "device/opencl.hpp"
#include "device/opencl/library.hpp"
#include "device/opencl/unregistered.hpp"
#include "families/time-ratio.hpp"
#include "glue/registry.hpp"
#include "graph/properties.hpp"
#include "graph/snapshot.hpp"
#include "kernels/instruction-sets.hpp"
#include <algorithm>
#include <cstdio>
#include <iterator>

namespace sino::cli {

namespace {

struct Node {
  std::string name;
  std::vector<std::string> lines; // description of how the node would run on the device
  std::vector<families::KeptRatio> ratios;
};

struct Described {
  std::string about;
  std::vector<std::string> instruction_sets; // instruction sets that the CPU kernels use
  std::vector<Node> nodes;
};

Described describe (const Device &device)
{
  Described described;
  const auto told = [] (auto body) {
    try {
      return body ();
    } catch (const Error &error) { // a driver that fails gets a line and does not stop the list
      return decltype (body ()){error.what ()};
    }
  };
  described.about = told ([&] { return device.about (); });
  if (device.kind == Device::Kind::native)
    described.instruction_sets = kernels::built_instruction_sets ();
  std::vector<families::KeptRatio> ratios;
  if (device.kind == Device::Kind::opencl)
    try {
      ratios = families::kept_time_ratios (as_opencl (device));
    } catch (const Error &) { // the lines above tell of a driver that fails
    }
  for (const auto &name : Registry::get ().names ()) {
    Graph graph;
    const auto task = snapshot (graph.nodes ()[graph.add (name)].task.get ());
    auto lines = told ([&] { return task->explain (device); });
    if (lines.empty ())
      continue;
    auto &node = described.nodes.emplace_back (name, std::move (lines));
    if (const auto *kernels = task->kernels ())
      std::ranges::copy_if (ratios, std::back_inserter (node.ratios),
                            [&] (const auto &kept) { return kept.family == kernels->family ().name; });
  }
  return described;
}

void print_text (const Device &device, bool chosen)
{
  const auto described = describe (device);
  print (text ("%c %-8s %s\n", chosen ? '*' : ' ', device.id.c_str (), device.name.c_str ()));
  if (!described.about.empty ())
    print ("    " + described.about + "\n");
  if (!described.instruction_sets.empty ())
    print ("    kernels are built for " + join (described.instruction_sets) + "\n");
  for (const auto &node : described.nodes) {
    print ("    " + node.name + "\n");
    for (const auto &line : node.lines)
      print ("      " + line + "\n");
    for (const auto &kept : node.ratios)
      print (
          text ("      %s: takes %.2g of the predicted time, as measured before\n", kept.kernel.c_str (), kept.ratio));
  }
}

std::string json (const Device &device, bool chosen)
{
  const auto described = describe (device);
  const auto nodes = join (described.nodes, ",", [] (const auto &node) {
    return text ("\n    %s: [%s]", quote_json (node.name).c_str (), join (node.lines, ", ", quote_json).c_str ());
  });
  std::vector<std::string> ratios;
  for (const auto &node : described.nodes)
    for (const auto &kept : node.ratios)
      ratios.push_back (text ("\n    {\"node\": %s, \"kernel\": %s, \"ratio\": %.3g}", quote_json (node.name).c_str (),
                              quote_json (kept.kernel).c_str (), kept.ratio));
  return text (
      "{\n  \"id\": %s,\n  \"name\": %s,\n  \"about\": %s,\n  \"chosen\": %s,\n  \"instruction-sets\": [%s],\n  "
      "\"nodes\": {%s%s},\n  \"time-ratios\": [%s%s]\n}",
      quote_json (device.id).c_str (), quote_json (device.name).c_str (), quote_json (described.about).c_str (),
      chosen ? "true" : "false", join (described.instruction_sets, ", ", quote_json).c_str (), nodes.c_str (),
      nodes.empty () ? "" : "\n  ", join (ratios, ",").c_str (), ratios.empty () ? "" : "\n  ");
}

} // namespace

int devices (int argc, char **argv)
{
  Options options;
  if (!parse (argc, argv, "devices",
              "Lists the devices that graphs can run on, and the kernels that nodes would choose there; '*' marks the "
              "device that is used without --device. The first time on a device, kernels are built and tried.",
              {{"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Write JSON", nullptr}})
           .empty ())
    throw Wrong (SINO_ERROR_BAD_GRAPH, "devices takes no arguments");
  const auto chosen = find_devices ("");
  const auto marked = [&] (const auto &device) { return std::ranges::count (chosen, device) > 0; };
  const auto &list = all_devices ();
  if (options.json)
    printf ("[\n%s\n]\n", join (list, ",\n", [&] (const auto &each) { return json (*each, marked (each)); }).c_str ());
  else {
    for (const auto &device : list)
      print_text (*device, marked (device));
    if (const auto &why = why_no_opencl (); !why.empty ())
      print ("  no OpenCL devices: " + why + "\n");
    for (const auto &driver : missing_drivers ())
      print ("  " + driver.advice () + "\n");
  }
  return done;
}

} // namespace sino::cli
