// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-weight/family.hpp"
#include "families/trial.hpp"
#include "filters/point/opencl-lines.hpp"
#include "filters/point/opencl-values.hpp"
#include "kernels/cone-weight/cosines.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::cone_weight {

using namespace families;

namespace {

// Two tables of shares, for the first and the last lines, with columns of zeros on both sides.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  constexpr int64_t columns = 67, before = 5, wide = 77, lines = 12, split = 8, together = 4;
  std::vector<Cosines> cosines;
  std::vector<float> in, shares, truth (lines * wide), got (lines * wide);
  for (int64_t i = 0; i < lines; i++)
    cosines.push_back ({500 + static_cast<float> (i), 0.25f, 260000, 100, 1});
  for (int64_t i = 0; i < lines * columns; i++)
    in.push_back (noise (i));
  for (int64_t i = 0; i < lines / together * columns; i++)
    shares.push_back (noise (i + 1000));
  for (int64_t i = 0; i < lines; i++)
    weigh (cosines[static_cast<size_t> (i)], &shares[static_cast<size_t> (i / together * columns)],
           &in[static_cast<size_t> (i * columns)], columns, &truth[static_cast<size_t> (i * wide + before)]);
  point::OpenclLines kernel (device, family (), setting, problem);
  const auto table = [&] (auto &values, int64_t first) {
    const auto bytes = (values.size () - static_cast<size_t> (first)) * sizeof values[0];
    return cl::Buffer (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes,
                       &values[static_cast<size_t> (first)]);
  };
  compute (device, std::as_bytes (std::span (in)), std::as_writable_bytes (std::span (got)),
           [&] (auto &queue, auto &from, auto &to) {
             for (const Interval part : {Interval{0, split}, Interval{split, lines}}) {
               const auto part_cosines = table (cosines, part.begin),
                          part_shares = table (shares, part.begin / together * columns);
               kernel.take (from, part_cosines, part_shares, part.begin, together, columns, before, wide, to);
               kernel.enqueue (queue, wide, part);
             }
           });
  RelativeError error;
  for (size_t i = 0; i < truth.size (); i++)
    error.add (double{got[i]}, double{truth[i]});
  return error.value ();
}

} // namespace

const Family &family ()
{
  static const Family all{.name = "cone-weight",
                          .kernels = {point::value_kernel ({"cone-weight/cone-weight.cl", opencl::opencl_source})},
                          .any_lanes = true,
                          .takes_projections = true,
                          .native_on_cpus = true,
                          .usual = {1, 1000, {}},
                          .trial = trial_error,
                          .most_error = 1e-6};
  return all;
}

} // namespace sino::cone_weight
