// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/look.hpp"
#include "formats/page-files.hpp"
#include "formats/with-type.hpp"
#include <algorithm>
#include <cmath>

namespace sino::files {

namespace {

constexpr int64_t most_rows = 4, most_frames = 3;
// Fewer if each projection is decoded together with its neighbours.
constexpr int64_t most_projections = 9, most_shared_projections = 3;
constexpr float none = std::numeric_limits<float>::quiet_NaN ();

// Widths of borders as shares of a row; the widest one with even values is used. Least number of columns.
constexpr double widths[] = {0.08, 0.04, 0.02};
constexpr int64_t least_columns = 4;
constexpr double even_spread = 0.05, even_slope = 0.015;

// Some indices, spread evenly.
std::vector<int64_t> spread (int64_t extent, int64_t most)
{
  const auto n = std::min (extent, most);
  std::vector<int64_t> places;
  for (int64_t i = 0; i < n; i++)
    places.push_back ((2 * i + 1) * extent / (2 * n));
  return places;
}

// Values that are not below `greatest` (dead or saturated) become NaN.
std::vector<float> floats (const std::vector<std::byte> &values, Element element, float greatest)
{
  std::vector<float> list (values.size () / size_of (element));
  with_type (element, [&] (auto type) {
    for (size_t i = 0; i < list.size (); i++)
      list[i] = static_cast<float> (as_double (number_at<decltype (type)> (values.data (), i * sizeof type, false)));
  });
  std::ranges::replace_if (
      list, [greatest] (float value) { return !(std::isfinite (value) && value < greatest); }, none);
  return list;
}

struct Mean {
  double sum = 0, found = 0;
  void add (float value)
  {
    if (std::isfinite (value)) {
      sum += static_cast<double> (value);
      found++;
    }
  }
  double value () const { return sum / found; }
};

// Values of some pixels, in the order projection, row, column.
struct Sight {
  int64_t projections, rows, columns;
  std::vector<float> values;

  Seen::Border border (int64_t first, int64_t n) const
  {
    Mean all, half;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int64_t p = 0; p < projections; p++) {
      Mean mean;
      for (int64_t r = 0; r < rows; r++)
        for (int64_t c = first; c < first + n; c++) {
          const auto value = values[static_cast<size_t> ((p * rows + r) * columns + c)];
          mean.add (value), all.add (value);
          if (c < first + n / 2)
            half.add (value);
        }
      if (mean.found > 0) {
        least = std::min (least, mean.value ());
        most = std::max (most, mean.value ());
      }
    }
    const auto level = all.value (), size = std::abs (level);
    const Mean other{all.sum - half.sum, all.found - half.found};
    return {.columns = n,
            .level = level,
            .spread = (most - least) / size,
            .slope = std::abs (other.value () - half.value ()) / size};
  }

  Seen::Border border (bool right) const
  {
    Seen::Border found;
    for (const auto width : widths) {
      const auto n = std::min (std::max (static_cast<int64_t> (width * static_cast<double> (columns)), least_columns),
                               std::max<int64_t> (columns / 4, 1));
      found = border (right ? columns - n : 0, n);
      if (found.spread < even_spread && found.slope < even_slope)
        break;
    }
    return found;
  }
};

class ScanLook final : public Look
{
public:
  explicit ScanLook (const Scan &scan)
      : stack (scan.stack), picks (scan.picks), sinograms (scan.format.kind () == Kind::sinograms),
        greatest (scan.format.greatest ()), companions (scan.format.companions),
        flat_rows (spread (scan.format.rows (), most_rows))
  {
  }

  Seen see () const override
  {
    const auto at = [] (const std::vector<int64_t> &numbers, const std::vector<int64_t> &places) {
      std::vector<int64_t> list;
      for (const auto place : places)
        list.push_back (numbers[static_cast<size_t> (place)]);
      return list;
    };
    const auto &angles = sinograms ? picks->lines : picks->pages, &rows = sinograms ? picks->pages : picks->lines;
    const auto some_angles =
                   at (angles, spread (std::ssize (angles), is_shared () ? most_shared_projections : most_projections)),
               some_rows = at (rows, flat_rows);
    const Part part{sinograms ? some_rows : some_angles, sinograms ? some_angles : some_rows, picks->columns};
    std::vector<std::byte> pixels (part.pixels () * pixel (*stack));
    stack->read (part, pixels.data (), {});
    Sight sight{.projections = std::ssize (some_angles),
                .rows = std::ssize (some_rows),
                .columns = std::ssize (picks->columns),
                .values = floats (pixels, stack->element, greatest)};
    if (sinograms)
      sight.values = turned (sight);
    Seen seen;
    find_range (sight.values, seen);
    seen.left = sight.border (false);
    seen.right = sight.border (true);
    if (companions.flats && companions.flats->count > 0) {
      correct (sight);
      seen.air = {sight.border (false), sight.border (true)};
    }
    return seen;
  }

private:
  const std::shared_ptr<const Stack> stack;
  const std::shared_ptr<const Picks> picks;
  const bool sinograms;
  const float greatest;
  const Companions companions;
  const std::vector<int64_t> flat_rows;

