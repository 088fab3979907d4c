// SPDX-License-Identifier: LGPL-3.0-or-later
// A volume or a scan in files, of which any part can be read at any time.
#pragma once
#include "formats/stack.hpp"
#include "scan/chain.hpp"
#include "stream/format.hpp"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace sino::monitor {

struct Volume {
  std::string title, path; // title: the last part of the path
  Kind kind = Kind::slices;
  std::shared_ptr<const formats::Stack> stack;
  std::vector<std::shared_ptr<const formats::Stack>> coarser; // each with half the resolution of the one before
  std::array<double, 3> pixel{}; // distances of pages, lines and columns; 0: unknown, or no length
  std::vector<std::string> messages;

  std::array<int64_t, 3> extents () const { return {stack->pages, stack->lines, stack->columns}; }
};

// Distances of pages, lines and columns; 0: unknown, or no length.
std::array<double, 3> pixel_of (const Format &format, Kind kind);

// What a path names, when somebody wants to look at it.
struct Opened {
  Volume volume;
  bool is_scan = false; // projections or sinograms that have angles
};

// Opens a file, a folder of images or a whole scan, a pattern, or the folder that `sinograph reconstruct` has left (its
// slices). `kind` says what the images are; other: projections or sinograms if they have angles, otherwise slices.
// Throws Error.
Opened open_path (const std::string &path, Kind kind, const scan::Wishes &wishes);

} // namespace sino::monitor
