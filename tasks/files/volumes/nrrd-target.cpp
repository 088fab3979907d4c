// SPDX-License-Identifier: LGPL-3.0-or-later
// NRRD (teem.sourceforge.net/nrrd/format.html), as 3D Slicer, ITK and pynrrd read it: .nrrd has its head before the
// pixels, .nhdr beside them.
#include "base/files/paths.hpp"
#include "base/text.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/stated.hpp"
#include "tasks/files/volumes/headed-pixels.hpp"
#include <bit>

namespace sino::files {

using namespace formats;

namespace {

constexpr char nrrd_pixels_suffix[] = ".raw";

std::string escaped_value (const std::string &value)
{
  std::string out;
  for (const char c : value)
    out += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string (1, c);
  return out;
}

// Distances in mm. Axes of space have directions and a place; where an axis is no length, the others have distances.
std::string nrrd_sizes (const Planned &planned)
{
  const double mm = names_of (planned.unit).mm;
  const auto spacing = spacing_of (planned.format), origin = origin_of (planned.format);
  const auto size = [&] (size_t i) { return shortest (spacing[i] * mm); };
  const auto place = [&] (size_t i) { return shortest (origin[i] * mm); };
  if (spacing[2] == 0)
    return "kinds: domain domain domain\n";
  if (spacing[0] > 0 && spacing[1] > 0)
    return "space dimension: 3\nspace directions: (" + size (2) + ",0,0) (0," + size (1) + ",0) (0,0," + size (0) +
           ")\nspace units: \"mm\" \"mm\" \"mm\"\nspace origin: (" + place (2) + "," + place (1) + "," + place (0) +
           ")\nkinds: domain domain domain\n";
  std::string spacings, units;
  for (const size_t i : {2, 1, 0}) {
    spacings += spacing[i] > 0 ? " " + size (i) : " NaN";
    units += spacing[i] > 0 ? " \"mm\"" : " \"\"";
  }
  return "spacings:" + spacings + "\nunits:" + units + "\nkinds: domain domain domain\n";
}

// `data`: the name of the file of pixels; "": they are behind the head.
std::string nrrd_head (const Planned &planned, const std::string &data)
{
  constexpr const char *types[] = {"uint8", "uint16", "", "float"};
  auto head = std::string ("NRRD0004\ntype: ") + types[static_cast<size_t> (planned.element)] +
              text ("\ndimension: 3\nsizes: %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                    planned.columns (), planned.lines (), planned.pages ()) +
              nrrd_sizes (planned) + "endian: " + (std::endian::native == std::endian::big ? "big" : "little") +
              "\nencoding: raw\n";
  const auto stated = stated_values (planned);
  const auto add = [&head] (const char *key, const std::string &value) { head += key + value + "\n"; };
  if (const auto &scale = stated.scale) {
    // In NRRD an integer is an interval of values, and "old min" is where the first one begins.
    const double greatest = planned.element == Element::u8 ? 255 : 65535;
    if (planned.element != Element::f32) {
      add ("old min: ", shortest (scale->value_of (-0.5)));
      add ("old max: ", shortest (scale->value_of (greatest + 0.5)));
    }
    add ("scale_factor:=", shortest (scale->slope));
    add ("add_offset:=", shortest (scale->offset));
  }
  if (!stated.unit.empty ())
    add ("units:=", stated.unit);
  add ("sinograph:=", escaped_value (planned.provenance));
  if (!data.empty ())
    add ("data file: ", data);
  constexpr size_t whole = 16; // pixels begin at a multiple of it
  const auto more = whole - 1 - (head.size () + 2) % whole;
  return head + "#" + std::string (more, ' ') + "\n\n";
}

class AttachedNrrd final : public PlainFile
{
public:
  AttachedNrrd (const Planned &p, const std::string &head) : PlainFile (p, std::ssize (head))
  {
    if (p.joined || p.unfinished)
      return;
    out.expect (first_pixel + p.pages () * p.page_bytes ());
    out.reserve ();
    out.write (head.data (), head.size (), 0);
  }
};

bool is_detached (const std::string &path)
{
  return has_suffix (path, {".nhdr"});
}

void check_nrrd (const Planned &planned)
{
  if (is_detached (planned.pattern.name (0)))
    check_name_in_head (planned, "NRRD");
}

std::unique_ptr<Target> make_nrrd (const Planned &planned, const Frames::Watch &)
{
  const auto path = planned.pattern.name (0);
  if (!is_detached (path))
    return std::make_unique<AttachedNrrd> (planned, nrrd_head (planned, ""));
  return std::make_unique<HeadedPixels> (planned, nrrd_pixels_suffix,
                                         nrrd_head (planned, file_name (beside_head (path, nrrd_pixels_suffix))));
}

const Registered<WritingFormat> nrrd_written ({.name = "NRRD",
                                               .suffixes = {".nrrd", ".nhdr"},
                                               .elements = {Element::u8, Element::u16, Element::f32},
                                               .sized = always_sized,
                                               .check = check_nrrd,
                                               .resumes = [] (const Planned &) { return true; },
                                               .beside = [] (const std::string &path) -> std::vector<std::string> {
                                                 return is_detached (path)
                                                            ? std::vector{beside_head (path, nrrd_pixels_suffix)}
                                                            : std::vector<std::string> ();
                                               },
                                               .open = make_nrrd});

} // namespace
} // namespace sino::files
