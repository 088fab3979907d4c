// SPDX-License-Identifier: LGPL-3.0-or-later
// MetaImage, as read by ITK and related programs: a text header beside a file of plain pixels.
#include "base/files/paths.hpp"
#include "base/text.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/stated.hpp"
#include "tasks/files/volumes/headed-pixels.hpp"
#include <algorithm>
#include <bit>

namespace sino::files {

using namespace formats;

namespace {

constexpr char pixels_suffix[] = ".raw";

std::string head_of (const Planned &planned)
{
  constexpr const char *types[] = {"MET_UCHAR", "MET_USHORT", "", "MET_FLOAT"};
  const auto spacing = spacing_of (planned.format);
  const double mm = names_of (planned.unit).mm;
  const auto size = [&] (size_t i) { return spacing[i] > 0 ? shortest (spacing[i] * mm) : std::string ("1"); };
  auto head = text ("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
                    "ElementByteOrderMSB = %s\nCompressedData = False\nDimSize = %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                    " %" G_GINT64_FORMAT "\n",
                    std::endian::native == std::endian::big ? "True" : "False",
                    std::endian::native == std::endian::big ? "True" : "False", planned.columns (), planned.lines (),
                    planned.pages ());
  if (spacing[2] > 0)
    head += "ElementSpacing = " + size (2) + " " + size (1) + " " + size (0) + "\n";
  if (const auto origin = origin_of (planned.format); spacing[2] > 0)
    head += "Offset = " + shortest (origin[2] * mm) + " " + shortest (origin[1] * mm) + " " +
            shortest (origin[0] * mm) + "\n";
  if (planned.scale)
    head += "ElementToIntensityFunctionSlope = " + shortest (planned.scale->slope) +
            "\nElementToIntensityFunctionOffset = " + shortest (planned.scale->offset) + "\n";
  if (const auto unit = stated_values (planned).unit; !unit.empty ())
    head += "Units = " + unit + "\n";
  auto comment = planned.provenance;
  std::ranges::replace (comment, '\n', ' '); // the value of a key must be one line
  head += "Comment = " + comment + "\n";
  head += std::string ("ElementType = ") + types[static_cast<size_t> (planned.element)] + "\n";
  return head + "ElementDataFile = " + file_name (beside_head (planned.pattern.name (0), pixels_suffix)) +
         "\n"; // must be the last key of the header
}

// Opens the pixels beside the header.
std::shared_ptr<const Stack> written_metaimage (const std::string &path, Element element,
                                                const std::array<int64_t, 3> &extent)
{
  const Descriptor head (path, O_RDONLY);
  return written_pixels (beside_head (path, pixels_suffix), 0, element, extent);
}

const Registered<WritingFormat> metaimage (
    {.name = "MetaImage",
     .suffixes = {".mhd"},
     .elements = {Element::u8, Element::u16, Element::f32},
     .sized = always_sized,
     .check = [] (const Planned &planned) { check_name_in_head (planned, "MetaImage"); },
     .resumes = [] (const Planned &) { return true; },
     .beside = [] (const std::string &path) -> std::vector<std::string> { return {beside_head (path, pixels_suffix)}; },
     .open = [] (const Planned &planned, const Frames::Watch &) -> std::unique_ptr<Target> {
       return std::make_unique<HeadedPixels> (planned, pixels_suffix, head_of (planned));
     },
     .written = written_metaimage});

} // namespace
} // namespace sino::files
