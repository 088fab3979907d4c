// SPDX-License-Identifier: LGPL-3.0-or-later
// Iterations of a parallel beam: their kernels, and the whole node on a stack in memory, beside the direct methods.
#include "base/error.hpp"
#include "base/text.hpp"
#include "bench/stack.hpp"
#include "bench/timing.hpp"
#include "cli/command.hpp"
#include "kernels/iterate/iterated-stack.hpp"
#include <algorithm>

namespace sino::bench {

namespace {

constexpr int64_t usual_sizes[] = {512, 1024, 2048};
constexpr int usual_iterations = 20;

// Milliseconds per slice, but for `setup`, which a run does once.
struct Times {
  int64_t size, projections;
  double product, of_tv, of_cgls; // T x, and iterations
  double setup;                   // T's kernel, its metric, and memory
  double start, whole;            // all but iterations; start and `usual_iterations` of tv
  double direct, fourier;
};

// A stack of numbers, with a T that moves them as any other does.
void measure_kernels (const BenchOptions &options, Times &times)
{
  iterate::Plan plan (fourier_reconstruct::good_length (options.size));
  const auto n = static_cast<double> (plan.n);
  std::ranges::fill (plan.kernel, static_cast<float> (0.25 / (n * n)));
  std::ranges::fill (plan.metric, static_cast<float> (0.1 / (n * n)));
  plan.set_circle (0.5 * n, 0.5);
  iterate::IteratedStack stack (plan);
  for (size_t i = 0; i < stack.floats.image; i++)
    stack.memory.x[i] = stack.memory.data[i] = static_cast<float> (i * 2654435761U >> 8 & 0xffff) / 65536.0F;
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  constexpr char work_item[] = "work of a thread";
  Bill bill;
  add_pages (bill, work_item, stack.floats.work * sizeof (float), static_cast<size_t> (options.threads));
  Allotment memory (bill);
  const auto parts = [&] (int64_t count, const auto &body) {
    cpu.parallel (count, 1, [&] (int64_t begin, int64_t end) {
      const auto work = memory.take (work_item);
      for (auto i = begin; i < end; i++)
        body (i, work.as<float> ());
    });
  };
  iterate::TvSteps steps;
  std::ranges::fill (steps.lambda, 1.0F);
  std::ranges::fill (steps.sigma, 1.0F);
  std::ranges::fill (steps.positive, 0.1F);
  const auto share = [&] (const auto &body) {
    return 1e3 * measure (options.runs, body).median / iterate::stack_lanes ();
  };
  times.product = share ([&] { stack.apply (parts); });
  stack.begin_tv (parts);
  times.of_tv = share ([&] { stack.tv (parts, steps, [] {}); });
  stack.begin_cgls (parts);
  times.of_cgls = share ([&] { stack.cgls (parts); });
}

double measure_setup (const Scan &scan, const BenchOptions &options)
{
  const auto packing = make_task ("interleave"), task = make_task ("iterative-reconstruct");
  const auto sinograms = std::make_shared<const Format> (packing->negotiate (std::vector{scan.format.get ()}));
  std::optional<TaskHarness> node;
  return 1e3 * measure (options.runs, [&] {
                 node.reset ();
                 node.emplace (*task, std::vector{sinograms},
                               TaskHarness::Conditions{options.device.get (), options.threads});
               }).median;
}

// A node on sinograms in lanes, or on projections.
double measure_node (const Scan &scan, const BenchOptions &options, const char *node, const Properties &properties,
                     bool of_projections = false)
{
  BenchStack stack (scan, options, properties, 0, node, of_projections);
  if (!of_projections)
    stack.pack ();
  return 1e3 * measure (options.runs, [&] { stack.reconstruct (); }).median / static_cast<double> (options.slices);
}

Times measure_size (const BenchOptions &options)
{
  const auto size = static_cast<double> (options.size), slices = static_cast<double> (options.slices);
  // Projections in lanes, slices, the images of a stack and what makes T.
  require_memory (options, 4 * size * (slices * (static_cast<double> (options.projections) + 10 * size) + 16 * size),
                  "a smaller --size or fewer --projections");
  Times times{.size = options.size, .projections = options.projections};
  measure_kernels (options, times);
  const auto scan = simulated_scan (options, false);
  times.setup = measure_setup (scan, options);
  const auto iterated = [&] (int count) {
    return measure_node (scan, options, "iterative-reconstruct", {{"iterations", text ("%d", count)}});
  };
  times.start = std::max (iterated (1) - times.of_tv, 0.0);
  times.whole = iterated (usual_iterations);
  times.direct =
      measure_node (scan, options, "ramp-filter", {}, true) + measure_node (scan, options, "back-project", {});
  times.fourier = measure_node (scan, options, "fourier-reconstruct", {});
  return times;
}

std::string times_json (const Times &times)
{
  auto line =
      text ("{\"size\": %" G_GINT64_FORMAT ", \"projections\": %" G_GINT64_FORMAT, times.size, times.projections);
  const auto add = [&] (const char *key, double value) {
    line += text (", \"%s\": %s", key, json_number (value).c_str ());
  };
  add ("product_ms", times.product);
  add ("tv_iteration_ms", times.of_tv);
  add ("cgls_iteration_ms", times.of_cgls);
  add ("setup_ms", times.setup);
  add ("start_ms", times.start);
  add ("tv_ms", times.whole);
  add ("direct_ms", times.direct);
  add ("fourier_ms", times.fourier);
  add ("ratio_to_direct", times.whole / times.direct);
  add ("ratio_to_fourier", times.whole / times.fourier);
  return line + "}";
}

void report_size (const Times &times, Report &report)
{
  auto first = text ("%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, times.size, times.projections);
  const auto add = [&] (const std::string &name, double ms) {
    report.row (
        {std::exchange (first, {}), name, digits (ms), digits (ms / times.direct), digits (ms / times.fourier)});
  };
  add ("T x", times.product);
  add ("iteration of tv", times.of_tv);
  add ("iteration of cgls", times.of_cgls);
  add ("set-up, once for a run", times.setup);
  add ("start", times.start);
  add (text ("start and %d iterations of tv", usual_iterations), times.whole);
  add ("direct: ramp-filter, back-project", times.direct);
  add ("fourier-reconstruct", times.fourier);
}

} // namespace

void bench_iteration (const BenchOptions &given, Report &report)
{
  if (iterate::stack_lanes () == 0)
    throw Error (SINO_ERROR_DEVICE, "this CPU does not have the vector instructions that iterations need");
  constexpr auto most_columns = fourier_reconstruct::longest_fft / 4; // T needs four times as many
  if (given.size > most_columns)
    throw cli::Wrong (SINO_ERROR_BAD_PROPERTY,
                      text ("--size=%" G_GINT64_FORMAT
                            " is more than the %d columns that iterations take: give a smaller one",
                            given.size, static_cast<int> (most_columns)));
  auto options = given;
  options.slices = iterate::stack_lanes (); // a whole stack
  std::vector<int64_t> sizes (std::begin (usual_sizes), std::end (usual_sizes));
  if (given.size > 0)
    sizes = {given.size};
  std::vector<Times> all;
  for (const auto size : sizes) {
    options.size = size;
    options.projections = given.projections > 0 ? given.projections : size;
    all.push_back (measure_size (options));
  }
  report_place (options, report);
  report.headline (text ("Milliseconds per slice, of stacks of %d; packing of projections into lanes is left out",
                         iterate::stack_lanes ()));
  report.integer ("lanes", iterate::stack_lanes ());
  report.literal ("sizes",
                  "[" + join (all, ",", [] (const Times &times) { return "\n    " + times_json (times); }) + "]");
  report.row ({"columns, projections", "", "ms", "of direct", "of fourier"});
  for (const auto &times : all)
    report_size (times, report);
  report.remark (
      "set-up: T's kernel, its metric and memory; start: c and filtered back-projection by gridding, the noise");
}

} // namespace sino::bench
