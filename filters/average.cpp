// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces groups of consecutive projections, taken at one angle, by their mean.
#include "base/angle.hpp"
#include "base/error.hpp"
#include "glue/facets.hpp"
#include "glue/module.hpp"
#include "glue/task.hpp"
#include "kernels/flat-field/correct.hpp"
#include <utility>

namespace sino::average {
namespace {

constexpr int64_t piece = 1024; // number of values that are summed at once

// Copy of darks or flats whose times count means instead of projections.
std::shared_ptr<const Frames> counted_in_means (std::shared_ptr<const Frames> frames, int64_t number)
{
  const auto counted = std::make_shared<SameFrames> (std::move (frames));
  for (auto &position : counted->positions) // a time of -0.5, before the first projection, stays -0.5
    position = (position + 0.5) / static_cast<double> (number) - 0.5;
  return counted;
}

class Averager final : public Worker
{
public:
  Averager (const Replica &replica, int64_t n) : cpu (replica.cpu), number (n) {}

  void run (std::span<Input *const> inputs, Output *output) override
  {
    Block out;
    while (const Block in = inputs[0]->pop ()) {
      if (in.format ().kind () == Kind::sinograms) {
        Block sinograms = output->next ();
        average (in, sinograms);
        output->push (std::move (sinograms));
        continue;
      }
      for (auto angle = in.angles ().begin; angle < in.angles ().end;) {
        if (!out)
          out = output->next ();
        const auto mean = angle / number;
        const Interval some{angle, std::min ((mean + 1) * number, in.angles ().end)};
        add (in, some, out, mean);
        angle = some.end;
        if (angle % number == 0 && mean == out.angles ().end - 1)
          output->push (std::exchange (out, {}));
      }
    }
  }

private:
  const Cpu &cpu;
  const int64_t number;
  std::vector<double> sums; // sums of the projections of the current mean that have come

  // Averages blocks of sinograms, which hold all angles.
  void average (const Block &in, Block &out) const
  {
    const auto element = in.format ().element;
    const auto values = in.line () * in.lanes (), means = out.angles ().size ();
    const auto groups = divide_up (in.rows ().size (), in.lanes ());
    cpu.parallel (groups * means, 4, [&] (int64_t begin, int64_t end) {
      double sum[piece];
      for (auto i = begin; i < end; i++) {
        const auto row = i / means * in.lanes (), mean = i % means;
        for (int64_t at = 0; at < values; at += piece) {
          const auto n = std::min (piece, values - at);
          std::fill_n (sum, n, 0.);
          for (int64_t a = 0; a < number; a++)
            add_values (element, in, in.offset (mean * number + a, row) + at, n, sum);
          put (sum, n, out.as<float> () + out.offset (mean, row) + at);
        }
      }
    });
  }

  // Adds some projections of one mean; the block of the last one gets the mean.
  void add (const Block &in, Interval angles, Block &out, int64_t mean)
  {
    const auto element = in.format ().element;
    const auto values = in.rows ().size () * in.line ();
    const bool first = angles.begin % number == 0, last = angles.end % number == 0;
    if (!first || !last)
      sums.resize (static_cast<size_t> (values));
    cpu.parallel (divide_up (values, piece), 16, [&] (int64_t begin, int64_t end) {
      double here[piece];
      for (auto at = begin * piece; at < std::min (end * piece, values); at += piece) {
        const auto n = std::min (piece, values - at);
        auto *sum = first && last ? here : &sums[static_cast<size_t> (at)];
        if (first)
          std::fill_n (sum, n, 0.);
        for (auto angle = angles.begin; angle < angles.end; angle++)
          add_values (element, in, in.offset (in.angles ().place (angle), 0) + at, n, sum);
        if (last)
          put (sum, n, out.as<float> () + out.offset (out.angles ().place (mean), 0) + at);
      }
    });
  }

  static void add_values (Element element, const Block &in, int64_t first, int64_t n, double *sum)
  {
    float values[piece];
    flat_field::widen (element, in.data () + static_cast<size_t> (first) * size_of (element), n, values);
    for (int64_t i = 0; i < n; i++)
      sum[i] += static_cast<double> (values[i]);
  }

  void put (const double *sum, int64_t n, float *to) const
  {
    for (int64_t i = 0; i < n; i++)
      to[i] = static_cast<float> (sum[i] / static_cast<double> (number));
  }
};

class Average final : public Task, public Holds
{
public:
  static constexpr Info info{"average", "Average groups of successive projections into one each"};
  static constexpr Signature signature{.takes = {scan_kinds, any_element}, .gives = {.elements = Element::f32}};

