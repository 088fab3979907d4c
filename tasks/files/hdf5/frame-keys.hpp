// SPDX-License-Identifier: LGPL-3.0-or-later
// NeXus' image_key: which frames of a dataset are projections (0), flats (1) and darks (2). Other frames are left out.
#pragma once
#include "formats/image-file.hpp"

namespace sino::files {

using namespace formats;

struct FrameKeys {
  std::vector<int64_t> projections, flats, darks; // frame numbers, ascending
  int64_t frames = 0;                             // number of all frames
  std::string name;                               // path of the keys, for messages

  // Times of some frames in projections: -0.5 is before the first one.
  std::vector<double> times (const std::vector<int64_t> &some) const;
  // "2 darks, 3 flats and 91 projections among 97 frames"
  std::string describe () const;
};

// The keys beside the images, or nothing. Throws if their number is not that of the frames, or no frame is a
// projection.
std::optional<FrameKeys> frame_keys (const ImageFile &file, int64_t frames);

} // namespace sino::files
