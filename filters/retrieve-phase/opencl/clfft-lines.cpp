// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/opencl/clfft-lines.hpp"
#include "device/opencl-memory.hpp"
#include "filters/opencl/arguments.hpp"
#include <algorithm>

namespace sino::retrieve_phase {

namespace {

constexpr size_t group = 64; // work-items

// Names on the bill.
constexpr char image_rows_item[] = "rows of an image", image_columns_item[] = "columns of an image",
               scratch_item[] = "scratch of transforms";

cl::Event launch (const cl::CommandQueue &queue, const cl::Kernel &kernel, int64_t across, int64_t down)
{
  return opencl::launch (queue, kernel, {round_up (static_cast<size_t> (across), group), static_cast<size_t> (down)},
                         {group, 1});
}

} // namespace

void ClfftLines::memory (const OpenclDevice &device, const Plane &plane, Bill &bill)
{
  const auto half = plane.half (), longest = std::max (half, plane.height);
  if (longest > OpenclFft::longest)
    fail (SINO_ERROR_DEVICE,
          "images of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
          " values with padding are too large for the transforms on %s (%s): set variant=native",
          plane.width, plane.height, device.id.c_str (), device.name.c_str ());
  add_tables (plane, 1, bill);
  add_buffers (bill, image_rows_item, static_cast<size_t> (plane.rows * half) * sizeof (cl_float2));
  add_buffers (bill, image_columns_item, static_cast<size_t> ((half + 1) * plane.height) * sizeof (cl_float2));
  add_buffers (bill, scratch_item,
               std::max (static_cast<size_t> (plane.rows) * OpenclFft::scratch_of_row (device, half),
                         static_cast<size_t> (half + 1) * OpenclFft::scratch_of_row (device, plane.height)));
}

ClfftLines::ClfftLines (const RetrievalSetup &setup)
    : OpenclRetrieval (setup), of_rows (device, plane.half (), plane.rows),
      of_columns (device, plane.height, plane.half () + 1)
{
  device.attempt ([&] {
    const auto built = program (setup, "-cl-std=CL1.2");
    lay = {built, "lay"};
    turn_to_columns = {built, "turn_to_columns"};
    multiply = {built, "multiply"};
    turn_to_rows = {built, "turn_to_rows"};
    crop = {built, "crop"};
    lines = take_buffer (device, setup.memory, image_rows_item);
    columns = take_buffer (device, setup.memory, image_columns_item);
    if (const auto bytes = std::max (of_rows.scratch (), of_columns.scratch ()); bytes > 0) {
      scratch = take_buffer (device, setup.memory, scratch_item);
      require (scratch, bytes, scratch_item);
    }
  });
}

std::pair<cl::Event, cl::Event> ClfftLines::enqueue (const cl::CommandQueue &queue, const Images &images)
{
  if (wanted != images.wanted.size ()) {
    wanted = images.wanted.size ();
    of_wanted.emplace (device, plane.half (), wanted);
    if (const auto bytes = of_wanted->scratch (); bytes > 0)
      require (scratch, bytes, scratch_item);
  }
  return device.attempt ([&] {
    std::pair<cl::Event, cl::Event> all;
    for (int64_t image = 0; image < images.count; image++) {
      const auto part = retrieve (queue, images, image);
      all = {image == 0 ? part.first : all.first, part.second};
    }
    return all;
  });
}

std::pair<cl::Event, cl::Event> ClfftLines::retrieve (const cl::CommandQueue &queue, const Images &images,
                                                      int64_t image)
{
  const auto half = plane.half (), height = plane.height, begin = images.wanted.begin;
  opencl::set (lay, 0, images.in, image, plane.rows, plane.columns, lines, half, replaced_.buffer (), strange);
  const auto first = launch (queue, lay, 2 * half, plane.rows);
  of_rows.forward (queue, lines, scratch);
  opencl::set (turn_to_columns, 0, lines, half, plane.rows, columns, height, half_turns);
  launch (queue, turn_to_columns, half + 1, height);
  of_columns.forward (queue, columns, scratch);
  opencl::set (multiply, 0, columns, height, factors);
  launch (queue, multiply, height, half + 1);
  of_columns.backward (queue, columns, scratch);
  opencl::set (turn_to_rows, 0, columns, height, begin, lines, half, half_turns);
  launch (queue, turn_to_rows, half, wanted);
  of_wanted->backward (queue, lines, scratch);
  opencl::set (crop, 0, images.in, image, plane.rows, plane.columns, lines, half, begin, wanted, images.out,
               clamped_.buffer (), strange, odd_.buffer ());
  return {first, launch (queue, crop, plane.columns, wanted)};
}

} // namespace sino::retrieve_phase
