// SPDX-License-Identifier: LGPL-3.0-or-later
// Quantities with units, stored beside the images.
#pragma once
#include "base/error.hpp"
#include "formats/image-file.hpp"
#include "stream/geometry.hpp"
#include <optional>
#include <string_view>

namespace sino::files {

using namespace formats;

// A kind of quantity: converts the names of units in files.
struct Measure {
  std::optional<double> (*factor) (std::string_view unit);
  const char *units; // the known units, for messages
};
extern const Measure lengths, energies; // convert to mm and keV

// A quantity of a file; unset if there is none. `usual_unit`: assumed if the file gives no unit. Throws on unknown
// units.
std::optional<double> quantity (const ImageFile &file, const std::string &name, const Measure &measure,
                                const char *usual_unit);

// Calls `read`; if it throws, the value is unknown, and the error is added to the messages.
template <class Read> auto or_unknown (std::vector<std::string> &messages, const Read &read) -> decltype (read ())
{
  try {
    return read ();
  } catch (const Error &error) {
    messages.push_back (text ("%s; this value is ignored", error.what ()));
    return {};
  }
}

// A place where files may store the beam's energy, or the distance between sample and detector.
struct StoredName {
  std::string name;
  const char *usual_unit;
};

// Sets both, each from the first of its places with a value above 0.
void find_beam (const ImageFile &file, const std::vector<StoredName> &energy, const std::vector<StoredName> &distance,
                Geometry &geometry, std::vector<std::string> &messages);

} // namespace sino::files
