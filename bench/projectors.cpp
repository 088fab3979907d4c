// SPDX-License-Identifier: LGPL-3.0-or-later
// The pair of forward-project and its transpose, for a circular cone-beam scan of a cube in memory: every kernel of the
// device, or the CPU.
#include "base/error.hpp"
#include "base/text.hpp"
#include "bench/cone-scan.hpp"
#include "bench/node-timing.hpp"
#include "bench/truth.hpp"
#include "bench/variants.hpp"
#include "device/devices.hpp"
#include "families/program.hpp"
#include "families/use.hpp"
#include "graph/values.hpp"
#include <algorithm>
#include <cmath>

namespace sino::bench {

namespace {

struct OneProjector {
  std::string node, variant; // as "gather" or "gather(Z=8,WIDE=32)"
  NodeTiming measured{};
  double error = 0; // from the first kernel of the node
  std::string fault;
};

// Blocks of a direction: what goes in, and what came out of the first kernel.
struct OneWay {
  std::string node;
  Properties properties;
  std::shared_ptr<const Format> input;
  std::vector<Block> in = {}, out = {};
};

std::vector<std::string> variants_of (const OneWay &direction, const BenchOptions &options)
{
  if (options.device->kind == Device::Kind::native)
    return {"native"};
  std::vector<std::string> names;
  const auto task = make_task (direction.node, direction.properties);
  task->negotiate (std::vector<const Format *>{direction.input.get ()});
  const auto &use = *task->kernels ();
  if (!options.variants.empty ())
    return wanted_of (use.family (), options.variants);
  for (const auto *kernel : families::kernels_of (use.family ()))
    if (families::refusal (as_opencl (*options.device), {kernel, {}}, use.problem ()).empty ())
      names.insert (kernel->reference ? names.begin () : names.end (), kernel->name);
  return names;
}

double blocks_error (const std::vector<Block> &blocks, const std::vector<Block> &truth)
{
  RelativeError error;
  for (size_t n = 0; n < truth.size (); n++) {
    blocks[n].buffer ()->settle ();
    truth[n].buffer ()->settle ();
    for (int64_t i = 0; i < truth[n].values (); i++)
      error.add (static_cast<double> (blocks[n].as<float> ()[i]), static_cast<double> (truth[n].as<float> ()[i]));
  }
  return error.value ();
}

// Both hold the same values, but may be cut differently.
double inner_product (const std::vector<Block> &a, const std::vector<Block> &b)
{
  double sum = 0;
  size_t n = 0;
  int64_t place = 0;
  for (const auto &block : a) {
    block.buffer ()->settle ();
    for (int64_t i = 0; i < block.values (); i++, place++) {
      for (; place == b[n].values (); place = 0)
        n++;
      if (place == 0)
        b[n].buffer ()->settle ();
      sum += static_cast<double> (block.as<float> ()[i]) * static_cast<double> (b[n].as<float> ()[place]);
    }
  }
  return sum;
}

OneProjector measure_projector (OneWay &direction, const std::string &variant, const BenchOptions &options)
{
  OneProjector found{.node = direction.node, .variant = variant};
  try {
    auto properties = direction.properties;
    for (const auto &word : words_of (variant))
      properties.push_back (word);
    const auto task = make_task (direction.node, properties);
    TaskHarness node (*task, {direction.input}, {options.device.get (), options.threads});
    if (direction.in.empty ()) {
      direction.in = node.input_blocks (0, {0, direction.input->rows ()}, batch);
      for (auto &block : direction.in)
        fill (block);
    }
    const auto out = node.output_blocks ({0, node.format ()->rows ()}, batch);
    found.measured = measure_node (options.runs, node, {direction.in}, out);
    if (direction.out.empty ())
      direction.out = out;
    else
      found.error = blocks_error (out, direction.out);
  } catch (const Error &error) {
    found.fault = error.what ();
  }
  return found;
}

std::string projectors_json (const std::vector<OneProjector> &all, double updates)
{
  const auto list = join (all, ",", [&] (const OneProjector &each) {
    const bool ran = each.fault.empty ();
    return text ("\n    {\"node\": \"%s\", \"variant\": %s, \"seconds\": %s, \"gups\": %s, \"kernel_gups\": %s, "
                 "\"relative_rmse\": %s%s}",
                 each.node.c_str (), quote_json (each.variant).c_str (),
                 json_number (ran ? each.measured.timing.median : NAN).c_str (),
                 json_number (ran ? updates / each.measured.timing.median : NAN).c_str (),
                 json_number (each.measured.kernel_seconds > 0 ? updates / each.measured.kernel_seconds : NAN).c_str (),
                 json_number (ran ? each.error : NAN).c_str (),
                 ran ? "" : (", \"fault\": " + quote_json (each.fault)).c_str ());
  });
  return "[" + list + "]";
}

} // namespace

void bench_projectors (const BenchOptions &given, Report &report)
{
  auto options = given;
  options.slices = options.size;
  check_variants (options, {"forward-project", "cone-back-project"}, "gather;gather(Z=8,WIDE=32)");
  const auto side = static_cast<double> (options.size), detector = static_cast<double> (options.detector),
             projections = static_cast<double> (options.projections);
  require_cone_memory (options, 4.4 * 3 * (side * side * side + detector * detector * projections));
  const auto words = number (options.size), across = number (options.detector);
  auto cube = std::make_shared<Format> (
      slices (Element::f32, {Axis::z, options.size}, {Axis::y, options.size}, {Axis::x, options.size}));
  cube->geometry = std::make_shared<const Geometry> ();
  // A full cone angle of 26 degrees; the detector covers the cube but for its corners. A pixel is 1.11 voxels wide at
  // the axis, so it has one ray.
  OneWay forward{"forward-project",
                 {{"width", across},
                  {"height", across},
                  {"projections", number (options.projections)},
                  {"angles", "0:360"},
                  {"voxel-size", "1"},
                  {"source-origin", number (2 * options.size)},
                  {"origin-detector", number (4 * options.size)},
                  {"pixel-size", exact_number (3 * side / (0.9 * detector))}},
                 cube};
  const auto scan = std::make_shared<const Format> (
      make_task (forward.node, forward.properties)->negotiate (std::vector<const Format *>{cube.get ()}));
  OneWay back{
      "cone-back-project", {{"size", words}, {"slices", words}, {"voxel-size", "1"}, {"weights", "adjoint"}}, scan};
  std::vector<OneProjector> all;
  for (auto *direction : {&forward, &back})
    for (const auto &variant : variants_of (*direction, options))
      all.push_back (measure_projector (*direction, variant, options));
  report_place (options, report);
  report.headline (text ("%" G_GINT64_FORMAT "^3 voxels from %" G_GINT64_FORMAT " projections of %" G_GINT64_FORMAT
                         "^2 pixels, median of %d",
                         options.size, options.projections, options.detector, options.runs));
  report_scan (options, report);
  report.integer ("detector", options.detector);
  const double updates = 1e-9 * side * side * side * projections;
  report.literal ("kernels", projectors_json (all, updates));
  report.row ({"GUPS", "kernels alone", "time", "error", "node", "variant"});
  for (const auto &each : all)
    if (each.fault.empty ())
      report.row ({digits (updates / each.measured.timing.median),
                   each.measured.kernel_seconds > 0 ? digits (updates / each.measured.kernel_seconds) : "-",
                   seconds_text (each.measured.timing.median), digits (each.error), each.node, each.variant});
    else
      report.remark (each.node + " variant=" + each.variant + ": " + each.fault);
  report.remark (
      "GUPS: 1e9 voxels times projections per second; error: relative RMSE, from the first kernel of the node");
  if (forward.out.empty () || back.out.empty ())
    return;
  const double mismatch = std::abs (inner_product (forward.out, back.in) / inner_product (forward.in, back.out) - 1);
  report.number ("mismatch", mismatch);
  report.remark ("<A x, y> / <x, A^T y> of the first kernels differs from 1 by " + digits (mismatch));
}

} // namespace sino::bench