  int number = 0;

  static constexpr Property properties[] = {
      prop<&Average::number> ("number", "Projections in a group; 0: all of them", Range{0, 16777216}),
  };

  Format negotiate (std::span<const Format *const> inputs) override;
  std::vector<std::string> warnings () const override { return notes; }

  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &, int downstream) const override { return downstream; }
  // A mean is sent on when the last of its projections has come.
  bool holds_back (size_t) const override { return true; }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (projections)
      add_bytes (bill, "sums of projections", static_cast<size_t> (sizing.item_rows * columns) * sizeof (double));
  }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<Averager> (replica, per_mean);
  }

private:
  int64_t per_mean = 1, columns = 0;
  bool projections = false;
  std::vector<std::string> notes;

  Geometry averaged (const Geometry &geometry);
  void warn_of_angles (const std::vector<double> &angles);
};

Format Average::negotiate (std::span<const Format *const> inputs)
{
  const auto &in = *inputs[0];
  per_mean = number == 0 ? in.angles () : number;
  if (per_mean > in.angles ())
    fail (SINO_ERROR_BAD_PROPERTY,
          "number=%d is more than the %" G_GINT64_FORMAT " projections of the stream: give a smaller one, or 0 for all",
          number, in.angles ());
  if (const auto over = in.angles () % per_mean; over != 0)
    fail (SINO_ERROR_BAD_PROPERTY,
          "number=%d does not divide the %" G_GINT64_FORMAT " projections: the last %" G_GINT64_FORMAT
          " would be lost: leave them out with projections= of 'read', or give another number=",
          number, in.angles (), over);
  projections = in.kind () == Kind::projections;
  columns = in.line ();
  notes.clear ();
  Format format = in;
  format.element = Element::f32;
  format.scan = nullptr;
  auto &angle = format.dim (Axis::angle);
  angle.extent /= per_mean;
  angle.step *= per_mean;
  if (in.geometry)
    format.geometry = std::make_shared<const Geometry> (averaged (*in.geometry));
  for (auto *frames : {&format.companions.darks, &format.companions.flats})
    if (*frames)
      *frames = counted_in_means (*frames, per_mean);
  return format;
}

template <class T, class Sum> static std::vector<T> means (const std::vector<T> &list, int64_t number, T zero, Sum sum)
{
  const auto n = static_cast<size_t> (number);
  if (list.size () < 2) // one value for all projections
    return list;
  std::vector<T> result;
  for (size_t first = 0; first + n <= list.size (); first += n) {
    T total = zero;
    for (size_t i = first; i < first + n; i++)
      total = sum (total, list[i], 1 / static_cast<double> (n));
    result.push_back (total);
  }
  return result;
}

Geometry Average::averaged (const Geometry &geometry)
{
  const auto add = [] (double total, double value, double weight) { return total + weight * value; };
  warn_of_angles (geometry.angles);
  Geometry result = geometry;
  result.angles = means (geometry.angles, per_mean, 0., add);
  result.axis = means (geometry.axis, per_mean, 0., add);
  if (geometry.views.size () > 1) {
    View zero = geometry.views[0];
    zero.source = zero.corner = zero.column = zero.row = {0, 0, 0};
    result.views = means (geometry.views, per_mean, zero, [] (View total, const View &view, double weight) {
      total.source = total.source + weight * view.source;
      total.corner = total.corner + weight * view.corner;
      total.column = total.column + weight * view.column;
      total.row = total.row + weight * view.row;
      return total;
    });
  }
  return result;
}

// Warns if a point at the border of the slice moves by more than a column between the projections of one mean.
void Average::warn_of_angles (const std::vector<double> &angles)
{
  const auto n = static_cast<size_t> (per_mean);
  double most = 0;
  for (size_t first = 0; first + n <= angles.size (); first += n) {
    const auto [a, b] = std::minmax_element (&angles[first], &angles[first] + n);
    most = std::max (most, *b - *a);
  }
  if (most * 0.5 * static_cast<double> (columns) > 1)
    notes.push_back (text ("projections up to %.3g degrees apart are averaged: details far from the axis are blurred "
                           "by up to %.3g columns",
                           degrees (most), most * 0.5 * static_cast<double> (columns)));
}

} // namespace

SINO_REGISTER (Average)

} // namespace sino::average