  bool is_shared () const { return stack->unit.stored > 0 && !sinograms && stack->unit.pages > 1; }

  static std::vector<float> turned (const Sight &sight)
  {
    std::vector<float> values;
    for (int64_t p = 0; p < sight.projections; p++)
      for (int64_t r = 0; r < sight.rows; r++) {
        const auto first = sight.values.begin () + (r * sight.projections + p) * sight.columns;
        values.insert (values.end (), first, first + sight.columns);
      }
    return values;
  }

  static void find_range (std::vector<float> list, Seen &seen)
  {
    std::erase_if (list, [] (float value) { return !std::isfinite (value); });
    if (list.empty ())
      return;
    const auto at = [&] (double share) {
      const auto place = list.begin () + std::lround (share * static_cast<double> (list.size () - 1));
      std::nth_element (list.begin (), place, list.end ());
      return static_cast<double> (*place);
    };
    Mean mean;
    for (const auto value : list)
      mean.add (value);
    seen.mean = mean.value ();
    seen.least = at (0.01);
    seen.most = at (0.99);
  }

  // The median of a few frames for each row and column: a single wrong frame does not affect it. Of two darks the
  // darker one is used, of two flats the brighter one.
  std::vector<float> middle (const Frames &frames, bool brighter) const
  {
    const auto columns = static_cast<size_t> (frames.columns);
    std::vector<std::vector<float>> all;
    for (const auto frame : spread (frames.count, most_frames)) {
      // If whole frames are decoded, all rows are read at once.
      const Interval rows{flat_rows.front (), flat_rows.back () + 1};
      std::vector<std::byte> pixels;
      std::vector<float> values;
      if (frames.unit_bytes > 0) {
        pixels.resize (static_cast<size_t> (rows.size ()) * frames.row_bytes ());
        frames.read ({frame, frame + 1}, rows, pixels.data (), {});
        const auto read = floats (pixels, frames.element, frames.greatest ());
        for (const auto row : flat_rows) {
          const auto first = read.begin () + static_cast<std::ptrdiff_t> (row - rows.begin) * frames.columns;
          values.insert (values.end (), first, first + frames.columns);
        }
      } else {
        pixels.resize (flat_rows.size () * frames.row_bytes ());
        for (size_t i = 0; i < flat_rows.size (); i++)
          frames.read ({frame, frame + 1}, {flat_rows[i], flat_rows[i] + 1}, &pixels[i * frames.row_bytes ()], {});
        values = floats (pixels, frames.element, frames.greatest ());
      }
      all.push_back (std::move (values));
    }
    std::vector<float> medians (flat_rows.size () * columns), few (all.size ());
    for (size_t i = 0; i < medians.size (); i++) {
      std::ranges::transform (all, few.begin (), [i] (const auto &values) { return values[i]; });
      std::ranges::sort (few, [] (float a, float b) { return a < b || (std::isnan (b) && !std::isnan (a)); });
      medians[i] = few[(few.size () - (brighter ? 0 : 1)) / 2];
    }
    return medians;
  }

  void correct (Sight &sight) const
  {
    const auto white = middle (*companions.flats, true);
    std::vector<float> black (white.size ());
    if (companions.darks && companions.darks->count > 0)
      black = middle (*companions.darks, false);
    for (size_t i = 0; i < sight.values.size (); i++) {
      const auto at = i % white.size ();
      const auto beam = white[at] - black[at];
      sight.values[i] = beam > 0 ? (sight.values[i] - black[at]) / beam : none;
    }
  }
};

} // namespace

std::shared_ptr<const Look> look_at (const Scan &scan)
{
  if (!scan.random_access || scan.format.kind () == Kind::slices)
    return nullptr;
  return std::make_shared<const ScanLook> (scan);
}

} // namespace sino::files
