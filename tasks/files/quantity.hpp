// SPDX-License-Identifier: LGPL-3.0-or-later
// Quantities with a unit that lie beside the images.
#pragma once
#include "base/error.hpp"
#include "formats/image-file.hpp"
#include "stream/geometry.hpp"
#include <optional>
#include <string_view>

namespace sino::files {

using namespace formats;

// A kind of quantity: how files name its units, and the one that is meant where they name none.
struct Measure {
  std::optional<double> (*factor) (std::string_view unit);
  const char *units; // for messages
};
extern const Measure lengths, energies; // to mm and keV

// A quantity of a file; unset where there is none. Throws where its unit is not known.
std::optional<double> quantity (const ImageFile &file, const std::string &name, const Measure &measure,
                                const char *usual_unit);

// What cannot be read is unknown, and people are told so.
template <class Read> auto or_unknown (std::vector<std::string> &messages, const Read &read) -> decltype (read ())
{
  try {
    return read ();
  } catch (const Error &error) {
    messages.push_back (text ("%s; it is taken as unknown", error.what ()));
    return {};
  }
}

// Where files have the energy of the beam, or the distance of sample and detector; the first one that is there counts.
struct StoredName {
  std::string name;
  const char *usual_unit;
};

// Sets both from the first of the places that has one above 0.
void find_beam (const ImageFile &file, const std::vector<StoredName> &energy, const std::vector<StoredName> &distance,
                Geometry &geometry, std::vector<std::string> &messages);

} // namespace sino::files
