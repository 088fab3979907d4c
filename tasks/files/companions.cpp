// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/companions.hpp"
#include "base/error.hpp"
#include "tasks/files/frames.hpp"
#include "tasks/files/numbers.hpp"
#include <algorithm>

namespace sino::files {

namespace {

// When frames came between the projections, in projections of the scan: as `write` tells it, else from the angles at
// which they were taken; empty when neither says it.
std::vector<double> times (const ImageFile &file, const std::string &kind, int64_t frames, int64_t projections)
{
  auto list = numbers (file, "position_" + kind, frames);
  if (!list.empty ())
    return list;
  const auto taken = degrees (file, "theta_" + kind, frames), theta = degrees (file, "theta", projections);
  const auto n = theta.size ();
  const bool rising = std::is_sorted (theta.begin (), theta.end ()),
             falling = std::is_sorted (theta.rbegin (), theta.rend ());
  if (taken.empty () || n < 2 || rising == falling)
    return {};
  for (const auto angle : taken) {
    size_t i = 0; // theta[i] is the first one at or after the angle
    while (i < n && (rising ? theta[i] < angle : theta[i] > angle))
      i++;
    if (i == 0)
      list.push_back (-0.5);
    else if (i == n || angle == theta[n - 1])
      list.push_back (static_cast<double> (n) - 0.5);
    else
      list.push_back (static_cast<double> (i) - (theta[i] - angle) / (theta[i] - theta[i - 1]));
  }
  return list;
}

class Finder
{
public:
  const Request &request;
  const Input &input;
  const ScanPart &part;
  Scan &scan;

  // Frames from a path, or from beside the images when that is empty; null when there are none.
  std::shared_ptr<Frames> find (const char *property, const std::string &path, const char *name) const
  {
    if (path.empty ()) {
      const auto stack = input.file->frames (name, scan.messages);
      if (stack)
        check_element (*input.format, *stack, input.file->title (name));
      return stack ? cut (stack, input.file->title (name), property) : nullptr;
    }
    const auto frames = open_input (path, "", name, missing (), scan.messages);
    if (!frames.format->random_access)
      fail (SINO_ERROR_BAD_PROPERTY,
            "%s=%s: %s can be read once only, and frames are read in parts: write them to .h5 first", property,
            path.c_str (), frames.format->name.c_str ());
    return cut (frames.stack, frames.file->title (), property);
  }

private:
  // Projections are left out, not frames.
  Missing missing () const { return request.missing == Missing::skip ? Missing::fail : request.missing; }

  std::shared_ptr<Frames> cut (const std::shared_ptr<const Stack> &frames, const std::string &title,
                               const char *property) const
  {
    const auto &stack = *frames;
    scan.companions_resident += stack.resident () + stack.scratch (1);
    const auto more = stack.files ();
    scan.files.insert (scan.files.end (), more.begin (), more.end ());
    if (stack.lines != part.all_rows || stack.columns != part.all_columns)
      fail (SINO_ERROR_BAD_FILE,
            "the %s in %s have %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT
            " columns, the projections in %s have %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
            ": set %s= to frames of the same detector area",
            property[0] == 'd' ? "darks" : "flats", title.c_str (), stack.lines, stack.columns,
            input.file->title ().c_str (), part.all_rows, part.all_columns, property);
    return std::make_shared<StackFrames> (frames, part.rows, part.columns);
  }
};

// Positions in projections of the scan become positions in projections of the stream.
void place (Frames &frames, std::vector<double> positions, const Range &projections)
{
  for (auto &position : positions)
    position = (position - static_cast<double> (projections.first)) / static_cast<double> (projections.step);
  frames.positions = std::move (positions);
}

} // namespace

Companions find_companions (const Request &request, const Input &input, const ScanPart &part, Scan &scan)
{
  const Finder finder{request, input, part, scan};
  const auto darks = finder.find ("darks", request.darks, "data_dark");
  auto flats = finder.find ("flats", request.flats, "data_white");
  if (darks && request.darks.empty ())
    place (*darks, times (*input.file, "dark", darks->count, part.all_projections), part.projections);
  if (flats && request.flats.empty ())
    place (*flats, times (*input.file, "white", flats->count, part.all_projections), part.projections);
  if (!request.flats_after.empty ()) {
    const auto after = finder.find ("flats-after", request.flats_after, "data_white");
    const auto before = flats;
    const auto end = static_cast<double> (part.all_projections) - 0.5;
    if (before && before->element != after->element)
      fail (SINO_ERROR_BAD_FILE, "flats-after=%s holds %s values and the flats before are %s: they must be the same",
            request.flats_after.c_str (), name_of (after->element), name_of (before->element));
    std::vector<double> positions (static_cast<size_t> (before ? before->count : 0), -0.5);
    positions.insert (positions.end (), static_cast<size_t> (after->count), end);
    if (before)
      flats = std::make_shared<JoinedFrames> (before, after);
    else
      flats = after;
    place (*flats, positions, part.projections);
  }
  Companions companions;
  companions.darks = darks;
  companions.flats = flats;
  return companions;
}

} // namespace sino::files
