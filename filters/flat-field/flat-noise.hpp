// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the noise of counts in the darks and flats of a scan, from differences of frames that follow one another: these
// have neither the pattern of the beam nor that of the pixels. Slow changes of the beam leave the differences in blocks
// of a few columns, from which their mean is subtracted. The median over blocks and frames leaves out dead pixels,
// stray radiation and odd frames.
#pragma once
#include "stream/count-noise.hpp"
#include "stream/format.hpp"
#include <mutex>

namespace sino::flat_field {

class FlatNoise final : public CountNoise
{
public:
  // `rows`: those of the stream, which the frames have, too.
  FlatNoise (const Companions &companions, const Dim &rows);

  RowNoise of_row (int64_t number, const Frames::Watch &watch) const override;

private:
  // Some frames of a kind, a piece after the other.
  struct Some {
    std::shared_ptr<const Frames> frames; // null: none
    int64_t count = 0;
  };

  const Dim rows;
  const Some lit, dark;
  mutable std::once_flag once;
  mutable std::vector<RowNoise> found;

  static Some some_of (const std::shared_ptr<const Frames> &frames);
  static std::vector<float> read (const Some &some, Interval rows, const Frames::Watch &watch);
  void find (const Frames::Watch &watch) const;
};

} // namespace sino::flat_field
