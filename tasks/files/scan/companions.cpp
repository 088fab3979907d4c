// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/companions.hpp"
#include "base/error.hpp"
#include "tasks/files/numbers.hpp"
#include "tasks/files/scan/unwritten.hpp"
#include <algorithm>

namespace sino::files {

namespace {

// The indices of the numbers that lie in the same unit as the number at index `place`.
Interval sharing (const std::vector<int64_t> &numbers, int64_t place, int64_t extent)
{
  const auto number = numbers[static_cast<size_t> (place)], first = number - number % extent;
  const auto find = [&] (int64_t n) { return std::ranges::lower_bound (numbers, n) - numbers.begin (); };
  return {find (first), find (first + extent)};
}

// Some pages of a stack, cut to some lines and columns. All numbers are ascending.
class StackFrames final : public Frames
{
public:
  StackFrames (std::shared_ptr<const Stack> s, std::vector<int64_t> p, std::vector<int64_t> l, std::vector<int64_t> c)
      : stack (std::move (s)), page_numbers (std::move (p)), line_numbers (std::move (l)),
        column_numbers (std::move (c))
  {
    element = stack->element;
    top = stack->top;
    count = std::ssize (page_numbers);
    rows = std::ssize (line_numbers);
    columns = std::ssize (column_numbers);
    scratch_bytes = stack->scratch (1);
    const auto &unit = stack->unit;
    if (unit.stored > 0)
      unit_bytes = static_cast<size_t> (std::min (unit.pages, stack->pages) * std::min (unit.lines, stack->lines) *
                                        std::min (unit.columns, stack->columns)) *
                   pixel (*stack);
  }

  Interval frames_with (int64_t frame) const override
  {
    return unit_bytes == 0 ? Frames::frames_with (frame) : sharing (page_numbers, frame, stack->unit.pages);
  }

  Interval rows_with (int64_t row) const override
  {
    return unit_bytes == 0 ? Frames::rows_with (row) : sharing (line_numbers, row, stack->unit.lines);
  }

  void read (Interval some, Interval of_rows, void *pixels, const Watch &watch) const override
  {
    const auto part = [] (Numbers numbers, Interval places) {
      return numbers.subspan (static_cast<size_t> (places.begin), static_cast<size_t> (places.size ()));
    };
    stack->read ({part (page_numbers, some), part (line_numbers, of_rows), column_numbers},
                 static_cast<std::byte *> (pixels), {nullptr, watch.monitor, watch.counters});
  }

private:
  std::shared_ptr<const Stack> stack;
  std::vector<int64_t> page_numbers, line_numbers, column_numbers;
};

// The frames of two sets, one after the other. Their element types must be equal.
class JoinedFrames final : public Frames
{
public:
  JoinedFrames (std::shared_ptr<const Frames> b, std::shared_ptr<const Frames> a)
      : before (std::move (b)), after (std::move (a))
  {
    element = before->element;
    top = std::min (before->top, after->top);
    count = before->count + after->count;
    rows = before->rows;
    columns = before->columns;
    unit_bytes = std::max (before->unit_bytes, after->unit_bytes);
    scratch_bytes = std::max (before->scratch_bytes, after->scratch_bytes);
  }

  Interval frames_with (int64_t frame) const override
  {
    if (frame < before->count)
      return before->frames_with (frame);
    const auto with = after->frames_with (frame - before->count);
    return {with.begin + before->count, with.end + before->count};
  }

  // The larger one of the units that both sets have at this row.
  Interval rows_with (int64_t row) const override
  {
    const auto a = before->rows_with (row), b = after->rows_with (row);
    return a.size () < b.size () ? b : a;
  }

  void read (Interval some, Interval of_rows, void *pixels, const Watch &watch) const override
  {
    const auto early = some.meet ({0, before->count}), late = some.meet ({before->count, count});
    auto *to = static_cast<std::byte *> (pixels);
    if (!early.empty ())
      before->read (early, of_rows, to, watch);
    to += static_cast<size_t> (early.size () * of_rows.size ()) * row_bytes ();
    if (!late.empty ())
      after->read ({late.begin - before->count, late.end - before->count}, of_rows, to, watch);
  }

private:
  std::shared_ptr<const Frames> before, after;
};

// Times of frames, counted in projections of the scan: from the positions that `write` stores, otherwise from the
// angles at which the frames were taken; empty if unknown.
std::vector<double> times (const ImageFile &file, const std::string &kind, int64_t frames, int64_t projections)
{
  auto list = numbers (file, "position_" + kind, frames);
  if (!list.empty ())
    return list;
  const auto taken = degrees (file, "theta_" + kind, frames), theta = degrees (file, "theta", projections);
  const auto n = theta.size ();
  const bool rising = std::ranges::is_sorted (theta), falling = std::is_sorted (theta.rbegin (), theta.rend ());
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
    const auto frames =
        open_input ({.path = path, .images = name, .missing = missing (), .raw = request.raw}, property, scan.messages);
    if (!frames.format->random_access)
      fail (SINO_ERROR_BAD_PROPERTY,
            "%s=%s: %s can be read only once, but frames are read in parts: write them to .h5 first", property,
            path.c_str (), frames.format->name.c_str ());
    const auto keys = frame_keys (*frames.file, frames.stack->pages);
    auto pages = keys ? keyed (*keys, name) : all_of (*frames.stack);
    if (pages.empty ()) // a separate file with frames often has no keys
      pages = keys->projections;
    if (pages.empty ())
      fail (SINO_ERROR_BAD_FILE, "%s has no frames for %s=: %s lists %s", frames.file->title ().c_str (), property,
            frames.file->place (keys->name).c_str (), keys->describe ().c_str ());
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

  // Darks or flats from these pages. `positions`: of the pages, or empty. Null if none of the pages was written.
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

// Joins frames taken before the projections and after them. Either may be null.
std::shared_ptr<Frames> joined (std::shared_ptr<Frames> before, const std::shared_ptr<Frames> &after,
                                const char *property, const std::string &path, int64_t projections)
{
  if (!after)
    return before;
  if (before && before->element != after->element)
    fail (SINO_ERROR_BAD_FILE, "%s=%s contains %s values, and the %s before the scan are %s: they must be the same",
          property, path.c_str (), name_of (after->element), property[0] == 'd' ? "darks" : "flats",
          name_of (before->element));
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
      fail (SINO_ERROR_BAD_FILE, "%s=%s has only frames that were never written: leave it out, or give other frames",
            name_after, after.c_str ());
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
