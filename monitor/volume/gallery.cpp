// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/volume/gallery.hpp"
#include "base/text.hpp"
#include <cmath>

namespace sino::monitor {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int highest_level = 8;
constexpr int64_t most_pixels = int64_t{1} << 24;  // of a slice that is kept, and of a picture
constexpr double quickly = 0.08, patiently = 0.25; // seconds, for pictures while something moves and for others
constexpr double for_figures = 2;                  // seconds

const char *name_of_axis (Kind kind, size_t axis)
{
  static constexpr const char *names[][3] = {
      {"projection", "row", "column"}, {"row", "projection", "column"}, {"z", "y", "x"}};
  return names[kind == Kind::projections ? 0 : kind == Kind::sinograms ? 1 : 2][axis];
}

// The first level from `level` on at which a part of a slice has at most `most_pixels`.
int level_of (const Box &box, int level)
{
  while ((box.width () >> level) * (box.height () >> level) > most_pixels)
    level++;
  return level;
}

GVariant *numbers (const auto &values)
{
  GVariantBuilder list;
  g_variant_builder_init (&list, G_VARIANT_TYPE ("ad"));
  for (const auto value : values)
    g_variant_builder_add (&list, "d", static_cast<double> (value));
  return g_variant_builder_end (&list);
}

// JSON has no NaN: such values are null.
GVariant *numbers_or_null (const std::vector<double> &values)
{
  GVariantBuilder list;
  g_variant_builder_init (&list, G_VARIANT_TYPE ("amd"));
  for (const auto value : values)
    g_variant_builder_add (&list, "md", std::isfinite (value), value);
  return g_variant_builder_end (&list);
}

} // namespace

Answer answer_of (Picture picture, int64_t version, Clock::time_point began)
{
  const auto milliseconds = std::chrono::duration<double, std::milli> (Clock::now () - began).count ();
  auto answer = Answer::of_values (std::move (picture.values));
  answer.headers = {{"Sino-Width", std::to_string (picture.width)}, {"Sino-Height", std::to_string (picture.height)},
                    {"Sino-Low", text ("%.9g", picture.low)},       {"Sino-High", text ("%.9g", picture.high)},
                    {"Sino-Level", std::to_string (picture.level)}, {"Sino-Full", picture.full ? "1" : "0"},
                    {"Sino-Version", std::to_string (version)},     {"Sino-Milliseconds", text ("%.1f", milliseconds)}};
  return answer;
}

GVariant *Gallery::describe () const
{
  size_t number = 0;
  return Dict::array (volumes, [&] (const Volume &volume) {
    Dict dict;
    std::vector<std::string> axes;
    for (size_t axis = 0; axis < 3; axis++)
      axes.push_back (name_of_axis (volume.kind, axis));
    int levels = 1;
    for (auto size = std::max (volume.stack->lines, volume.stack->columns); size > 256 && levels <= highest_level;
         size /= 2)
      levels++;
    dict.add ("number", number++)
        .add ("title", volume.title)
        .add ("path", volume.path)
        .add ("kind", name_of (volume.kind))
        .add ("extents", numbers (volume.extents ()))
        .add ("axes", axes)
        .add ("pixel", numbers (volume.pixel))
        .add ("unit", volume.pixel[2] > 0 ? "mm" : "")
        .add ("element", name_of (volume.stack->element))
        .add ("levels", levels)
        .add ("messages", volume.messages);
    return dict.end ();
  });
}

// --- what a request names ---

struct Gallery::Slice {
  std::vector<size_t> volumes; // one, or two of which the second is subtracted
  Sight sight;
};

Gallery::Slice Gallery::slice_of (const Request &request) const
{
  const auto last = std::ssize (volumes) - 1;
  Slice slice;
  slice.volumes.push_back (static_cast<size_t> (request.integer ("volume", 0, last, 0)));
  if (request.has ("minus"))
    slice.volumes.push_back (static_cast<size_t> (request.integer ("minus", 0, last)));
  const auto &volume = volumes[slice.volumes[0]];
  if (volumes[slice.volumes.back ()].extents () != volume.extents ())
    throw Refused (400, "only volumes of the same size can be subtracted");
  auto &sight = slice.sight;
  sight.axis = static_cast<int> (request.integer ("axis", 0, 2, 0));
  sight.index = request.integer ("index", 0, volume.extents ()[static_cast<size_t> (sight.axis)] - 1);
  sight.level = static_cast<int> (request.integer ("level", 0, highest_level, 0));
  sight.quick = request.integer ("quick", 0, 1, 0) == 1;
  sight.box = whole_box (volume, sight.axis);
  if (request.has ("box")) {
    const auto sides = request.numbers ("box", 4);
    const auto inside = [] (double value, int64_t most) {
      return std::clamp (static_cast<int64_t> (value), int64_t{0}, most);
    };
    sight.box = {inside (sides[0], sight.box.right), inside (sides[1], sight.box.bottom),
                 inside (sides[2], sight.box.right), inside (sides[3], sight.box.bottom)};
    if (sight.box.width () < 1 || sight.box.height () < 1)
      throw Refused (400, "box has no pixel of the slice");
  }
  sight.level = level_of (sight.box, sight.level);
  return slice;
}

