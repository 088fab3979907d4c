// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/align-projections/aligner.hpp"
#include "base/error.hpp"
#include "filters/align-projections/smoothing.hpp"
#include "filters/move-pixels/shifted.hpp"
#include <cstring>

namespace sino::align_projections {

namespace {

using move_pixels::Shifted, move_pixels::Way;

constexpr const char *first_item = "first projection", *kept_item = "projections before they are moved";

size_t image_bytes (Size size)
{
  return size.values () * sizeof (float);
}

Shifted moved_by (const Settings &settings, Way way)
{
  const auto &size = settings.job.size;
  return {Element::f32, {size.columns, size.rows}, settings.interpolation, {way}, false};
}

} // namespace

Aligner::Aligner (const Replica &replica, const Settings &s, std::shared_ptr<Tally> t)
    : cpu (replica.cpu), allotment (replica.memory), settings (s), tally (std::move (t)),
      angles (replica.output->angles ()), values (s.job.size.values ()), across (static_cast<size_t> (angles)),
      down (static_cast<size_t> (angles))
{
}

void Aligner::memory (const Settings &settings, const Sizing &sizing, Bill &bill)
{
  const auto image = image_bytes (settings.job.size), threads = static_cast<size_t> (sizing.threads);
  add_bytes (bill, "binned projections of a thread", Registration::bytes (settings.job.size), threads);
  add_bytes (bill, "memory to make rows", moved_by (settings, {0.5, 0.5}).scratch (1), threads);
  if (settings.closing)
    add_pages (bill, first_item, image);
  if (settings.smooth > 0) {
    const auto row =
        static_cast<size_t> (settings.job.size.columns * std::max<int64_t> (sizing.item_rows, 1)) * sizeof (float);
    const auto at_once = std::max (sizing.input_block[data_port] / image, sizing.output_block / row) + 1;
    add_pages (bill, kept_item, (static_cast<size_t> (settings.smooth) + 2 * at_once) * image);
  }
}

void Aligner::run (std::span<Input *const> inputs, Output *output)
{
  if (settings.closing && !tally->closed ())
    first = allotment.take (first_item);
  if (settings.smooth > 0)
    kept = allotment.take (kept_item);
  const auto push_until = [&] (int64_t angle) {
    while (output->coming () && output->coming ()->angles.end <= angle) {
      Block out = output->next ();
      move ([this] (int64_t i) { return place_of (i); }, out);
      output->push (std::move (out));
    }
  };
  while (const Block in = inputs[data_port]->pop ()) {
    const Block computed = inputs[computed_port]->pop ();
    if (!computed || !(computed.region () == in.region ()))
      fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
    look (in, computed);
    close (in);
    if (settings.smooth > 0) {
      keep (in);
      push_until (in.angles ().end - settings.smooth);
    } else {
      Block out = output->next ();
      move ([&in] (int64_t i) { return in.as<float> () + in.offset (in.angles ().place (i), 0); }, out);
      output->push (std::move (out));
    }
  }
  if (inputs[computed_port]->pop ())
    fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
  push_until (angles);
  first = {};
  kept = {};
}

// Finds the displacements of a block.
void Aligner::look (const Block &measured, const Block &computed)
{
  cpu.parallel (measured.angles ().size (), 1, [&] (int64_t begin, int64_t end) {
    Registration registration (settings.job);
    for (auto i = begin; i < end; i++) {
      const auto angle = measured.angles ().at (i);
      auto found = tally->known (angle);
      if (!found) {
        found = registration.find (measured.as<float> () + measured.offset (i, 0),
                                   computed.as<float> () + computed.offset (i, 0));
        tally->add (angle, *found);
      }
      across[static_cast<size_t> (angle)] = found->displacement.columns;
      down[static_cast<size_t> (angle)] = found->displacement.rows;
    }
  });
}

// Compares the projections at the begin and at the end of a turn.
void Aligner::close (const Block &measured)
{
  if (first.size () == 0)
    return;
  const auto projection = [&] (int64_t angle) {
    return measured.as<float> () + measured.offset (measured.angles ().place (angle), 0);
  };
  if (measured.angles ().begin == 0)
    std::memcpy (first.as<float> (), projection (0), image_bytes (settings.job.size));
  if (measured.angles ().place (settings.closing->last) < 0)
    return;
  Registration registration (settings.job);
  const auto found =
      registration.compare (projection (settings.closing->last), first.as<float> (), settings.closing->mirrored);
  tally->close (*settings.closing, settings.closing->error (found));
}

// Copies projections, so that their block can be used again.
void Aligner::keep (const Block &measured)
{
  const auto image = image_bytes (settings.job.size);
  for (auto angle = measured.angles ().begin; angle < measured.angles ().end; angle++)
    std::memcpy (const_cast<float *> (place_of (angle)),
                 measured.as<float> () + measured.offset (measured.angles ().place (angle), 0), image);
}

const float *Aligner::place_of (int64_t angle) const
{
  const auto places = static_cast<int64_t> (kept.size () / image_bytes (settings.job.size));
  return kept.as<float> () + static_cast<size_t> (angle % places) * values;
}

void Aligner::move (const Place &from, Block &out) const
{
  const auto size = settings.job.size;
  std::vector<Way> ways;
  for (auto angle = out.angles ().begin; angle < out.angles ().end; angle++)
    ways.push_back ({-smoothed (across, angle, settings.smooth), -smoothed (down, angle, settings.smooth)});
  constexpr int64_t together = 64;
  const auto parts = divide_up (out.rows ().size (), together);
  cpu.parallel (out.angles ().size () * parts, 1, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++) {
      const auto image = i / parts, row = out.rows ().begin + i % parts * together;
      const Rows rows{row, std::min (row + together, out.rows ().end)};
      auto *to = out.as<float> () + out.offset (image, rows.begin - out.rows ().begin);
      const auto *source = reinterpret_cast<const std::byte *> (from (out.angles ().at (image)));
      moved_by (settings, ways[static_cast<size_t> (image)])
          .make ({.data = source, .rows = {0, size.rows}, .width = size.columns}, 0, rows,
                 reinterpret_cast<std::byte *> (to));
    }
  });
}

} // namespace sino::align_projections
