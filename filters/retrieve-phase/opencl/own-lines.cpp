// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/opencl/own-lines.hpp"
#include "base/text.hpp"
#include "device/opencl-memory.hpp"
#include "filters/opencl/arguments.hpp"
#include <algorithm>

namespace sino::retrieve_phase {

namespace {

constexpr int64_t most_images = 1024;

// Names on the bill.
constexpr char frequencies_item[] = "frequencies of images", row_turns_item[] = "factors of transforms of rows",
               column_turns_item[] = "factors of transforms of columns";

} // namespace

size_t OwnPlan::frequencies (const Plane &plane) const
{
  const auto kept = round_up (plane.half () + 1, int64_t{rows.together}); // frequencies of a row
  return static_cast<size_t> (kept * plane.rows) * sizeof (cl_float2);
}

int64_t OwnPlan::together (const Plane &plane, int64_t images) const
{
  const auto fit = static_cast<int64_t> (at_once / frequencies (plane));
  return std::clamp<int64_t> (std::min (fit, images), 1, most_images);
}

std::string own_refusal (const families::Setting &setting, const families::Problem &problem, const OpenclFacts &facts)
{
  if (setting["FFT"] == 1)
    for (const auto length : {problem["width"] / 2, problem["height"]})
      if (!opencl::lines_for (length, facts, setting))
        return text ("with FFT=1, a line of %" G_GINT64_FORMAT
                     " complex values does not fit in the local memory of a group",
                     length);
  return {};
}

std::optional<OwnPlan> own_plan (const OpenclDevice &device, const families::Setting &setting, const Plane &plane)
{
  if (setting["FFT"] == 0)
    return {};
  const auto facts = device.facts ();
  return OwnPlan{opencl::lines_for (plane.half (), facts, setting).value (),
                 opencl::lines_for (plane.height, facts, setting).value (), static_cast<size_t> (setting["MIB"]) << 20};
}

void OwnLines::memory (const Plane &plane, const OwnPlan &plan, int64_t images, Bill &bill)
{
  const auto together = plan.together (plane, images);
  add_tables (plane, together, bill);
  add_buffers (bill, frequencies_item, static_cast<size_t> (together) * plan.frequencies (plane));
  add_buffers (bill, row_turns_item, plan.rows.plan.turns_bytes ());
  add_buffers (bill, column_turns_item, plan.columns.plan.turns_bytes ());
}

OwnLines::OwnLines (const RetrievalSetup &setup, const OwnPlan &p) : OpenclRetrieval (setup), plan (p)
{
  device.attempt ([&] {
    build (setup);
    frequencies = take_buffer (device, setup.memory, frequencies_item);
    together = static_cast<int64_t> (frequencies.getInfo<CL_MEM_SIZE> () / plan.frequencies (plane));
    row_turns = take_turns (device, plan.rows.plan, setup.memory, row_turns_item);
    column_turns = take_turns (device, plan.columns.plan, setup.memory, column_turns_item);
  });
}

void OwnLines::build (const RetrievalSetup &setup)
{
  const auto rows = program (setup, plan.rows.options ());
  transform = {rows, "transform_rows"};
  restore = {rows, "restore_rows"};
  filter = {program (setup, plan.columns.options () + " -DOF_COLUMNS"), "filter_columns"};
}

std::pair<cl::Event, cl::Event> OwnLines::enqueue (const cl::CommandQueue &queue, const Images &images)
{
  return device.attempt ([&] {
    std::pair<cl::Event, cl::Event> all;
    for (int64_t first = 0; first < images.count; first += together) {
      const Part part{first, std::min (together, images.count - first)};
      const auto begin = transform_rows (queue, images, part);
      filter_columns (queue, part);
      all = {first == 0 ? begin : all.first, restore_rows (queue, images, part)};
    }
    return all;
  });
}

cl::Event OwnLines::launch_rows (const cl::CommandQueue &queue, const cl::Kernel &kernel, int64_t rows, Part part) const
{
  const auto &lines = plan.rows.plan;
  const auto items = static_cast<size_t> (lines.items) * static_cast<size_t> (lines.lines);
  const auto groups = static_cast<size_t> (divide_up (rows, int64_t{lines.lines}));
  return opencl::launch (queue, kernel, {groups * items, static_cast<size_t> (part.count)}, {items, 1});
}

cl::Event OwnLines::transform_rows (const cl::CommandQueue &queue, const Images &images, Part part)
{
  opencl::set (transform, 0, images.in, part.first, plane.rows, plane.columns, frequencies, row_turns, half_turns,
               replaced_.buffer (), strange);
  return launch_rows (queue, transform, plane.rows, part);
}

// The first dimension counts columns of a group of all images, the third groups of columns.
cl::Event OwnLines::filter_columns (const cl::CommandQueue &queue, Part part)
{
  const auto beside = static_cast<size_t> (plan.columns.columns), items = static_cast<size_t> (plan.columns.plan.items);
  const auto groups = divide_up (static_cast<size_t> (plane.half ()) + 1, beside);
  opencl::set (filter, 0, frequencies, plane.half (), plane.rows, factors, column_turns);
  return opencl::launch (queue, filter, {static_cast<size_t> (part.count) * beside, items, groups}, {beside, items, 1});
}

cl::Event OwnLines::restore_rows (const cl::CommandQueue &queue, const Images &images, Part part)
{
  opencl::set (restore, 0, images.in, part.first, plane.rows, plane.columns, frequencies, images.wanted.begin,
               images.wanted.size (), images.out, row_turns, half_turns, clamped_.buffer (), strange, odd_.buffer ());
  return launch_rows (queue, restore, images.wanted.size (), part);
}

} // namespace sino::retrieve_phase
