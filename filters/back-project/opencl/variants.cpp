// SPDX-License-Identifier: LGPL-3.0-or-later
// The table of kernels. What each parameter does is told at the top of the kernel's source.
#include "back-project/opencl/variant.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::back_project {

namespace {

constexpr auto linear = Interpolation::linear, nearest = Interpolation::nearest, oversample = Interpolation::oversample;

Parameter flag (const char *name, bool usually = false)
{
  return {name, usually ? std::vector{1, 0} : std::vector{0, 1}, true};
}

bool never (const Setting &)
{
  return false;
}

bool always (const Setting &)
{
  return true;
}

std::string nothing (const Setting &, const Problem &)
{
  return {};
}

Shape reference_shape (const Setting &, const Problem &)
{
  return {{16, 4}, {16, 4}};
}

double reference_turns (const Setting &, const Problem &problem)
{
  return static_cast<double> (problem.rays) * (1 + 2 * problem.lanes) + 2 * problem.lanes;
}

Shape texture_shape (const Setting &s, const Problem &problem)
{
  const auto items = static_cast<size_t> (s["ITEMS"]);
  const auto rays = 20 * static_cast<size_t> (std::max (1, s["BATCH"]));
  const auto sums = s["PROJECTIONS"] > 1 ? 4 * static_cast<size_t> (problem.lanes) * items : 0;
  return {{16, items / 16}, {s["SIDE"], s["SIDE"]}, std::max (rays, sums)};
}

std::string texture_contradiction (const Setting &s, const Problem &)
{
  const int strip = s["ITEMS"] / s["PROJECTIONS"], rows = strip / s["SIDE"];
  if (rows * s["SIDE"] != strip || (s["ZORDER"] && rows % 4 != 0) || s["SIDE"] % std::max (1, rows) != 0)
    return text ("cannot make areas of %d x %d pixels by %d work-items", s["SIDE"], s["SIDE"], strip);
  return {};
}

struct Strips {
  int side, items, projections;
};

double turns_of_strips (const Strips &strips, int batch, const Problem &problem)
{
  const double count = 1.0 * strips.side * strips.side * strips.projections / strips.items;
  const double rays = std::ceil (static_cast<double> (problem.rays) / strips.projections);
  const double batches = batch > 0 ? std::ceil (static_cast<double> (problem.rays) / batch) : 1;
  return rays * (2 + count) + batches * (2 + 1.0 * batch / strips.items) +
         count * (2 + strips.projections + 3 * problem.lanes);
}

double texture_turns (const Setting &s, const Problem &problem)
{
  return turns_of_strips ({s["SIDE"], s["ITEMS"], s["PROJECTIONS"]}, s["BATCH"], problem);
}

int local_side (const Setting &s)
{
  return s["PIXELS"] == 16 ? 64 : 32;
}

Shape local_shape (const Setting &s, const Problem &problem)
{
  const auto side = static_cast<size_t> (local_side (s)), items = side * side / static_cast<size_t> (s["PIXELS"]);
  const auto cached = static_cast<size_t> (s["CACHED"]);
  const size_t points = side * 3 / 2 * (problem.interpolation == oversample ? 4 : 1);
  auto bytes = static_cast<size_t> (problem.lanes) * cached * points * (s["HALF_CACHE"] ? 2 : 4);
  bytes *= s["ADVANCED"] ? 2 : 1;
  const auto held = std::max (cached, static_cast<size_t> (s["AHEAD"]));
  bytes += held * (s["HOLD_STEPS"] ? 16 : s["HOLD"] == 1 || s["AHEAD"] ? 4 : 0) + (s["AHEAD"] ? 4 * held : 0);
  bytes += s["HOLD"] == 2 ? 4 * cached * side : 0;
  return {{16, items / 16}, {local_side (s), local_side (s)}, bytes + 16};
}

std::string local_contradiction (const Setting &s, const Problem &problem)
{
  if (s["ADVANCED"] && problem.interpolation != linear)
    return "ADVANCED=1 is for linear interpolation";
  if (s["ADVANCED"] && s["WRITE64"])
    return "WRITE64=1 does not go with ADVANCED=1";
  if (s["ARRAYS"] > problem.lanes)
    return text ("ARRAYS=%d is more than the %d lanes", s["ARRAYS"], problem.lanes);
  if (s["AHEAD"] % s["CACHED"] != 0)
    return text ("AHEAD=%d is no multiple of CACHED=%d", s["AHEAD"], s["CACHED"]);
  return {};
}

double local_turns (const Setting &s, const Problem &problem)
{
  const double side = local_side (s), items = side * side / s["PIXELS"], cached = s["CACHED"], arrays = s["ARRAYS"];
  const double points = side * 3 / 2 * (problem.interpolation == oversample ? 4 : 1);
  const double fillers = s["FILLERS"] > 0 ? s["FILLERS"] : side / 2;
  const double copy = std::ceil (points / fillers / (s["WRITE64"] ? 2 : 1)) * (1 + arrays);
  const double fill = std::ceil (cached * fillers / items) * (1 + (s["HOLD"] == 2 ? side / fillers : 0) + copy);
  const double columns = s["HOLD"] == 2 ? side / 16 : 1;
  const double sum = cached * (1 + columns + s["PIXELS"] * (1 + arrays));
  const double ahead = s["AHEAD"] > 0 ? std::ceil (s["AHEAD"] / items) : 0;
  const double passes = std::ceil (static_cast<double> (problem.rays) / cached);
  return passes * (1 + fill + sum + ahead) + s["PIXELS"] * (2.0 + problem.lanes);
}

// local.cl's groups go either way, and see one projection at once.
Shape hybrid_shape (const Setting &s, const Problem &problem)
{
  auto shape = local_shape (s, problem);
  shape.counters = static_cast<size_t> (s["BY_SM"]);
  const auto rays = 20 * static_cast<size_t> (std::max (1, s["BATCH"]));
  shape.local_memory = std::max (shape.local_memory, rays) + (shape.counters > 0 ? 4 : 0);
  return shape;
}

double hybrid_turns (const Setting &s, const Problem &problem)
{
  const int side = local_side (s);
  return std::max (local_turns (s, problem),
                   turns_of_strips ({side, side * side / s["PIXELS"], 1}, s["BATCH"], problem));
}

Shape window_shape (const Setting &s, const Problem &)
{
  return {{32, 4}, {32, 4 * s["PIXELS"]}};
}

double window_turns (const Setting &s, const Problem &problem)
{
  return s["PIXELS"] * (static_cast<double> (problem.rays) + 2 + problem.lanes);
}

Shape blocked_shape (const Setting &s, const Problem &problem)
{
  const auto side = static_cast<size_t> (s["TILE"]), batch = static_cast<size_t> (s["BATCH"]);
  const auto span = (side * 3 / 2 + 4) * (problem.interpolation == oversample ? 4 : 1);
  return {{1, 1}, {s["TILE"], s["TILE"]}, 4 * static_cast<size_t> (problem.lanes) * (side * side + batch * span)};
}

double blocked_turns (const Setting &s, const Problem &problem)
{
  constexpr double cell = 16;
  const double side = s["TILE"], pixels = s["PIXELS"], vectors = (problem.lanes + 15) / 16;
  const double rays = static_cast<double> (problem.rays), batches = std::ceil (rays / s["BATCH"]);
  const double window = side * 3 / 2 + 4, cells = side * side / cell / cell;
  const double copy = window * (1 + vectors) * (problem.interpolation == oversample ? 5 : 1);
  const double row_of_ray = 1 + cell / pixels * (1 + pixels * (1 + vectors));
  const double row_of_batch = 1 + cell / pixels * (1 + 2 * pixels * vectors);
  return side * side * vectors + rays * (1 + copy) +
         cells * (rays * (1 + cell * row_of_ray) + batches * cell * row_of_batch) + problem.lanes * side * (1 + side);
}

std::vector<Parameter> local_parameters ()
{
  return {{"PIXELS", {4, 8, 16}},
          {"CACHED", {8, 4, 16}},
          {"FILLERS", {0, 8, 16, 32, 64}, true},
          {"UNROLL", {4, 0, 1, 2, 8, 16}, true},
          {"ARRAYS", {1, 2, 4}},
          flag ("WRITE64"),
          flag ("ADVANCED"),
          flag ("HALF_CACHE"),
          {"HOLD", {1, 0, 2}},
          flag ("HOLD_STEPS"),
          {"AHEAD", {0, 256}, true},
          {"ROUND", {0, 1, 2}},
          flag ("CONSTANT")};
}

std::vector<Parameter> operator+ (std::vector<Parameter> all, const std::vector<Parameter> &more)
{
  all.insert (all.end (), more.begin (), more.end ());
  return all;
}

} // namespace

