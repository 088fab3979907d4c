// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/opencl/retrieval.hpp"
#include "base/text.hpp"
#include "device/opencl-memory.hpp"
#include "filters/point/opencl-elements.hpp"
#include <cmath>
#include <numbers>

namespace sino::retrieve_phase {

namespace {

// Names on the bill.
constexpr char factors_item[] = "response on the device", half_turns_item[] = "half turns of rows",
               strange_item[] = "counts of strange values";

} // namespace

families::Problem problem_of (Method method, const Plane &plane)
{
  return {1, 1000, {{"method", static_cast<int64_t> (method)}, {"height", plane.height}, {"width", plane.width}}};
}

std::string options (const families::Setting &, const families::Problem &problem)
{
  const auto method = static_cast<Method> (problem["method"]);
  return text (" -DRESULT=%d", method == Method::paganin ? 1 : method == Method::bronnikov_aided ? 2 : 0);
}

cl::Program OpenclRetrieval::program (const RetrievalSetup &setup, const std::string &own)
{
  const auto &source = setup.setting.kernel->source;
  return setup.device.build (source.name, source.read (source.name),
                             own + options (setup.setting, setup.problem) + point::precise_option (setup.device));
}

void OpenclRetrieval::add_tables (const Plane &plane, int64_t images, Bill &bill)
{
  add_buffers (bill, factors_item, plane.responses () * sizeof (float));
  add_buffers (bill, half_turns_item, static_cast<size_t> (plane.half ()) * sizeof (cl_float2));
  add_buffers (bill, strange_item, static_cast<size_t> (images) * sizeof (cl_ulong));
}

OpenclRetrieval::OpenclRetrieval (const RetrievalSetup &setup)
    : device (setup.device), plane (setup.plane), replaced_ (device), clamped_ (device), odd_ (device)
{
  device.attempt ([&] {
    factors = take_table (device, setup.memory, factors_item, setup.responses.data (), setup.responses.size_bytes ());
    std::vector<cl_float2> turns;
    for (int64_t k = 0; k < plane.half (); k++) {
      const double t = std::numbers::pi * static_cast<double> (k) / static_cast<double> (plane.half ());
      turns.push_back ({{static_cast<float> (std::cos (t)), static_cast<float> (std::sin (t))}});
    }
    half_turns = take_table (device, setup.memory, half_turns_item, turns);
    strange = take_buffer (device, setup.memory, strange_item);
    device.maps ().enqueueFillBuffer (strange, cl_uint{0}, 0, strange.getInfo<CL_MEM_SIZE> ());
    device.maps ().finish ();
  });
}

} // namespace sino::retrieve_phase
