// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/stitch-360/opencl-join.hpp"
#include "families/trial.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/point/opencl-values.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::stitch_360 {

using namespace families;

namespace {

constexpr char direct_item[] = "weights of rows", mirror_item[] = "weights of mirror images",
               parts_item[] = "weights of an interpolation";

// Lines in lanes: the first is joined with the second, the third is not joined.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem, double axis)
{
  constexpr int64_t columns = 67, lanes = 4, line = columns * lanes;
  const Join join (columns, axis);
  const auto wide = join.width () * lanes;
  std::vector<float> in, truth (static_cast<size_t> (2 * wide)), got (truth.size ()),
      scratch (static_cast<size_t> (Join::Loops::scratch (columns, lanes)));
  for (int64_t i = 0; i < 3 * line; i++)
    in.push_back (noise (i));
  const Join::Loops loops (join, lanes, false);
  loops.direct (in.data (), &truth[static_cast<size_t> (wide)]);
  loops.mirror (&in[line], &truth[static_cast<size_t> (wide)], scratch.data ());
  loops.direct (&in[2 * line], truth.data ());
  const auto value = [] (int64_t n) { return static_cast<cl_ulong> (n); };
  const std::vector<Line> lines{{0, value (wide)}, {value (2 * line), 0}, {value (line), value (wide)}};
  Bill bill;
  OpenclJoin::memory (join, bill);
  Allotment memory (bill);
  OpenclJoin there (device, setting, problem, memory, join, false);
  const cl::Buffer list (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, lines.size () * sizeof (Line),
                         const_cast<Line *> (lines.data ()));
  compute (device, std::as_bytes (std::span (in)), std::as_writable_bytes (std::span (got)),
           [&] (auto &queue, auto &from, auto &to) {
             there.fill (queue, from, list, {0, 2}, lanes, to);
             there.add_mirrored (queue, from, list, {2, 3}, lanes, to);
           });
  RelativeError error;
  for (size_t i = 0; i < truth.size (); i++)
    error.add (double{got[i]}, double{truth[i]});
  return error.value ();
}

// With and without interpolation, and with the axis near either border.
double worst_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  return std::max (trial_error (device, setting, problem, 50), trial_error (device, setting, problem, 13.3));
}

} // namespace

const Family &family ()
{
  static const Family all{.name = "stitch-360",
                          .kernels = {point::value_kernel ({"stitch-360/stitch-360.cl", opencl::opencl_source})},
                          .any_lanes = true,
                          .takes_projections = true,
                          .native_on_cpus = true,
                          .usual = {1, 1000, {}},
                          .trial = worst_error,
                          .most_error = 1e-6};
  return all;
}

void OpenclJoin::memory (const Join &join, Bill &bill)
{
  add_buffers (bill, direct_item, static_cast<size_t> (join.width ()) * sizeof (float));
  add_buffers (bill, mirror_item, static_cast<size_t> (join.width ()) * sizeof (float));
  add_buffers (bill, parts_item, join.image ().parts.size_bytes ());
}

OpenclJoin::OpenclJoin (const OpenclDevice &device, const Setting &setting, const Problem &problem, Allotment &memory,
                        const Join &j, bool alone)
    : join (j), program (device.attempt ([&] { return build (device, setting, problem); })),
      group (setting.kernel->shape (setting, problem).group[0]), direct (device, program, "direct", group),
      mirror (device, program, "mirror", group),
      direct_weights (take_table (device, memory, direct_item, join.direct_weights (alone))),
      mirror_weights (take_table (device, memory, mirror_item, join.mirror_weights ())),
      parts (take_table (device, memory, parts_item, join.image ().parts.data (), join.image ().parts.size_bytes ()))
{
}

OpenclJoin::Span OpenclJoin::fill (const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &list,
                                   Interval some, int64_t lanes, const cl::Buffer &out)
{
  const auto width = join.width () * lanes;
  direct.take (in, list, direct_weights, lanes, join.shift () * lanes, join.columns_in () * lanes, width, out);
  return direct.enqueue (queue, width, some);
}

OpenclJoin::Span OpenclJoin::add_mirrored (const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &list,
                                           Interval some, int64_t lanes, const cl::Buffer &out)
{
  const auto image = join.image ();
  mirror.take (in, list, mirror_weights, parts, image.parts.size (), lanes, join.columns_in (), image.start,
               image.first, image.count, out);
  return mirror.enqueue (queue, image.count * lanes, some);
}

} // namespace sino::stitch_360
