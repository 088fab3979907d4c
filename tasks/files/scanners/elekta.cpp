// SPDX-License-Identifier: LGPL-3.0-or-later
// Cone-beam scans of Elekta's XVI: images (.his) and _Frames.xml. Names and signs are those of RTK
// (github.com/RTKConsortium/RTK): docs/guide/scanners.md.
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/page-files.hpp"
#include "formats/stated-scan.hpp"
#include "tasks/files/scanners/images-beside.hpp"
#include "tasks/files/scanners/key-values.hpp"
#include "tasks/files/scanners/xml-elements.hpp"
#include <cmath>

namespace sino::files {

namespace {

using namespace std::string_view_literals;

constexpr double panel_width = 409.6;                              // mm
constexpr double source_to_axis = 1000, source_to_detector = 1536; // mm, the same in all of these machines

// A head of 68 bytes, and another one whose size it gives.
PagesFound find_his (const Descriptor &file, const std::string &title)
{
  std::byte head[68];
  file.read (head, sizeof head, 0);
  const auto number = [&] (size_t at) {
    return int64_t{number_at<uint16_t> (head, at, std::endian::native == std::endian::big)};
  };
  PagesFound found;
  found.samples = {Sample::u16, std::endian::native == std::endian::big};
  found.columns = number (18) - number (14) + 1;
  found.lines = number (16) - number (12) + 1;
  found.add_run (title, int64_t{sizeof head} + number (10), number (20));
  return found;
}

// Counts fall with the intensity: no photon gives the greatest one.
StatedScan stated_by_images (const Stack &stack)
{
  StatedScan scan;
  scan.pixel_size = panel_width / static_cast<double> (stack.columns);
  scan.aspect = static_cast<double> (stack.columns) / static_cast<double> (stack.lines);
  scan.values = Meaning::transmission;
  scan.zero = 1;
  scan.factor = -1.0 / 65536;
  return scan;
}

std::shared_ptr<const ImageFile> open_his (const ReadRequest &request, std::vector<std::string> &)
{
  auto stack = open_pages (request.paths, find_his);
  auto scan = stated_by_images (*stack);
  return std::make_shared<StatedImages> (request.path, std::move (stack), std::move (scan));
}

struct Frame {
  std::optional<double> angle, across, along; // degrees of the gantry; mm
};

std::vector<Frame> frames_in (const std::string &path)
{
  std::vector<Frame> frames;
  Frame frame;
  each_element (path, [&] (const std::string &, const std::string &name, const std::string &content) {
    const auto take = [&] (std::optional<double> &to, double limit) {
      double number = 0;
      std::string digits;
      each_word (content, " \t\r\n", [&] (std::string_view word) { digits += word; });
      if (!parse_number (digits, number) || !(std::abs (number) <= limit))
        fail (SINO_ERROR_BAD_FILE, "%s: %s of frame %zu is '%s', which is not a number from -%g to %g",
              in_quotes (path).c_str (), name.c_str (), frames.size () + 1, shown (content).substr (0, 60).c_str (),
              limit, limit);
      to = number;
    };
    if (name == "GantryAngle" || name == "Angle")
      take (frame.angle, 1e6);
    else if (name == "UCentre")
      take (frame.across, 1e4);
    else if (name == "VCentre")
      take (frame.along, 1e4);
    else if (name == "Frame") {
      frames.push_back (frame);
      frame = {};
    }
  });
  return frames;
}

std::shared_ptr<const ImageFile> open_xvi (const ReadRequest &request, std::vector<std::string> &)
{
  const auto &path = request.paths[0];
  const auto title = in_quotes (path), folder = folder_of (path);
  const auto frames = frames_in (path);
  auto names = names_in (folder);
  if (names.error != 0)
    fail_file ("cannot read", folder, names.error);
  std::erase_if (names.list, [] (const auto &name) { return !has_suffix (name, {".his"}); });
  std::ranges::sort (names.list);
  if (names.list.size () != frames.size () || frames.empty ())
    fail (SINO_ERROR_BAD_FILE, "%s describes %zu frames, and there are %zu .his files beside it", title.c_str (),
          frames.size (), names.list.size ());
  for (auto &name : names.list)
    name = folder == "." ? name : text ("%s/%s", folder.c_str (), name.c_str ());
  auto stack = open_pages (names.list, find_his);
  if (stack->pages != std::ssize (frames))
    fail (SINO_ERROR_BAD_FILE, "%s describes %zu frames, and its files have %" G_GINT64_FORMAT, title.c_str (),
          frames.size (), stack->pages);
  auto scan = stated_by_images (*stack);
  scan.source_origin = source_to_axis;
  scan.origin_detector = source_to_detector - source_to_axis;
  const double width = *scan.pixel_size, height = scan.aspect * width;
  for (const auto &frame : frames) {
    if (!frame.angle)
      fail (SINO_ERROR_BAD_FILE, "%s has a frame without GantryAngle", title.c_str ());
    scan.angles.push_back (-*frame.angle);
    scan.column_shifts.push_back (frame.across.value_or (0) / width);
    scan.row_shifts.push_back (frame.along.value_or (0) / height);
  }
  return std::make_shared<StatedImages> (request.path, std::move (stack), std::move (scan));
}

bool is_xvi (const Descriptor &file)
{
  std::string start (static_cast<size_t> (std::min<int64_t> (file.size (), 65536)), '\0');
  file.read (start.data (), start.size (), 0);
  return start.find ("<Frame>") != start.npos && start.find ("<UCentre>") != start.npos;
}

const Registered<ReadingFormat>
    his ({.name = "HIS",
          .recognised = [] (const Descriptor &file) { return begins_with (file, "\0pD\0"sv); },
          .suffixes = {".his"},
          .elements = {Element::u16},
          .sequences = true,
          .open = open_his});
const Registered<ReadingFormat> xvi ({.name = "Elekta",
                                      .recognised = is_xvi,
                                      .suffixes = {".xml"},
                                      .elements = {Element::u16},
                                      .describes = true,
                                      .open = open_xvi});

} // namespace
} // namespace sino::files
