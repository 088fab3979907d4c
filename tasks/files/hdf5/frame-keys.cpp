// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/frame-keys.hpp"
#include "base/error.hpp"
#include "tasks/files/numbers.hpp"
#include <algorithm>

namespace sino::files {

std::vector<double> FrameKeys::times (const std::vector<int64_t> &some) const
{
  std::vector<double> list;
  for (const auto frame : some) {
    const auto next = std::ranges::lower_bound (projections, frame);
    list.push_back (static_cast<double> (next - projections.begin ()) - 0.5);
  }
  return list;
}

std::string FrameKeys::describe () const
{
  return text ("%zu darks, %zu flats and %zu projections among %" G_GINT64_FORMAT " frames", darks.size (),
               flats.size (), projections.size (), frames);
}

std::optional<FrameKeys> frame_keys (const ImageFile &file, int64_t frames)
{
  FrameKeys keys;
  keys.frames = frames;
  // ESRF's image_key_control has -1 for images that only check whether the sample has moved; these are no projections.
  keys.name = file.count ("image_key_control") == frames ? "image_key_control" : "image_key";
  const auto found = file.count (keys.name);
  if (found == 0)
    return {};
  if (found != frames)
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " frames and %" G_GINT64_FORMAT " values in %s: one for each is needed",
          file.title ().c_str (), frames, found, file.place (keys.name).c_str ());
  const auto values = numbers (file, keys.name, frames);
  for (size_t i = 0; i < values.size (); i++)
    if (auto *const list = values[i] == 0   ? &keys.projections
                           : values[i] == 1 ? &keys.flats
                           : values[i] == 2 ? &keys.darks
                                            : nullptr)
      list->push_back (static_cast<int64_t> (i));
  return keys;
}

} // namespace sino::files