// --- planes ---

// The whole slice, from memory where it is there; null if it is too large, or takes long to read.
std::shared_ptr<const Plane> Gallery::whole (const Slice &slice, size_t volume, const formats::Reading &reading)
{
  auto sight = slice.sight;
  if (auto kept = shelf.find ({volume, sight.axis, sight.index}))
    return kept;
  sight.box = whole_box (volumes[volume], sight.axis);
  sight.level = 0;
  if (sight.box.width () * sight.box.height () > most_pixels ||
      seconds_to_read (volumes[volume], sight) > (slice.sight.quick ? quickly : patiently))
    return nullptr;
  auto plane = std::make_shared<const Plane> (read_plane (volumes[volume], sight, patiently, reading));
  shelf.keep ({volume, sight.axis, sight.index}, plane);
  return plane;
}

Plane Gallery::part (const Slice &slice, size_t volume, const formats::Reading &reading)
{
  const auto &sight = slice.sight;
  if (const auto all = whole (slice, volume, reading))
    return reduced (*all, sight.box, sight.level, *reading.cpu);
  return read_plane (volumes[volume], sight, sight.quick ? quickly : patiently, reading);
}

Plane Gallery::shown (const Slice &slice, const formats::Reading &reading)
{
  auto plane = part (slice, slice.volumes[0], reading);
  if (slice.volumes.size () > 1)
    subtract (plane, part (slice, slice.volumes[1], reading));
  return plane;
}

// --- answers ---

Answer Gallery::picture (const Request &request, const formats::Reading &reading)
{
  const auto began = Clock::now ();
  const auto slice = slice_of (request);
  const auto plane = shown (slice, reading);
  return answer_of (picture_of (plane, *reading.cpu), 0, began);
}

Answer Gallery::figures (const Request &request, const formats::Reading &reading)
{
  const auto slice = slice_of (request);
  std::vector<Plane> planes;
  for (const auto volume : slice.volumes) {
    const auto all = whole (slice, volume, reading);
    planes.push_back (all ? *all : read_plane (volumes[volume], slice.sight, for_figures, reading));
  }
  if (planes.size () > 1)
    subtract (planes[0], planes[1]);
  const auto found = figures_of (planes[0]);
  Dict percentiles, dict;
  for (const auto &[name, value] : found.percentiles)
    percentiles.add (name.c_str (), value);
  dict.add ("low", found.low)
      .add ("high", found.high)
      .add ("mean", found.mean)
      .add ("deviation", found.deviation)
      .add ("counts", numbers (found.counts))
      .add ("percentiles", percentiles.end ())
      .add ("pixels", found.finite + found.others)
      .add ("not-finite", found.others)
      .add ("exact", planes[0].full && planes[0].level == 0);
  return Answer::of_json (dict.end ());
}

Answer Gallery::value (const Request &request, const formats::Reading &reading)
{
  const auto last = std::ssize (volumes) - 1;
  const auto at = request.numbers ("at", 3);
  double sum = 0, sign = 1;
  for (const auto *name : {"volume", "minus"}) {
    if (!request.has (name) && sign < 0)
      break;
    const auto &volume = volumes[static_cast<size_t> (request.integer (name, 0, last, 0))];
    const auto extents = volume.extents ();
    Sight sight{.index = static_cast<int64_t> (at[0])};
    sight.box = {static_cast<int64_t> (at[2]), static_cast<int64_t> (at[1]), static_cast<int64_t> (at[2]) + 1,
                 static_cast<int64_t> (at[1]) + 1};
    for (size_t axis = 0; axis < 3; axis++)
      if (!(at[axis] >= 0) || at[axis] >= static_cast<double> (extents[axis]))
        throw Refused (400, "at=" + request.word ("at") + " lies outside the volume");
    sum += sign * read_plane (volume, sight, patiently, reading).values[0];
    sign = -1;
  }
  Dict dict;
  if (std::isfinite (sum))
    dict.add ("value", sum);
  else
    dict.add ("value", g_variant_new_maybe (G_VARIANT_TYPE_DOUBLE, nullptr))
        .add ("text", std::isnan (sum) ? "nan"
                      : sum > 0        ? "inf"
                                       : "-inf");
  return Answer::of_json (dict.end ());
}

