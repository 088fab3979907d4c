// SPDX-License-Identifier: LGPL-3.0-or-later
// Cone-beam scans of Varian's machines: images (.hnc, .hnd, .xim), and the XML file that gives the distances. Names and
// signs are those of RTK (github.com/RTKConsortium/RTK): docs/guide/scanners.md.
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/stated-scan.hpp"
#include "tasks/files/scanners/images-beside.hpp"
#include "tasks/files/scanners/key-values.hpp"
#include "tasks/files/scanners/varian-image.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::files {

namespace {

const std::vector<std::string> varian_suffixes{".hnc", ".hnd", ".xim"};
constexpr double obi_air = 139000; // value of a .hnd without object, as in RTK

// Images with their heads. A .xim may have no pixels, where the machine took none.
struct VarianImages {
  std::vector<std::string> paths;
  std::vector<VarianHead> heads;

  explicit VarianImages (const std::vector<std::string> &all)
  {
    for (const auto &path : all) {
      step_unless_cancelled ();
      const Descriptor file (path, O_RDONLY);
      std::byte size[8] = {};
      if (begins_with (file, "VMS.XI") && file.size () >= 20)
        file.read (size, sizeof size, 12);
      else
        size[0] = size[4] = std::byte{1};
      if (std::ranges::all_of (size, [] (std::byte b) { return b == std::byte{0}; }))
        continue;
      paths.push_back (path);
      heads.push_back (varian_head (file, in_quotes (path)));
    }
    if (paths.empty ())
      fail (SINO_ERROR_BAD_FILE, "'%s' has no pixels", all[0].c_str ());
  }

