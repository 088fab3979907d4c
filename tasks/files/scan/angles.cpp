// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/angles.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "base/files/number-file.hpp"
#include "base/shown.hpp"
#include "formats/open.hpp"
#include "tasks/files/hdf5/angles.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <fcntl.h>
#include <optional>

namespace sino::files {

namespace {

struct Sweep {
  double start = 0, stop = 0;
  std::optional<double> step;
  bool inclusive = false;
};

// Parses a sweep; none if the word is a path.
std::optional<Sweep> parse_sweep (const std::string &word)
{
  constexpr std::string_view with_end = ":inclusive";
  const bool inclusive = word.ends_with (with_end);
  const auto numbers = parse_numbers (word.substr (0, word.size () - (inclusive ? with_end.size () : 0)), ':');
  const bool finite = std::ranges::all_of (numbers, [] (double n) { return std::isfinite (n); });
  if (!finite || numbers.size () < 2 || numbers.size () > (inclusive ? 2 : 3))
    return {};
  return Sweep{.start = numbers[0],
               .stop = numbers[1],
               .step = numbers.size () == 3 ? std::optional (numbers[2]) : std::nullopt,
               .inclusive = inclusive};
}

bool is_angle (double degrees)
{
  return std::abs (degrees) <= largest_number;
}

// `count` angles with a distance of `step`; the angle at index `first` is `start`.
std::vector<double> ramp (double start, double step, int64_t first, int64_t count)
{
  std::vector<double> angles (static_cast<size_t> (count));
  for (int64_t i = 0; i < count; i++)
    angles[static_cast<size_t> (i)] = start + step * static_cast<double> (i - first);
  return angles;
}

// Angles of a sweep with a step. The step determines the number of angles, which must be that of the projections.
std::vector<double> stepped (const std::string &word, const Sweep &sweep, int64_t count, const Range &some)
{
  // Tolerates rounding of steps like 0.1 that have no exact binary form.
  const auto steps = *sweep.step != 0 ? std::ceil ((sweep.stop - sweep.start) / *sweep.step - 1e-6) : 0;
  const auto wanted = some.end - some.first;
  if (steps == static_cast<double> (wanted))
    return ramp (sweep.start, *sweep.step, some.first, count);
  if (steps == static_cast<double> (count))
    return ramp (sweep.start, *sweep.step, 0, count);
  const auto there =
      wanted == count
          ? text ("%" G_GINT64_FORMAT " projections", count)
          : text ("%" G_GINT64_FORMAT " projections, of which projections= selects %" G_GINT64_FORMAT, count, wanted);
  const auto range = word.substr (0, word.rfind (':'));
  const auto few = std::abs (static_cast<double> (wanted) - steps) < 0.5 * static_cast<double> (wanted);
  const auto remedy =
      steps + 1 == static_cast<double> (wanted)
          ? text ("write angles=%s:inclusive if the last one is at %g", range.c_str (), sweep.stop)
      : few && steps < static_cast<double> (wanted)
          ? std::string ("leave out darks, flats and projections after the turn with projections=begin:end")
          : text ("correct the step, or write angles=%s without a step if the projections are spread evenly",
                  range.c_str ());
  fail (SINO_ERROR_BAD_PROPERTY, "angles=%s makes %.0f angles for %s: %s", word.c_str (), std::max (steps, 0.0),
        there.c_str (), remedy.c_str ());
}

enum class Unit { unsaid, degrees, radians };

// The unit in the header or comments of a file.
Unit unit_in (const std::string &remarks)
{
  if (remarks.find ("deg") != remarks.npos)
    return Unit::degrees;
  for (auto at = remarks.find ("rad"); at != remarks.npos; at = remarks.find ("rad", at + 1))
    if (at == 0 || !g_ascii_isalpha (remarks[at - 1]))
      return Unit::radians;
  return Unit::unsaid;
}

std::vector<double> listed (const std::string &word, int64_t count, const Range &some)
{
  const auto wanted = some.end - some.first;
  const std::array counts{count, wanted, some.count};
  auto path = word;
  const auto dataset = formats::take_dataset (path);
  std::string title = in_quotes (word), remarks;
  std::vector<double> angles;
  const bool hdf5 = is_hdf5 (formats::Descriptor (path, O_RDONLY));
  if (hdf5) {
    auto stored = read_angles (path, dataset, counts);
    angles = std::move (stored.degrees);
    title = stored.title;
    remarks = stored.unsaid ? "" : "degrees";
  } else
    angles = read_numbers ("angles", "an angle in degrees", word, counts, largest_number, &remarks);
  const auto found = std::ssize (angles);
  if (found != count && found != wanted && found != some.count) {
    const auto part =
        some.count == count ? std::string () : text (", of which %" G_GINT64_FORMAT " are read", some.count);
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " angles for %" G_GINT64_FORMAT " projections%s: it needs one for each",
          title.c_str (), found, count, part.c_str ());
  }
  const auto unit = unit_in (remarks);
  const auto [least, most] = std::ranges::minmax_element (angles);
  if (unit == Unit::unsaid && may_be_radians (found, *most - *least))
    fail (SINO_ERROR_BAD_FILE, "the angles in %s span %.6g, which may be radians: %s", title.c_str (), *most - *least,
          hdf5 ? "give the dataset an attribute 'units', degrees or radians"
               : "begin the file with the line '# radians', or with '# degrees'");
  if (unit == Unit::radians)
    for (auto &angle : angles)
      angle = sino::degrees (angle);
  if (found == count)
    return angles;
  std::vector<double> all (static_cast<size_t> (count));
  const auto step = found == wanted ? 1 : some.step;
  for (int64_t i = 0; i < found; i++)
    all[static_cast<size_t> (some.first + i * step)] = angles[static_cast<size_t> (i)];
  return all;
}

// Whether a step is a round number: a multiple of a thousandth of a degree.
bool is_round (double step)
{
  const double thousandths = std::abs (step) * 1000;
  return thousandths >= 1 && std::abs (thousandths - std::round (thousandths)) < 1e-7 * thousandths;
}

// Message for "0:180" with 181 projections: the last one may be at 180.
void note_odd_steps (const std::string &word, const Sweep &sweep, const Range &some, std::vector<std::string> &messages)
{
  const auto n = some.end - some.first;
  const double range = sweep.stop - sweep.start;
  const double step = range / static_cast<double> (n),
               inclusive = range / static_cast<double> (std::max<int64_t> (n, 2) - 1);
  if (n < 30 || is_round (step) || !is_round (inclusive))
    return;
  const bool repeats = std::abs (std::remainder (range, 360)) < 1e-9;
  messages.push_back (
      text ("angles=%s gives steps of %.6g degrees for %" G_GINT64_FORMAT
            " projections, but steps of %.6g if the last one is at %g: ",
            word.c_str (), step, n, inclusive, sweep.stop) +
      (repeats ? text ("leave it out if it repeats the first, with projections=%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT,
                       some.first, some.end - 1)
               : text ("in this case write angles=%s:inclusive", word.c_str ())));
}

} // namespace

