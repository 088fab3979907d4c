// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/opencl-corrector.hpp"
#include "device/opencl-memory.hpp"
#include "filters/opencl/arguments.hpp"
#include "filters/point/opencl-elements.hpp"
#include <algorithm>
#include <limits>

namespace sino::flat_field {

namespace {

constexpr char references_item[] = "darks and flats of a block's rows", runs_item[] = "dead pixels of a block's rows",
               moments_item[] = "moments of angles between flats";

// In a row, runs of dead pixels are separated by at least one good pixel.
size_t run_bytes (size_t pixels)
{
  return (pixels + 1) / 2 * sizeof (References::Run);
}

} // namespace

families::Problem problem_of (Element element, bool absorption)
{
  return {1, 1000, {{"element", static_cast<int64_t> (element)}, {"absorption", absorption ? 0 : 1}}};
}

std::string options (const families::Setting &, const families::Problem &problem)
{
  const auto element = static_cast<Element> (problem["element"]);
  return point::element_option (element) + text (" -DCOUNTS=%d -DABSORPTION=%d",
                                                 element == Element::u8 || element == Element::u16,
                                                 problem["absorption"] == 0);
}

void OpenclCorrector::memory (size_t pixels, int64_t groups, int64_t angles, Bill &bill)
{
  add_buffers (bill, references_item, pixels * static_cast<size_t> (1 + groups) * sizeof (float), 2);
  add_buffers (bill, runs_item, run_bytes (pixels), 2);
  add_buffers (bill, moments_item, static_cast<size_t> (std::max<int64_t> (angles, 1)) * sizeof (Moment));
}

OpenclCorrector::OpenclCorrector (OpenclQueues &q, const families::Setting &setting, const families::Problem &problem,
                                  Allotment &memory)
    : queues (q), device (q.device), allotment (memory), low (device), holes (device), made (device),
      group (setting.kernel->shape (setting, problem).group[0]), angles_each (setting["ANGLES"])
{
  device.attempt ([&] {
    const auto built = point::build_precise (device, setting, problem, options);
    correct = cl::Kernel (built, "flat_field");
    patch = cl::Kernel (built, "patch");
    fill = cl::Kernel (built, "fill");
    moments = take_buffer (device, allotment, moments_item);
  });
}

void OpenclCorrector::take_moments (std::span<const double> positions, int64_t angles)
{
  std::vector<Moment> list;
  for (int64_t angle = 0; angle < angles; angle++)
    list.push_back (moment_of (static_cast<double> (angle), positions));
  const auto bytes = list.size () * sizeof (Moment);
  device.attempt ([&] {
    require (moments, bytes, moments_item);
    queues.upload.enqueueWriteBuffer (moments, CL_TRUE, 0, bytes, list.data ());
  });
}

void OpenclCorrector::take (const References &references)
{
  const auto runs = references.dead_runs ();
  const auto &darks = references.darks ();
  std::vector<float> all;
  all.reserve (darks.size () * (1 + references.flats ().size ()));
  all.insert (all.end (), darks.begin (), darks.end ());
  for (const auto &white : references.flats ())
    all.insert (all.end (), white.begin (), white.end ());
  turn = 1 - turn;
  auto &set = sets[turn];
  set.pixels = darks.size ();
  set.groups = static_cast<int32_t> (references.flats ().size ());
  set.run_count = static_cast<int32_t> (runs.size ());
  set.top = references.top ();
  device.attempt ([&] {
    wait_for (set.last);
    set.last = {};
    if (!set.values ()) {
      set.values = take_buffer (device, allotment, references_item);
      set.runs = take_buffer (device, allotment, runs_item);
    }
    const auto &queue = queues.upload;
    require (set.values, all.size () * sizeof (float), references_item);
    require (set.runs, runs.size () * sizeof (References::Run), runs_item);
    queue.enqueueWriteBuffer (set.values, CL_TRUE, 0, all.size () * sizeof (float), all.data ());
    if (!runs.empty ())
      queue.enqueueWriteBuffer (set.runs, CL_TRUE, 0, runs.size () * sizeof (References::Run), runs.data ());
  });
}

OpenclCorrector::Lines::Lines (const Block &block)
    : width (block.line () * block.lanes ()), step (block.lanes ()), places (divide_up (block.rows ().size (), step))
{
  const bool sinograms = block.format ().kind () == Kind::sinograms;
  angle_stride = sinograms ? width : places * width;
  place_stride = sinograms ? block.angles ().size () * width : width;
}

OpenclCorrector::Lines OpenclCorrector::Lines::together () const
{
  auto lines = *this;
  if (place_stride == width && width * places <= std::numeric_limits<int32_t>::max () / 2) {
    lines.width *= places;
    lines.places = 1;
  }
  return lines;
}

OpenclCorrector::Span OpenclCorrector::enqueue (const Block &layout, const cl::Buffer &in, const cl::Buffer &out)
{
  return device.attempt ([&] {
    auto &set = sets[turn];
    const Lines lines (layout);
    Span span;
    span.last = launch_correct (set, lines.together (), layout.angles (), in, out, span.first);
    if (set.run_count > 0)
      launch_patch (set, lines, layout.angles ().size (), out);
    span.last = launch_fill (lines, layout.angles ().size (), out);
    set.last = span.last;
    return span;
  });
}

cl::Event OpenclCorrector::launch_correct (const Set &set, const Lines &lines, Interval angles, const cl::Buffer &in,
                                           const cl::Buffer &out, cl::Event &first)
{
  const opencl::Long angle_stride{lines.angle_stride}, place_stride{lines.place_stride};
  opencl::set (correct, 0, in, set.values, opencl::Long{static_cast<cl_long> (set.pixels)}, moments, set.groups > 1,
               angles.begin, angles.size (), angle_stride, place_stride, lines.width, out, low.buffer (), set.top,
               holes.buffer ());
  const auto across = round_up (static_cast<size_t> (lines.width), group);
  const auto down = divide_up (angles.size (), angles_each);
  const auto &queue = queues.kernels;
  cl::Event last;
  for (int64_t place = 0; place < lines.places; place += most_groups)
    for (int64_t part = 0; part < down; part += most_groups) {
      queue.enqueueNDRangeKernel (correct, {0, static_cast<size_t> (part), static_cast<size_t> (place)},
                                  {across, static_cast<size_t> (std::min (most_groups, down - part)),
                                   static_cast<size_t> (std::min (most_groups, lines.places - place))},
                                  {group, 1, 1}, nullptr, &last);
      if (!first ())
        first = last;
    }
  return last;
}

cl::Event OpenclCorrector::launch_patch (const Set &set, const Lines &lines, int64_t angles, const cl::Buffer &out)
{
  opencl::set (patch, 0, set.runs, set.run_count, lines.step, lines.width, opencl::Long{lines.angle_stride},
               opencl::Long{lines.place_stride}, out);
  return for_angles (patch, static_cast<size_t> (set.run_count), angles);
}

cl::Event OpenclCorrector::launch_fill (const Lines &lines, int64_t angles, const cl::Buffer &out)
{
  const auto rows = lines.places * lines.step;
  opencl::set (fill, 0, holes.buffer (), rows, lines.step, lines.width, opencl::Long{lines.angle_stride},
               opencl::Long{lines.place_stride}, out, made.buffer ());
  return for_angles (fill, static_cast<size_t> (rows), angles);
}

cl::Event OpenclCorrector::for_angles (const cl::Kernel &kernel, size_t across, int64_t angles)
{
  const auto whole = round_up (across, group);
  cl::Event last;
  for (int64_t angle = 0; angle < angles; angle += most_groups)
    queues.kernels.enqueueNDRangeKernel (kernel, {0, static_cast<size_t> (angle)},
                                         {whole, static_cast<size_t> (std::min (most_groups, angles - angle))},
                                         {group, 1}, nullptr, &last);
  return last;
}

} // namespace sino::flat_field
