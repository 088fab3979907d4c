// SPDX-License-Identifier: LGPL-3.0-or-later
// OME-TIFF: TIFF whose first page has XML with the meaning of pages and the pixel size, see "The OME Data Model"
// (openmicroscopy.org/Schemas/OME/2016-06). Pages are planes of Z.
#include "api/sino-version.h"
#include "base/pointers.hpp"
#include "formats/formats.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/stated.hpp"
#include "tasks/files/tiff/target.hpp"
#include <bit>

namespace sino::files {

using namespace formats;

namespace {

std::string in_xml (const std::string &text)
{
  return CharPtr (g_markup_escape_text (text.c_str (), -1)).get ();
}

// PhysicalSizeX, Y and Z; left out along axes without a known size.
std::string physical_sizes (const Planned &planned)
{
  const auto spacing = spacing_of (planned.format);
  constexpr const char *names[] = {"Z", "Y", "X"};
  std::string words;
  for (const size_t i : {2, 1, 0})
    if (spacing[i] > 0)
      words += std::string (" PhysicalSize") + names[i] + "=\"" + shortest (spacing[i]) + "\" PhysicalSize" + names[i] +
               "Unit=\"" + names_of (planned.unit).symbol + "\"";
  return words;
}

// OME has no field for what grey values stand for.
std::string scale_annotation (const Planned &planned)
{
  const auto stated = stated_values (planned);
  return !stated.any () ? ""
                        : "<CommentAnnotation ID=\"Annotation:1\" Namespace=\"sinograph/values\"><Value>" +
                              in_xml (stated_text (stated)) + "</Value></CommentAnnotation>";
}

std::string ome_xml (const Planned &planned)
{
  constexpr const char *types[] = {"uint8", "uint16", "", "float"};
  const auto planes = planned.pattern.numbered () ? 1 : planned.pages ();
  return std::string ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                      "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" "
                      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                      "xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06 "
                      "http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\" Creator=\"sinograph " SINO_VERSION
                      "\"><Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" DimensionOrder=\"XYZCT\" Type=\"") +
         types[static_cast<size_t> (planned.element)] +
         text ("\" BigEndian=\"%s\" SizeX=\"%" G_GINT64_FORMAT "\" SizeY=\"%" G_GINT64_FORMAT
               "\" SizeZ=\"%" G_GINT64_FORMAT "\" SizeC=\"1\" SizeT=\"1\"",
               std::endian::native == std::endian::big ? "true" : "false", planned.columns (), planned.lines (),
               planes) +
         physical_sizes (planned) +
         text ("><Channel ID=\"Channel:0:0\" SamplesPerPixel=\"1\"/><TiffData IFD=\"0\" PlaneCount=\"%" G_GINT64_FORMAT
               "\"/></Pixels></Image><StructuredAnnotations><CommentAnnotation ID=\"Annotation:0\" "
               "Namespace=\"sinograph/provenance\"><Value>",
               planes) +
         in_xml (planned.provenance) + "</Value></CommentAnnotation>" + scale_annotation (planned) +
         "</StructuredAnnotations></OME>";
}

const Registered<WritingFormat> ome_tiff (
    {.name = "OME-TIFF",
     .suffixes = {".ome.tif", ".ome.tiff"},
     .elements = {Element::u8, Element::u16, Element::f32},
     .files = WritingFormat::Files::either,
     .sized = always_sized,
     .resumes = [] (const Planned &p) { return p.pattern.numbered (); },
     .parts = true,
     .priority = 2, // before TIFF, which has the same suffixes
     .open = [] (const Planned &planned, const Frames::Watch &) { return tiff_target (planned, ome_xml (planned)); }});

} // namespace
} // namespace sino::files
