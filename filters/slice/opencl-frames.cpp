// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/opencl-frames.hpp"

namespace sino::slice {

using Use = OpenclBuffer::Use;

namespace {

size_t row_bytes (int64_t n)
{
  return static_cast<size_t> (n) * sizeof (float);
}

size_t bytes_of (const back_project::Roi &area)
{
  return row_bytes (area.width * area.height);
}

constexpr char frames_item[] = "slices of a group";

} // namespace

OpenclFrames::OpenclFrames (OpenclQueues &q, const Roi &f, const Roi &s, Allotment &allotment)
    : queues (q), frame (f), slice (s), staging (q.device, allotment, frames_item)
{
}

void OpenclFrames::memory (const Roi &frame, const Roi &slice, int frames, size_t output_reached, Bill &bill)
{
  const auto bytes = bytes_of (frame) * static_cast<size_t> (frames);
  // In blocks with several groups, only the first group is filled in place. The last group may have a single slice.
  if (output_reached == 0 || output_reached >= bytes + bytes_of (slice) || frame != slice)
    add_buffers (bill, frames_item, bytes, Staging::slots);
}

const cl::Buffer &OpenclFrames::take (std::span<const MemoryPiece> slices, int frames)
{
  const auto direct = in_place (slices);
  staged = !direct;
  return current =
             direct ? *direct : staging.for_kernels (queues.kernels, bytes_of (frame) * static_cast<size_t> (frames));
}

std::optional<cl::Buffer> OpenclFrames::in_place (std::span<const MemoryPiece> slices) const
{
  for (size_t i = 0; i < slices.size (); i++)
    if (slices[i].buffer != slices[0].buffer || slices[i].offset != slices[0].offset + i * bytes_of (frame))
      return {};
  return frame == slice ? slices[0].direct (queues.kernels, Use::write) : std::nullopt;
}

void OpenclFrames::finish (std::span<const MemoryPiece> slices, const cl::Event &computed)
{
  if (staged)
    bring (slices, computed);
  else
    slices[0].buffer->until (computed, Use::write);
}

void OpenclFrames::bring (std::span<const MemoryPiece> slices, const cl::Event &computed)
{
  const cl::array<size_t, 3> extent{row_bytes (slice.width), static_cast<size_t> (slice.height), 1};
  cl::Event last = computed;
  for (size_t i = 0; i < slices.size (); i++) {
    const auto &to = slices[i];
    if (!to.buffer && !to.host) // the slice is not wanted
      continue;
    const cl::array<size_t, 3> from{row_bytes (slice.x - frame.x),
                                    static_cast<size_t> (slice.y - frame.y) + i * static_cast<size_t> (frame.height),
                                    0};
    if (to.in_reach ()) {
      queues.kernels.enqueueCopyBufferRect (current, to.buffer->lend (queues.kernels, Use::write), from,
                                            {to.offset, 0, 0}, extent, row_bytes (frame.width), 0,
                                            row_bytes (slice.width), 0, nullptr, &last);
      queues.kernels.flush ();
      to.buffer->until (last, Use::write);
    } else {
      last = download (queues, to, computed, [&] (const cl::CommandQueue &queue, cl::Event &there) {
        queue.enqueueReadBufferRect (current, CL_FALSE, from, {0, 0, 0}, extent, row_bytes (frame.width), 0,
                                     row_bytes (slice.width), 0, to.address (), nullptr, &there);
      });
    }
  }
  staging.until (last);
}

} // namespace sino::slice