const std::vector<Variant> &variants ()
{
  static const std::vector<Variant> all{
      {"reference",
       "as the definition says, everywhere",
       {1, 2, 4, 8, 16, 32},
       {linear, nearest, oversample},
       {},
       never,
       reference_shape,
       nothing,
       reference_turns},
      {"texture",
       "interpolation by the texture engine",
       {1, 2, 4},
       {linear, nearest},
       {{"SIDE", {16, 32, 64}},
        {"ITEMS", {256, 128}},
        {"PROJECTIONS", {4, 2, 1}},
        flag ("ZORDER", true),
        {"BATCH", {0, 64, 256}},
        flag ("CONSTANT"),
        {"INTERLEAVE", {4, 1, 2, 8}},
        {"SHUFFLE", {0, 1, 2}}},
       always,
       texture_shape,
       texture_contradiction,
       texture_turns},
      {"local",
       "interpolation from local memory",
       {1, 2, 4},
       {linear, nearest, oversample},
       local_parameters () + std::vector{flag ("IMAGE")},
       [] (const Setting &s) { return s["IMAGE"] == 1; },
       local_shape,
       local_contradiction,
       local_turns},
      {"hybrid",
       "some groups as texture, the others as local",
       {1, 2, 4},
       {linear, nearest},
       local_parameters () + std::vector<Parameter>{{"TEXTURE_SHARE", {1, 2, 3, 5}},
                                                    {"LOCAL_SHARE", {1, 2, 3, 5}},
                                                    {"BY_SM", {0, 256}, true},
                                                    flag ("ZORDER", true),
                                                    {"BATCH", {0, 64, 256}},
                                                    {"INTERLEAVE", {4, 1, 2, 8}}},
       always,
       hybrid_shape,
       local_contradiction,
       hybrid_turns},
      {"window",
       "from a buffer, the bins in registers",
       {1, 2, 4},
       {linear, nearest},
       {{"PIXELS", {16, 8, 32, 4}}},
       never,
       window_shape,
       nothing,
       window_turns},
      {"blocked",
       "for CPUs: tiles in their caches",
       {4, 8, 16, 32},
       {linear, nearest, oversample},
       {{"TILE", {64, 32, 128}}, {"BATCH", {16, 8, 32}}, {"PIXELS", {8, 4, 16, 2, 1}}},
       never,
       blocked_shape,
       nothing,
       blocked_turns},
  };
  return all;
}

} // namespace sino::back_project