// The part of a line between the outermost pixel centres of a slice. Returns whether there is one.
static bool clip (std::array<double, 2> &from, std::array<double, 2> &to, const Box &box)
{
  double begin = 0, end = 1;
  const std::array<double, 2> last{static_cast<double> (box.right) - 1, static_cast<double> (box.bottom) - 1};
  for (size_t i = 0; i < 2; i++) {
    const double way = to[i] - from[i];
    if (way == 0 && (from[i] < 0 || from[i] > last[i]))
      return false;
    if (way != 0) {
      const double one = -from[i] / way, other = (last[i] - from[i]) / way;
      begin = std::max (begin, std::min (one, other));
      end = std::min (end, std::max (one, other));
    }
  }
  if (begin > end)
    return false;
  const auto start = from;
  for (size_t i = 0; i < 2; i++) {
    const double way = to[i] - start[i];
    from[i] = start[i] + begin * way;
    to[i] = start[i] + end * way;
  }
  return true;
}

Answer Gallery::profile (const Request &request, const formats::Reading &reading)
{
  auto slice = slice_of (request);
  const auto ends = std::pair (request.numbers ("from", 2), request.numbers ("to", 2));
  std::array from{ends.first[0], ends.first[1]}, to{ends.second[0], ends.second[1]};
  const auto whole_slice = whole_box (volumes[slice.volumes[0]], slice.sight.axis);
  if (!clip (from, to, whole_slice))
    throw Refused (400, "the line passes by the slice");
  const auto inside = [] (double value, int64_t most) {
    return std::clamp (static_cast<int64_t> (std::floor (value)), int64_t{0}, most - 1);
  };
  auto &box = slice.sight.box;
  box.left = inside (std::min (from[0], to[0]), whole_slice.right);
  box.top = inside (std::min (from[1], to[1]), whole_slice.bottom);
  box.right = inside (std::max (from[0], to[0]) + 1, whole_slice.right) + 1;
  box.bottom = inside (std::max (from[1], to[1]) + 1, whole_slice.bottom) + 1;
  slice.sight.level = level_of (box, 0);
  const auto plane = shown (slice, reading);
  // The first pixel of a level lies in the middle of those that it stands for.
  const auto scale = static_cast<double> (int64_t{1} << plane.level), middle = (scale - 1) / 2;
  const auto place = [&] (double at, int64_t first, int64_t count) {
    return std::clamp ((at - static_cast<double> (first) - middle) / scale, 0., static_cast<double> (count - 1));
  };
  const auto values =
      profile_of (plane, {place (from[0], box.left, plane.width), place (from[1], box.top, plane.height)},
                  {place (to[0], box.left, plane.width), place (to[1], box.top, plane.height)});
  const double length = std::hypot (to[0] - from[0], to[1] - from[1]);
  Dict dict;
  dict.add ("values", numbers_or_null (values))
      .add ("step", length / static_cast<double> (values.size () - 1))
      .add ("length", length);
  return Answer::of_json (dict.end ());
}

std::optional<Answer> Gallery::answer (const Request &request, const Monitor &wanted)
{
  using Make = Answer (Gallery::*) (const Request &, const formats::Reading &);
  static constexpr std::pair<const char *, Make> all[] = {{"/picture", &Gallery::picture},
                                                          {"/histogram", &Gallery::figures},
                                                          {"/value", &Gallery::value},
                                                          {"/profile", &Gallery::profile}};
  for (const auto &[path, make] : all)
    if (request.path == path && request.method == "GET") {
      if (volumes.empty ())
        throw Refused (404, "no volume is open");
      const Cpu cpu (0, wanted);
      return (this->*make) (request, {.cpu = &cpu, .monitor = &wanted, .counters = nullptr});
    }
  return {};
}

} // namespace sino::monitor
