// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/shapes.hpp"
#include "base/text.hpp"
#include "filters/cone-back-project/opencl/layers.hpp"

namespace sino::cone_back_project {

using namespace families;

namespace {

bool is_tilted (const Problem &problem)
{
  return problem["rays"] == 1;
}

// Returns the number of values in a line of the detector that Z voxels need: the values between the first and the last
// voxel, and those around them.
int64_t line_of (const Setting &s, const Problem &problem)
{
  return ((s["Z"] - 1) * problem["quarter-rows"] + 3) / 4 + 4;
}

// Returns the bytes of local memory that shared-rays.cl takes: for layers, their planes, and the columns of rays on
// planes.
size_t shared_memory (const Setting &s, const Problem &problem)
{
  if (s["ONCE"] != 2 || is_tilted (problem))
    return 0;
  const auto tile = static_cast<size_t> (s["WIDE"]), views = static_cast<size_t> (s["VIEWS"]),
             vectors = static_cast<size_t> (s["Z"] / 4);
  return views * (36 + 36 * tile) + 16 * tile * (tile * (vectors + 1) + 1) + 64;
}

} // namespace

bool is_adjoint (const Problem &problem)
{
  return problem["weights"] == 1;
}

Shape shape_of (const Setting &s, const Problem &problem)
{
  const bool gathers = s.kernel->name == std::string_view ("gather");
  const bool has_line = s.kernel->name == std::string_view ("columns");
  const size_t wide = static_cast<size_t> (s["WIDE"]), high = static_cast<size_t> (s["HIGH"]);
  const auto line = has_line ? line_of (s, problem) : 0;
  Shape shape{.group = {wide, high},
              .area = {s["WIDE"], s["HIGH"]},
              .local_memory = static_cast<size_t> (line) * wide * high * sizeof (float),
              .constants = static_cast<size_t> (s["VIEWS"]) * 64,
              .turns = s["VIEWS"] * static_cast<double> (1 + s["Z"] + line) + 2 * s["Z"]};
  if (gathers) {
    shape.area = {s["WIDE"] * s["SIDE"], s["HIGH"] * s["SIDE"]};
    shape.turns *= s["ONCE"] == 2 ? 4 : s["SIDE"] * s["SIDE"];
    shape.local_memory = static_cast<size_t> (s["VIEWS"]) * 96 + shared_memory (s, problem);
    shape.constants = static_cast<size_t> (s["VIEWS"]) * (sizeof (KernelLayer) + sizeof (forward_project::KernelView));
  }
  if (s.kernel->name == std::string_view ("image"))
    shape.image = ImageShape{.width = problem["columns"], .height = problem["rows"], .components = 1, .half = false};
  return shape;
}

std::string only_upright (const Setting &, const Problem &problem, const OpenclFacts &)
{
  return is_tilted (problem) ? "is for detectors parallel to the axis, and here the detector or the axis is tilted"
                             : "";
}

std::string options (const Setting &s, const Problem &problem)
{
  std::string out = is_tilted (problem) ? "" : " -DUPRIGHT";
  if (problem["turns"] == 1)
    out += " -DTURNS";
  if (s.kernel->name == std::string_view ("columns"))
    out += text (" -DLINE=%" G_GINT64_FORMAT, line_of (s, problem));
  if (s.kernel->name == std::string_view ("gather"))
    out += text (" -DNEAR=%" G_GINT64_FORMAT, problem["near-lines"]);
  return out;
}

} // namespace sino::cone_back_project
