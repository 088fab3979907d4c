// SPDX-License-Identifier: LGPL-3.0-or-later
// The window of medians, as properties of nodes that compute them, and the maker of lines of medians.
#pragma once
#include "base/error.hpp"
#include "glue/property.hpp"
#include "glue/workers/native-neighbours.hpp"
#include "kernels/median/median.hpp"

namespace sino::median {

enum class Direction { frame, angle };
inline constexpr Nick<Direction> directions[] = {{Direction::frame, "frame"}, {Direction::angle, "angle"}};

struct WindowSettings {
  int size = 3;
  Direction direction = Direction::frame;

  static constexpr std::array properties{
      prop<&WindowSettings::size> ("size", "Values across the window, an odd number", Range{3, most_median}),
      prop<&WindowSettings::direction> ("direction",
                                        "frame: size x size values of an image (a projection, sinogram or slice); "
                                        "angle: values of a pixel at successive angles",
                                        directions)};

  MedianWindow window () const { return {size, direction == Direction::frame}; }

  // `node`: name of the node, for messages.
  void check (const Format &input, const char *node) const
  {
    if (size % 2 == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "size=%d is even: give %d or %d", size, size - 1, size + 1);
    if (direction == Direction::angle && !input.has (Axis::angle))
      fail (SINO_ERROR_BAD_FORMAT,
            "direction=angle wants projections or sinograms, got %s: use direction=frame, or put "
            "'%s' before the reconstruction",
            input.describe ().c_str (), node);
  }

  int64_t reach_along (Axis axis, const Format &input) const
  {
    return (direction == Direction::angle ? axis == Axis::angle : axis != input.axes[0].axis) ? size / 2 : 0;
  }
};

class MedianMaker : public LineMaker
{
public:
  MedianMaker (Element e, MedianWindow w, int64_t s)
      : element (e), window (w), step (s), scratch (median_scratch (e, w, s))
  {
  }

  bool lay (const std::byte *from, int64_t bytes, std::byte *to) override
  {
    return median_keys (element, from, bytes / static_cast<int64_t> (size_of (element)), to);
  }

  void make (std::span<const NearLine> near, int64_t values, std::byte *out) override
  {
    const auto border = static_cast<size_t> (window.square ? window.size / 2 * step : 0) * size_of (element);
    const std::byte *lines[most_median];
    bool nans = false;
    for (size_t i = 0; i < near.size (); i++) {
      lines[i] = near[i].values - border;
      nans = nans || near[i].marked;
    }
    median_line (element, window, {lines, near.size ()}, nans, step, values, scratch.data (), out);
  }

protected:
  const Element element;

private:
  const MedianWindow window;
  const int64_t step;
  std::vector<std::byte> scratch;
};

} // namespace sino::median
