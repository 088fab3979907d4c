// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/back-project/opencl/shapes.hpp"
#include "base/text.hpp"
#include "filters/back-project/opencl/problem.hpp"
#include <algorithm>
#include <cmath>

namespace sino::back_project {

namespace {

constexpr size_t bytes_of_ray = 40;

double rays_of (const Problem &problem)
{
  return static_cast<double> (problem["projections"]);
}

// Points per bin to which rows are interpolated in advance.
size_t points_of (const Problem &problem)
{
  return interpolation_of (problem) == Interpolation::oversample ? oversampling : 1;
}

ImageShape image_of (const Problem &problem)
{
  return {.width = problem["columns"],
          .height = problem["projections"],
          .components = problem.lanes,
          .half = is_half (problem)};
}

size_t constants_of (const Setting &s, const Problem &problem)
{
  return s["CONSTANT"] ? static_cast<size_t> (problem["projections"]) * bytes_of_ray : 0;
}

std::string no_oversampling (const Problem &problem)
{
  return interpolation_of (problem) == Interpolation::oversample ? "does not have interpolation=oversample" : "";
}

struct Strips {
  int side, items, projections;
};

double turns_of_strips (const Strips &strips, int batch, const Problem &problem)
{
  const double count = 1.0 * strips.side * strips.side * strips.projections / strips.items;
  const double rays = std::ceil (rays_of (problem) / strips.projections);
  const double batches = batch > 0 ? std::ceil (rays_of (problem) / batch) : 1;
  return rays * (2 + count) + batches * (2 + 1.0 * batch / strips.items) +
         count * (2 + strips.projections + 3 * problem.lanes);
}

int local_side (const Setting &s)
{
  return s["PIXELS"] == 16 ? 64 : 32;
}

double local_turns (const Setting &s, const Problem &problem)
{
  const double side = local_side (s), items = side * side / s["PIXELS"], cached = s["CACHED"], arrays = s["ARRAYS"];
  const double row = side * 3 / 2 * static_cast<double> (points_of (problem));
  const double fillers = s["FILLERS"] > 0 ? s["FILLERS"] : side / 2;
  const double copy = std::ceil (row / fillers / (s["WRITE64"] ? 2 : 1)) * (1 + arrays);
  const double fill = std::ceil (cached * fillers / items) * (1 + (s["HOLD"] == 2 ? side / fillers : 0) + copy);
  const double columns = s["HOLD"] == 2 ? side / 16 : 1;
  const double sum = cached * (1 + columns + s["PIXELS"] * (1 + arrays));
  const double ahead = s["AHEAD"] > 0 ? std::ceil (s["AHEAD"] / items) : 0;
  const double passes = std::ceil (rays_of (problem) / cached);
  return passes * (1 + fill + sum + ahead) + s["PIXELS"] * (2.0 + problem.lanes);
}

double blocked_turns (const Setting &s, const Problem &problem)
{
  constexpr double cell = 16;
  const double side = s["TILE"], pixels = s["PIXELS"], vectors = (problem.lanes + 15) / 16;
  const double rays = rays_of (problem), batches = std::ceil (rays / s["BATCH"]);
  const double window = side * 3 / 2 + 4, cells = side * side / cell / cell;
  const double copy = window * (1 + vectors) * (interpolation_of (problem) == Interpolation::oversample ? 5 : 1);
  const double row_of_ray = 1 + cell / pixels * (1 + pixels * (1 + vectors));
  const double row_of_batch = 1 + cell / pixels * (1 + 2 * pixels * vectors);
  return side * side * vectors + rays * (1 + copy) +
         cells * (rays * (1 + cell * row_of_ray) + batches * cell * row_of_batch) + problem.lanes * side * (1 + side);
}

} // namespace

Shape reference_shape (const Setting &, const Problem &problem)
{
  return {.group = {16, 4}, .area = {16, 4}, .turns = rays_of (problem) * (1 + 2 * problem.lanes) + 2 * problem.lanes};
}

Shape texture_shape (const Setting &s, const Problem &problem)
{
  const auto items = static_cast<size_t> (s["ITEMS"]);
  const auto rays = 20 * static_cast<size_t> (std::max (1, s["BATCH"]));
  const auto sums = s["PROJECTIONS"] > 1 ? 4 * static_cast<size_t> (problem.lanes) * items : 0;
  return {.group = {16, items / 16},
          .area = {s["SIDE"], s["SIDE"]},
          .local_memory = std::max (rays, sums),
          .constants = constants_of (s, problem),
          .image = image_of (problem),
          .turns = turns_of_strips ({s["SIDE"], s["ITEMS"], s["PROJECTIONS"]}, s["BATCH"], problem)};
}

std::string texture_contradiction (const Setting &s, const Problem &problem, const OpenclFacts &facts)
{
  if (s["SHUFFLE"] == 1 && !facts.shuffle)
    return "SHUFFLE=1 wants cl_khr_subgroup_shuffle, which the device does not have";
  if (s["SHUFFLE"] == 2 && facts.vendor != "nvidia")
    return "SHUFFLE=2 is for NVIDIA";
  const int strip = s["ITEMS"] / s["PROJECTIONS"], rows = strip / s["SIDE"];
  if (rows * s["SIDE"] != strip || (s["ZORDER"] && rows % 4 != 0) || s["SIDE"] % std::max (1, rows) != 0)
    return text ("cannot make areas of %d x %d pixels by %d work-items", s["SIDE"], s["SIDE"], strip);
  return no_oversampling (problem);
}

Shape local_shape (const Setting &s, const Problem &problem)
{
  const auto side = static_cast<size_t> (local_side (s)), items = side * side / static_cast<size_t> (s["PIXELS"]);
  const auto cached = static_cast<size_t> (s["CACHED"]);
  const size_t row = side * 3 / 2 * points_of (problem);
  auto bytes = static_cast<size_t> (problem.lanes) * cached * row * (s["HALF_CACHE"] ? 2 : 4);
  bytes *= s["ADVANCED"] ? 2 : 1;
  const auto held = std::max (cached, static_cast<size_t> (s["AHEAD"]));
  bytes += held * (s["HOLD_STEPS"] ? 16 : s["HOLD"] == 1 || s["AHEAD"] ? 4 : 0) + (s["AHEAD"] ? 4 * held : 0);
  bytes += s["HOLD"] == 2 ? 4 * cached * side : 0;
  Shape shape{.group = {16, items / 16},
              .area = {local_side (s), local_side (s)},
              .local_memory = bytes + 16,
              .constants = constants_of (s, problem),
              .turns = local_turns (s, problem)};
  if (s.if_any ("IMAGE"))
    shape.image = image_of (problem);
  return shape;
}

std::string local_contradiction (const Setting &s, const Problem &problem, const OpenclFacts &)
{
  if (s["ADVANCED"] && interpolation_of (problem) != Interpolation::linear)
    return "ADVANCED=1 is for linear interpolation only";
  if (s["ADVANCED"] && s["WRITE64"])
    return "WRITE64=1 cannot be used with ADVANCED=1";
  if (s["ARRAYS"] > problem.lanes)
    return text ("ARRAYS=%d is more than the %d lanes", s["ARRAYS"], problem.lanes);
  if (s["AHEAD"] % s["CACHED"] != 0)
    return text ("AHEAD=%d is not a multiple of CACHED=%d", s["AHEAD"], s["CACHED"]);
  return {};
}

// Work-groups of the hybrid use the texture or local memory, and process one projection at a time.
Shape hybrid_shape (const Setting &s, const Problem &problem)
{
  auto shape = local_shape (s, problem);
  shape.counters = static_cast<size_t> (s["BY_SM"]);
  const auto rays = 20 * static_cast<size_t> (std::max (1, s["BATCH"]));
  shape.local_memory = std::max (shape.local_memory, rays) + (shape.counters > 0 ? 4 : 0);
  shape.image = image_of (problem);
  const int side = local_side (s);
  shape.turns = std::max (shape.turns, turns_of_strips ({side, side * side / s["PIXELS"], 1}, s["BATCH"], problem));
  return shape;
}

std::string hybrid_contradiction (const Setting &s, const Problem &problem, const OpenclFacts &facts)
{
  if (s["BY_SM"] && facts.vendor != "nvidia")
    return "BY_SM is for NVIDIA";
  auto why = local_contradiction (s, problem, facts);
  return why.empty () ? no_oversampling (problem) : why;
}

Shape window_shape (const Setting &s, const Problem &problem)
{
  return {
      .group = {32, 4}, .area = {32, 4 * s["PIXELS"]}, .turns = s["PIXELS"] * (rays_of (problem) + 2 + problem.lanes)};
}

std::string window_contradiction (const Setting &, const Problem &problem, const OpenclFacts &)
{
  return no_oversampling (problem);
}

Shape blocked_shape (const Setting &s, const Problem &problem)
{
  const auto side = static_cast<size_t> (s["TILE"]), batch = static_cast<size_t> (s["BATCH"]);
  const auto span = (side * 3 / 2 + 4) * points_of (problem);
  return {.group = {1, 1},
          .area = {s["TILE"], s["TILE"]},
          .local_memory = 4 * static_cast<size_t> (problem.lanes) * (side * side + batch * span),
          .turns = blocked_turns (s, problem)};
}

} // namespace sino::back_project
