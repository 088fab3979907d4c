// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/meaning.hpp"
#include "base/error.hpp"
#include "formats/stated-scan.hpp"
#include "tasks/files/scan/adapted.hpp"
#include "tasks/files/scan/look.hpp"

namespace sino::files {

static bool are_counts (Meaning values)
{
  return values == Meaning::open || values == Meaning::counts;
}

// What the user gives; else, unless there are flats of the user, what the file states.
static Meaning given_or_stated (const Request &request, const Input &input)
{
  const auto *const stated = input.file->stated ();
  const bool flats = !request.flats.empty () || !request.flats_after.empty ();
  return request.values != Meaning::open || flats || !stated ? request.values : stated->values;
}

static bool is_scaled (const Request &request, const Input &input)
{
  const auto *const stated = input.file->stated ();
  return stated && stated->factor != 0 && given_or_stated (request, input) == Meaning::transmission;
}

void refuse_frames (const Request &request)
{
  if (are_counts (request.values))
    return;
  for (const auto &[name, path] : {std::pair ("darks", &request.darks),
                                   {"darks-after", &request.darks_after},
                                   {"flats", &request.flats},
                                   {"flats-after", &request.flats_after}})
    if (!path->empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%s is for counts, but values=%s is not counts: leave one of them out", name,
            path->c_str (), name_of (request.values));
}

std::shared_ptr<const Stack> with_values (const Request &request, const Input &input)
{
  if (is_scaled (request, input))
    return scaled (input.stack, {input.file->stated ()->factor, input.file->stated ()->zero});
  const bool real = request.values == Meaning::attenuation || request.values == Meaning::emission;
  return real ? as_floats (input.stack) : input.stack;
}

void settle_values (const Request &request, const Input &input, Scan &scan)
{
  auto &format = scan.format;
  format.values = given_or_stated (request, input);
  if (format.values == Meaning::open && format.companions.flats)
    format.values = Meaning::counts;
  if (!are_counts (format.values) && format.companions.any ()) {
    scan.messages.push_back (
        text ("the darks and flats of the scan are left out, because values=%s means that they were used already",
              name_of (format.values)));
    format.companions = {};
  }
  if (is_scaled (request, input)) // nothing is to be judged
    format.top = std::numeric_limits<float>::infinity ();
  else if (request.coming != Coming::leading) // most of it has not come yet
    format.look = look_at (scan);
}

} // namespace sino::files
