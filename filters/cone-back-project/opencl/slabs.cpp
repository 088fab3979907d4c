// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/slabs.hpp"
#include "base/divide-up.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <numeric>
#include <utility>

namespace sino::cone_back_project {

namespace {

constexpr char slab_item[] = "slices of a work item"; // name on the bill

// Number of slices that a buffer can hold.
int64_t slices_that_fit (const OpenclDevice &device, const Volume &volume)
{
  return static_cast<int64_t> (device.largest_buffer / slice_bytes (volume));
}

// Returns the number of slices in one buffer, at most `wanted`.
int64_t slab_slices (const OpenclDevice &device, const Volume &volume, int64_t wanted)
{
  const auto fit = slices_that_fit (device, volume);
  if (fit < 1)
    fail (SINO_ERROR_MEMORY,
          "a slice needs a buffer of %s, but %s (%s) takes at most %s: set roi-width and roi-height, or device=native",
          bytes_text (static_cast<double> (slice_bytes (volume))).c_str (), device.id.c_str (), device.name.c_str (),
          bytes_text (static_cast<double> (device.largest_buffer)).c_str ());
  return std::min (fit, wanted);
}

// A quarter of the slices that are left of a slab, rounded up to a multiple of `step`.
int64_t quarter_of (int64_t left, int64_t step)
{
  return std::min (round_up (divide_up (left, 4), step), left);
}

} // namespace

size_t slice_bytes (const Volume &volume)
{
  return static_cast<size_t> (volume.columns * volume.lines) * sizeof (float);
}

void Slabs::memory (const OpenclDevice &device, const Volume &volume, int64_t wanted, Bill &bill)
{
  const auto slices = slab_slices (device, volume, wanted);
  add_buffers (bill, slab_item, static_cast<size_t> (slices) * slice_bytes (volume),
               static_cast<size_t> (divide_up (wanted, slices)));
}

Slabs::Slabs (OpenclQueues &q, Allotment &a, const Volume &v) : queues (q), allotment (a), volume (v) {}

void Slabs::begin (Interval slices)
{
  wait_for (delivered); // some drivers crash if parts of a buffer are released by two threads
  used = 0;
  computed.clear ();
  divided.clear ();
  for (auto from = slices.begin; from < slices.end;) {
    const auto end = from + slab_slices (queues.device, volume, slices.end - from);
    if (used == slabs.size ())
      slabs.push_back ({take_buffer (queues.device, allotment, slab_item), {}});
    auto &slab = slabs[used++];
    slab.slices = {from, end};
    require (slab.memory, static_cast<size_t> (slab.slices.size ()) * slice_bytes (volume), slab_item);
    from = end;
  }
}

int64_t Slabs::step_of (const OpenclDevice &device, const Volume &volume, int64_t voxels)
{
  const auto bits = device.attempt ([&] { return int64_t{device.device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN> ()}; });
  const auto alignment = std::max<int64_t> (bits / 8, 1);
  return voxels * alignment / std::gcd (voxels * static_cast<int64_t> (slice_bytes (volume)), alignment);
}

double Slabs::most_of_first_part (const OpenclDevice &device, const Volume &volume, int64_t voxels)
{
  const auto slices = std::clamp<int64_t> (slices_that_fit (device, volume), 1, volume.slices);
  return static_cast<double> (quarter_of (slices, step_of (device, volume, voxels))) / static_cast<double> (slices);
}

// The last parts are small: no kernels run while the last one leaves.
std::span<const Slab> Slabs::parts (int64_t voxels)
{
  constexpr size_t most_bytes = size_t{1} << 30; // of a part
  const auto one = slice_bytes (volume);
  const auto step = step_of (queues.device, volume, voxels);
  const auto most = round_up (std::max<int64_t> (static_cast<int64_t> (most_bytes / one), 1), step);
  for (const auto &slab : all ())
    for (auto from = slab.slices.begin; from < slab.slices.end;) {
      const Interval part{from, from + std::min (quarter_of (slab.slices.end - from, step), most)};
      const cl_buffer_region region{static_cast<size_t> (slab.slices.place (from)) * one,
                                    static_cast<size_t> (part.size ()) * one};
      cl::Buffer whole = slab.memory;
      divided.push_back ({whole.createSubBuffer (CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region), part});
      from = part.end;
    }
  return divided;
}

void Slabs::end ()
{
  const auto done = kernels_done (queues);
  for (const auto &slab : all ())
    computed.emplace_back (slab, done);
}

void Slabs::end (const Slab &part)
{
  computed.emplace_back (part, kernels_done (queues));
}

void Slabs::deliver (Block &block)
{
  // Two blocks in transfer keep the bus busy. The consumer may then already have released the block before them.
  wait_for (before);
  const MemoryPiece to (block);
  cl::Event done;
  for (const auto &[slab, end] : computed) {
    const auto part = slab.slices.meet (block.rows ());
    if (part.empty ())
      continue;
    const auto from = static_cast<size_t> (slab.slices.place (part.begin)) * slice_bytes (volume),
               at = static_cast<size_t> (block.rows ().place (part.begin)) * slice_bytes (volume),
               bytes = static_cast<size_t> (part.size ()) * slice_bytes (volume);
    if (to.in_reach ()) { // not behind kernels for other slices
      if (queues.device.pins_our_pages)
        to.buffer->settle (); // the copy does not wait in the driver either
      hold_transfers (queues.device, queues.download, end);
      queues.download.enqueueCopyBuffer (slab.memory, to.buffer->lend (queues.download, OpenclBuffer::Use::write), from,
                                         to.offset + at, bytes, nullptr, &done);
    } else
      done = download (queues, to, end, [&, &memory = slab.memory] (const cl::CommandQueue &queue, cl::Event &there) {
        queue.enqueueReadBuffer (memory, CL_FALSE, from, bytes, to.address () + at, nullptr, &there);
      });
  }
  if (to.in_reach ()) {
    queues.download.flush ();
    to.buffer->until (done, OpenclBuffer::Use::write);
  }
  before = std::exchange (delivered, done);
}

} // namespace sino::cone_back_project
