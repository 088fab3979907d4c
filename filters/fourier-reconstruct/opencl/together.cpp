// SPDX-License-Identifier: LGPL-3.0-or-later
#include "fourier-reconstruct/opencl/together.hpp"
#include "fourier-reconstruct/opencl/stages.hpp"
#include "opencl/source.hpp"
#include "opencl/tuned.hpp"

namespace sino::fourier {

namespace {

constexpr int usual = 16; // more would not fit in the registers of a GPU

std::string path_for (const OpenclDevice &device)
{
  return tuned_path (device, {kernels::opencl_source (stages_source)}, "fourier-reconstruct");
}

} // namespace

std::string GroupChoice::text () const
{
  return sino::text ("%d slices together (%s)", slices, origin.c_str ());
}

GroupChoice choose_group (const OpenclDevice &device, Together asked)
{
  if (asked != Together::automatic)
    return {static_cast<int> (asked), "as asked for"};
  const auto kept = read_tuned (path_for (device));
  for (const int slices : group_sizes) // what is damaged counts as nothing
    if (kept == group_json (slices) + "\n")
      return {slices, "tuned on this machine"};
  return {usual, "usual"};
}

std::string keep_group (const OpenclDevice &device, int slices)
{
  auto path = path_for (device);
  keep_tuned (path, group_json (slices) + "\n");
  return path;
}

std::string group_json (int slices)
{
  return text ("{\"together\": %d}", slices);
}

} // namespace sino::fourier
