// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/companions.hpp"
#include "base/error.hpp"
#include "tasks/files/numbers.hpp"
#include "tasks/files/scan/frames.hpp"
#include "tasks/files/scan/unwritten.hpp"
#include <algorithm>

namespace sino::files {

namespace {

// Times of frames between the projections, in projections of the scan: from position data as stored by `write`,
// otherwise from the angles at which the frames were taken; empty if unknown.
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
    size_t i = 0; // theta[i] is the first angle at or after this one
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

  // Frames from a path; if the path is empty, frames among or beside the images; null if there are none.
  std::shared_ptr<Frames> find (const char *property, const std::string &path, const char *name) const
  {
    if (path.empty ())
      return stored (property, name);
    const auto frames = open_input (
        {.path = path, .images = name, .property = property, .missing = missing (), .raw = request.raw}, scan.messages);
    if (!frames.format->random_access)
      fail (SINO_ERROR_BAD_PROPERTY,
            "%s=%s: %s can be read once only, and frames are read in parts: write them to .h5 first", property,
            path.c_str (), frames.format->name.c_str ());
    const auto keys = frame_keys (*frames.file, frames.stack->pages);
    auto pages = keys ? keyed (*keys, name) : all_of (*frames.stack);
    if (pages.empty ()) // a separate file with frames often has no keys
      pages = keys->projections;
    if (pages.empty ())
      fail (SINO_ERROR_BAD_FILE, "%s has none of the frames for %s=: %s says that there are %s",
            frames.file->title ().c_str (), property, frames.file->place (keys->name).c_str (),
            keys->describe ().c_str ());
    return cut (frames.stack, pages, {}, frames.file->title (), property);
  }

private:
  static const std::vector<int64_t> &keyed (const FrameKeys &keys, std::string_view name)
  {
    return name == "data_dark" ? keys.darks : keys.flats;
  }

  static std::vector<int64_t> all_of (const Stack &stack) { return Range{0, 1, stack.pages, stack.pages}.numbers (); }

  std::shared_ptr<Frames> stored (const char *property, const char *name) const
  {
    if (part.keys && !keyed (*part.keys, name).empty ()) {
      const auto &pages = keyed (*part.keys, name);
      return cut (input.stack, pages, part.keys->times (pages), input.file->title (), property);
    }
    const auto stack = input.file->frames (name, scan.messages);
    if (!stack)
      return nullptr;
    check_element (*input.format, *stack, input.file->title (name));
    return cut (stack, all_of (*stack),
                times (*input.file, std::string_view (name) == "data_dark" ? "dark" : "white", stack->pages,
                       part.all_projections),
                input.file->title (name), property);
  }

  // Missing projections may be left out, but not frames.
  Missing missing () const { return request.missing == Missing::skip ? Missing::fail : request.missing; }

  // `positions`: of the pages, or empty. Null if none of the pages was written.
  std::shared_ptr<Frames> cut (const std::shared_ptr<const Stack> &frames, std::vector<int64_t> pages,
                               std::vector<double> positions, const std::string &title, const char *property) const
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
    leave_out_unwritten (stack, property[0] == 'd' ? "darks" : "flats", pages, positions, scan.messages);
    if (pages.empty ())
      return nullptr;
    auto made = std::make_shared<StackFrames> (frames, std::move (pages), part.rows, part.columns);
    made->positions = std::move (positions);
    return made;
  }
};

// Converts positions from projections of the scan to projections of the stream.
void place (Frames &frames, const Range &projections)
{
  for (auto &position : frames.positions)
    position = (position - static_cast<double> (projections.first)) / static_cast<double> (projections.step);
}

} // namespace

namespace {

// Joins frames taken before the projections and after them. Either may be null.
std::shared_ptr<Frames> joined (std::shared_ptr<Frames> before, const std::shared_ptr<Frames> &after,
                                const char *property, const std::string &path, int64_t projections)
{
  if (!after)
    return before;
  if (before && before->element != after->element)
    fail (SINO_ERROR_BAD_FILE, "%s=%s holds %s values and the %s before are %s: they must be the same", property,
          path.c_str (), name_of (after->element), property[0] == 'd' ? "darks" : "flats", name_of (before->element));
  std::vector<double> positions (static_cast<size_t> (before ? before->count : 0), -0.5);
  positions.insert (positions.end (), static_cast<size_t> (after->count), static_cast<double> (projections) - 0.5);
  auto both = before ? std::make_shared<JoinedFrames> (before, after) : after;
  both->positions = std::move (positions);
  return both;
}

} // namespace

Companions find_companions (const Request &request, const Input &input, const ScanPart &part, Scan &scan)
{
  const Finder finder{.request = request, .input = input, .part = part, .scan = scan};
  const auto both = [&] (const char *name, const std::string &path, const char *name_after, const std::string &after,
                         const char *images) {
    const auto before = finder.find (name, path, images),
               late = after.empty () ? nullptr : finder.find (name_after, after, images);
    if (!after.empty () && !late)
      fail (SINO_ERROR_BAD_FILE, "%s=%s was never written: leave it out, or give other frames", name_after,
            after.c_str ());
    return joined (before, late, name_after, after, part.all_projections);
  };
  const auto darks = both ("darks", request.darks, "darks-after", request.darks_after, "data_dark");
  const auto flats = both ("flats", request.flats, "flats-after", request.flats_after, "data_white");
  if (darks)
    place (*darks, part.projections);
  if (flats)
    place (*flats, part.projections);
  Companions companions;
  companions.darks = darks;
  companions.flats = flats;
  return companions;
}

} // namespace sino::files