  // What they state by themselves: no distances.
  StatedScan stated () const
  {
    StatedScan scan;
    const auto &head = heads[0];
    if (head.pixel_width > 0 && head.pixel_height > 0) {
      scan.pixel_size = head.pixel_width;
      scan.aspect = head.pixel_height / head.pixel_width;
    }
    scan.values = Meaning::counts;
    if (lower_case (paths[0]).ends_with (".hnd")) {
      scan.values = Meaning::transmission;
      scan.factor = 1 / obi_air;
    }
    return scan;
  }
};

std::shared_ptr<const ImageFile> open_varian_images (const ReadRequest &request, std::vector<std::string> &)
{
  const VarianImages images (request.paths);
  return std::make_shared<StatedImages> (request.path, varian_images (images.paths), images.stated ());
}

// Each image has its angle, so a scan with gaps is a scan.
std::string gaps_in (const std::map<int64_t, std::string> &files, const std::string &folder, const std::string &title)
{
  const auto first = files.begin ()->first, last = files.rbegin ()->first;
  const auto missing = last - first + 1 - std::ssize (files);
  auto number = first;
  while (files.contains (number))
    number++;
  return missing == 0 ? ""
                      : text ("%s: %" G_GINT64_FORMAT " of the projections 'Proj_*' from number %" G_GINT64_FORMAT
                              " to %" G_GINT64_FORMAT " in %s %s missing, the first has the number %" G_GINT64_FORMAT
                              ": the others are used",
                              title.c_str (), missing, first, last, in_quotes (folder).c_str (),
                              missing == 1 ? "is" : "are", number);
}

// The projections of a scan: files Proj_NUMBER beside its XML file, or in the folders in 'Acquisitions'.
std::vector<std::string> projections_of (const KeyValues &file, std::vector<std::string> &messages)
{
  const auto folder = folder_of (file.path), inner = folder + "/Acquisitions";
  std::vector<std::string> folders{folder}, paths, used;
  if (g_file_test (inner.c_str (), G_FILE_TEST_IS_DIR)) {
    auto names = names_in (inner);
    std::ranges::sort (names.list);
    for (const auto &name : names.list)
      if (const auto path = text ("%s/%s", inner.c_str (), name.c_str ());
          !name.starts_with ('.') && g_file_test (path.c_str (), G_FILE_TEST_IS_DIR))
        folders.push_back (path);
  }
  for (const auto &one : folders) {
    const auto files = numbered_files (one, "Proj_", 0, varian_suffixes);
    if (files.empty ())
      continue;
    used.push_back (one);
    for (const auto &[number, path] : files)
      paths.push_back (path);
    if (auto said = gaps_in (files, one, file.title); !said.empty ())
      messages.push_back (std::move (said));
  }
  if (paths.empty ())
    fail (SINO_ERROR_BAD_FILE,
          "%s: there are no projections 'Proj_*' (.hnc, .hnd or .xim) beside it, or in "
          "'Acquisitions/*'",
          file.title.c_str ());
  if (used.size () > 1)
    messages.push_back (text ("%s: its projections lie in %zu folders, %s, and are read as one scan: move those that "
                              "do not belong to it elsewhere",
                              file.title.c_str (), used.size (), join (used, ", ", in_quotes, " and ").c_str ()));
  return paths;
}

// RTK's circle of one image: the gantry's angle, and the detector's displacement.
std::shared_ptr<const ImageFile> open_varian_scan (const ReadRequest &request, std::vector<std::string> &messages)
{
  const KeyValues file (request.paths[0], KeyValues::Form::xml);
  const bool obi = file.find ("", "CalibratedSAD").has_value ();
  const VarianImages images (projections_of (file, messages));
  auto scan = images.stated ();
  const auto length = [&] (const char *name) { return file.number ("", name, least_length, most_length); };
  const auto offset = [&] (const char *name) { return file.number ("", name, -most_length, most_length); };
  const double to_axis = length (obi ? "CalibratedSAD" : "SAD"), to_detector = length (obi ? "CalibratedSID" : "SID");
  if (!(to_detector > to_axis))
    fail (SINO_ERROR_BAD_FILE, "%s: its source is %g from the detector and %g from the axis, which is not between them",
          file.title.c_str (), to_detector, to_axis);
  if (!scan.pixel_size)
    fail (SINO_ERROR_BAD_FILE, "%s has no size of its pixels", in_quotes (images.paths[0]).c_str ());
  scan.source_origin = to_axis;
  scan.origin_detector = to_detector - to_axis;
  double across = 0, along = 0;
  if (obi) {
    const bool half = lower_case (file.word ("", "FanType")) == "halffan";
    across = offset ("CalibratedDetectorOffsetX") + (half ? offset ("DetectorPosLat") : 0);
    along = offset ("CalibratedDetectorOffsetY");
  }
  const double width = *scan.pixel_size, height = scan.aspect * width;
  for (size_t i = 0; i < images.heads.size (); i++) {
    const auto &head = images.heads[i];
    if (!head.angle)
      fail (SINO_ERROR_BAD_FILE, "%s has no angle of the gantry", in_quotes (images.paths[i]).c_str ());
    scan.angles.push_back (-*head.angle);
    scan.column_shifts.push_back (-(across + head.across) / width);
    scan.row_shifts.push_back (-(along + head.along) / height);
  }
  return std::make_shared<StatedImages> (request.path, varian_images (images.paths), std::move (scan));
}

bool is_varian_scan (const Descriptor &file)
{
  std::string start (static_cast<size_t> (std::min<int64_t> (file.size (), 65536)), '\0');
  file.read (start.data (), start.size (), 0);
  return start.find ("<CalibratedSAD>") != start.npos ||
         (start.find ("<SAD>") != start.npos && start.find ("<SID>") != start.npos);
}

const Registered<ReadingFormat> varian_image ({.name = "Varian image",
                                               .suffixes = varian_suffixes,
                                               .elements = {Element::u16, Element::f32},
                                               .sequences = true,
                                               .open = open_varian_images});
const Registered<ReadingFormat> varian_scan ({.name = "Varian",
                                              .recognised = is_varian_scan,
                                              .suffixes = {".xml"},
                                              .elements = {Element::u16, Element::f32},
                                              .describes = true,
                                              .open = open_varian_scan});

} // namespace
} // namespace sino::files