bool is_sweep (const std::string &word)
{
  return parse_sweep (word).has_value ();
}

std::vector<double> parse_angles (const std::string &word, int64_t count, const Range &some,
                                  std::vector<std::string> &messages)
{
  const auto sweep = parse_sweep (word);
  FileStamp stamp;
  auto path = word;
  if (!sweep)
    formats::take_dataset (path);
  if (!sweep && !find_stamp (path, stamp))
    fail (SINO_ERROR_BAD_FILE, "angles=%s is neither degrees start:stop, as 0:180, nor the name of a file with angles",
          word.c_str ());
  if (!sweep)
    return listed (word, count, some);
  if (!is_angle (sweep->start) || !is_angle (sweep->stop))
    fail (SINO_ERROR_BAD_PROPERTY, "angles=%s: degrees must be from -1e9 to 1e9", word.c_str ());
  if (sweep->start == sweep->stop && some.end - some.first > 1)
    fail (SINO_ERROR_BAD_PROPERTY,
          "angles=%s gives all projections the same angle: give start:stop, as 0:180, or a text file with the angles",
          word.c_str ());
  if (sweep->step)
    return stepped (word, *sweep, count, some);
  const auto wanted = some.end - some.first;
  if (wanted != count)
    messages.push_back (text ("angles=%s is spread over the %" G_GINT64_FORMAT " projections from %" G_GINT64_FORMAT
                              " to %" G_GINT64_FORMAT " that projections= takes, not over all %" G_GINT64_FORMAT,
                              word.c_str (), wanted, some.first, some.end - 1, count));
  if (!sweep->inclusive)
    note_odd_steps (word, *sweep, some, messages);
  const auto steps = sweep->inclusive ? std::max<int64_t> (wanted - 1, 1) : wanted;
  return ramp (sweep->start, (sweep->stop - sweep->start) / static_cast<double> (steps), some.first, count);
}

} // namespace sino::files
