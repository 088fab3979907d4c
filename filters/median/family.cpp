// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/median/family.hpp"

namespace sino::median {

using namespace families;

static std::string options (const Setting &setting, const Problem &problem)
{
  constexpr const char *along[] = {"", " -DALONG_FRAMES", " -DALONG_LINES"};
  const auto element = static_cast<Element> (problem["element"]);
  return text (" -DSIZE=%d -DBITS=%zu -DFLOATS=%d%s", static_cast<int> (problem["size"]), 8 * size_of (element),
               element == Element::f16 || element == Element::f32, along[problem["along"]]) +
         (setting.kernel->name == std::string_view ("select") ? " -DSELECT" : "");
}

Family window_family (const char *node, const KernelSource &source, const std::vector<Word> &words,
                      decltype (Family::trial) trial)
{
  Family two{
      .name = node,
      .words = {{.name = "size", .help = "Values across the window", .tuned = true, .tried = true},
                {.name = "along", .help = "", .values = {"square", "frames", "lines"}, .from = Word::From::scan},
                {.name = "element", .help = "", .values = {"u8", "u16", "f16", "f32"}, .from = Word::From::scan}},
      .kernels = {neighbour_kernel ("select", "half of the window in registers", source),
                  neighbour_kernel ("bisect", "counts, for any window", source)},
      .any_lanes = true,
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = {1, 1000, {{"size", 3}, {"along", 0}, {"element", 3}}},
      .options = options,
      .trial = trial,
      .most_error = 0};
  two.words.insert (two.words.end (), words.begin (), words.end ());
  two.kernels[0].contradiction = [] (const Setting &, const Problem &problem, const OpenclFacts &) {
    const auto values = problem["size"] * (problem["along"] == 0 ? problem["size"] : 1);
    return values > 49 ? text ("takes windows of at most 49 values, not of %d", static_cast<int> (values)) : "";
  };
  two.kernels[1].reference = true;
  return two;
}

Problem window_problem (const WindowSettings &settings, const Format &input)
{
  // Neighbours along the angles are in other frames of projections, and in other lines of sinograms.
  const int along = settings.direction == Direction::frame ? 0 : input.kind () == Kind::projections ? 1 : 2;
  return {
      1, input.rows (), {{"size", settings.size}, {"along", along}, {"element", static_cast<int64_t> (input.element)}}};
}

double try_window (NeighbourFilter &task, WindowSettings &settings, const OpenclDevice &device, const Setting &setting,
                   const Problem &problem)
{
  settings.size = static_cast<int> (problem["size"]);
  settings.direction = problem["along"] == 0 ? Direction::frame : Direction::angle;
  return task.trial (problem["along"] == 2 ? Kind::sinograms : Kind::projections,
                     static_cast<Element> (problem["element"]), device, setting, problem);
}

} // namespace sino::median
