// SPDX-License-Identifier: LGPL-3.0-or-later
// Follows "The OME Data Model" (openmicroscopy.org/Schemas/OME/2016-06): PhysicalSizeX of the element Pixels.
#include "tasks/files/tiff/ome.hpp"
#include "base/pointers.hpp"
#include "formats/page-files.hpp"
#include "tasks/files/units.hpp"

namespace sino::files {

namespace {

// Attributes of the first image; other images of a file have the same.
struct Pixels {
  bool ome = false, found = false;
  std::string size, unit = "\u00b5m"; // default of the schema
};

// A name without its namespace prefix.
std::string_view local (std::string_view name)
{
  return name.substr (name.rfind (':') + 1);
}

void begin_element (GMarkupParseContext *, const char *element, const char **names, const char **values, void *to,
                    GError **)
{
  auto &pixels = *static_cast<Pixels *> (to);
  pixels.ome = pixels.ome || local (element) == "OME";
  if (!pixels.ome || pixels.found || local (element) != "Pixels")
    return;
  pixels.found = true;
  for (; *names; names++, values++) {
    if (std::string_view (*names) == "PhysicalSizeX")
      pixels.size = *values;
    if (std::string_view (*names) == "PhysicalSizeXUnit")
      pixels.unit = *values;
  }
}

} // namespace

std::optional<double> ome_pixel_size (const std::string &description, const std::string &title,
                                      std::vector<std::string> &messages)
{
  if (description.find ("OME") == description.npos || description.find ('<') == description.npos)
    return {};
  Pixels pixels;
  constexpr GMarkupParser parser{begin_element, nullptr, nullptr, nullptr, nullptr};
  const std::unique_ptr<GMarkupParseContext, Deleter<g_markup_parse_context_free>> context (
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &pixels, nullptr));
  GError *error = nullptr;
  const bool parsed = g_markup_parse_context_parse (context.get (), description.data (),
                                                    static_cast<gssize> (description.size ()), &error) &&
                      g_markup_parse_context_end_parse (context.get (), &error);
  const ErrorPtr why (error);
  const auto unknown = [&] (const std::string &what) {
    messages.push_back (title + ": " + what + "; its pixel size is taken as unknown: set pixel-size=");
    return std::optional<double> ();
  };
  if (!pixels.ome || (parsed && pixels.size.empty ()))
    return {};
  if (pixels.size.empty ())
    return unknown (std::string ("its OME-XML is damaged (") + why->message + ")");
  double size = 0;
  const auto unit = millimetres (pixels.unit);
  if (!unit)
    return unknown ("the unit of PhysicalSizeX is " + formats::quoted (pixels.unit));
  if (!parse_number (pixels.size, size) || !(size * *unit >= 1e-30 && size * *unit <= 1e30))
    return unknown ("PhysicalSizeX is " + formats::quoted (pixels.size));
  return size * *unit;
}

} // namespace sino::files
