// SPDX-License-Identifier: LGPL-3.0-or-later
// Removes stripes of sinograms, which would be rings in slices.
#include "base/error.hpp"
#include "filters/remove-stripes/mirrored.hpp"
#include "filters/remove-stripes/offsets.hpp"
#include "filters/remove-stripes/wavelet-fourier.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "kernels/remove-stripes/columns.hpp"
#include "kernels/remove-stripes/detect.hpp"
#include "kernels/remove-stripes/medians.hpp"
#include <bit>
#include <cmath>
#include <memory>
#include <optional>

namespace sino::remove_stripes {
namespace {

enum class Method { offset, sorting, large, dead, all, wavelet_fourier };
constexpr Nick<Method> methods[] = {{Method::offset, "offset"}, {Method::sorting, "sorting"},
                                    {Method::large, "large"},   {Method::dead, "dead"},
                                    {Method::all, "all"},       {Method::wavelet_fourier, "wavelet-fourier"}};

// Numbered by their vanishing moments.
enum class Wavelet { db1 = 1, db2, db3, db4, db5, db6, db7, db8, db9, db10 };
constexpr Nick<Wavelet> wavelets[] = {{Wavelet::db1, "db1"},  {Wavelet::db2, "db2"}, {Wavelet::db3, "db3"},
                                      {Wavelet::db4, "db4"},  {Wavelet::db5, "db5"}, {Wavelet::db6, "db6"},
                                      {Wavelet::db7, "db7"},  {Wavelet::db8, "db8"}, {Wavelet::db9, "db9"},
                                      {Wavelet::db10, "db10"}};

struct Settings {
  Method method = Method::offset;
  bool bridge = false;
  double snr = 3;
  int sm_size = 21, la_size = 51;
  double drop_ratio = 0.1;
  Wavelet wavelet = Wavelet::db5;
  int levels = 3;
  double sigma = 0.5;

  bool finds_dead () const { return bridge || is_dead_or_all (); }
  bool finds_large () const { return is_dead_or_all () || method == Method::large; }
  bool is_dead_or_all () const { return method == Method::all || method == Method::dead; }
  bool smooths () const { return method == Method::all || method == Method::sorting; }
  int widest () const
  {
    return std::max (finds_large () ? la_size : 0, method != Method::large && method != Method::dead ? sm_size : 0);
  }
  WaveletSettings for_wavelets () const { return {static_cast<int> (wavelet), levels, sigma}; }

  static constexpr std::array properties{
      prop<&Settings::method> (
          "method",
          "offset: columns with the same error at all angles; sorting: narrow and partial stripes; large: strong and "
          "wide stripes; dead: unresponsive and fluctuating columns, and all that large removes; all: dead, large, "
          "then sorting; wavelet-fourier: details that hardly change with the angle, with wavelets",
          methods),
      prop<&Settings::bridge> (
          "bridge", "First fill unresponsive and fluctuating columns from their neighbours; dead and all always do so"),
      prop<&Settings::snr> ("snr",
                            "Threshold for a large or dead stripe, relative to the rise of a line fitted to the other "
                            "columns; larger values find fewer stripes",
                            Range{1, 1000}),
      prop<&Settings::sm_size> ("sm-size", "Columns of the median for offset and sorting, an odd number",
                                Range{1, 1001}),
      prop<&Settings::la_size> (
          "la-size", "Columns of the medians for large and dead, an odd number: at least twice the widest stripe",
          Range{1, 1001}),
      prop<&Settings::drop_ratio> (
          "drop-ratio", "Fraction of the largest and smallest values of a column that its mean ignores", Range{0, 0.8}),
      prop<&Settings::wavelet> ("wavelet", "Daubechies wavelet for wavelet-fourier, named by its vanishing moments",
                                wavelets),
      prop<&Settings::levels> (
          "levels", "Levels of wavelet-fourier: the widest stripe has about 2 to the power of levels columns",
          Range{1, 16}),
      prop<&Settings::sigma> ("sigma",
                              "Width of the frequency band along angles for wavelet-fourier, in periods of the "
                              "sinogram: larger values remove shorter stripes, and more of the object",
                              Range{0.01, 1000}),
  };
};

constexpr int64_t angles_looked_at = 64;
constexpr char strips_item[] = "values of a group of sinograms in order", order_item[] = "angles of its values",
               scratch_item[] = "columns and medians of a thread";

// Bridges over dead columns; none if the settings do not look for them.
std::vector<Bridge> dead_bridges (const Cpu &cpu, const Settings &settings, const Shape &shape, int64_t lanes,
                                  const float *in)
{
  if (!settings.finds_dead ())
    return {};
  std::vector<double> sums (static_cast<size_t> (shape.columns));
  cpu.parallel (shape.columns, 32,
                [&] (int64_t begin, int64_t end) { fluctuations (shape, in, begin, end, sums.data ()); });
  std::vector<Bridge> all (sums.size ());
  cpu.parallel (lanes, 1, [&] (int64_t begin, int64_t end) {
    for (auto lane = begin; lane < end; lane++) {
      const auto bridges = bridges_over (dead_columns (of_lane (shape, lane, sums), settings.snr, settings.la_size));
      for (int64_t c = 0; c < std::ssize (bridges); c++)
        if (const auto &[left, right, share] = bridges[static_cast<size_t> (c)]; left >= 0)
          all[static_cast<size_t> (c * shape.lanes + lane)] = {left * shape.lanes + lane, right * shape.lanes + lane,
                                                               share};
    }
  });
  return all;
}

class StripeWorker : public PointWorker
{
public:
  StripeWorker (const Replica &replica, const Settings &s, std::shared_ptr<Mirrored> m)
      : cpu (replica.cpu), memory (replica.memory), settings (s), messages (replica.messages), mirrored (std::move (m))
  {
  }

  void process (const Block &in, Block &out) final
  {
    const Shape shape{in.angles ().size (), in.line () * in.lanes (), in.lanes ()};
    const auto size = shape.angles * shape.columns, rows = in.rows ().size ();
    for (int64_t row = 0; row < rows; row += shape.lanes)
      group (shape, std::min (shape.lanes, rows - row), in.as<float> () + row / shape.lanes * size,
             out.as<float> () + row / shape.lanes * size);
    look (shape, in.as<float> (), out.as<float> ());
  }

protected:
  const Cpu &cpu;
  Allotment &memory;
  const Settings settings;

  // Corrects the sinograms in the first `lanes` lanes of a group. The other lanes are zeros, and stay zeros.
  virtual void group (const Shape &shape, int64_t lanes, const float *in, float *out) const = 0;

private:
  Messages &messages;
  const std::shared_ptr<Mirrored> mirrored;

  // Adds up the values that were removed from each column of the block's first sinogram, over some of its angles.
  void look (const Shape &shape, const float *in, const float *out) const
  {
    std::vector<double> taken (static_cast<size_t> (shape.columns / shape.lanes));
    for (int64_t a = 0; a < shape.angles; a += 1 + shape.angles / angles_looked_at)
      for (size_t c = 0; c < taken.size (); c++) {
        const auto i = a * shape.columns + static_cast<int64_t> (c) * shape.lanes;
        taken[c] += static_cast<double> (in[i]) - static_cast<double> (out[i]);
      }
    if (const auto told = mirrored->add (taken); !told.empty ())
      messages.add (told);
  }
};

class Remover final : public StripeWorker
{
public:
  Remover (const Replica &replica, const Settings &s, std::shared_ptr<Mirrored> m)
      : StripeWorker (replica, s, std::move (m)), strips_memory (memory.take (strips_item)),
        order_memory (memory.take (order_item))
  {
  }

private:
  const Allotment::Piece strips_memory, order_memory;

  // The order of the values in each column is kept; only the values change.
  void group (const Shape &shape, int64_t lanes, const float *in, float *out) const override
  {
    auto *strips = strips_memory.as<int32_t> ();
    auto *order = order_memory.as<uint16_t> ();
    const auto bridges = dead_bridges (cpu, settings, shape, lanes, in);
    columns (shape, [&] (int64_t begin, int64_t end, void *scratch) {
      sort_columns (shape, in, bridges, begin, end, scratch, strips, order);
    });
    auto *const smooth = reinterpret_cast<int32_t *> (out); // the memory of the output is free until the end
    if (settings.finds_large ())
      correct_large (shape, lanes, strips, smooth);
    if (settings.smooths ())
      medians (shape, lanes, settings.sm_size, strips, strips);
    columns (shape, [&] (int64_t begin, int64_t end, void *scratch) {
      restore_columns (shape, strips, order, begin, end, scratch, out);
    });
  }

  // --- the steps of the methods ---

  // Replaces columns that are much brighter or darker than their smoothed values by these, and scales others to the
  // smoothed mean.
  void correct_large (const Shape &shape, int64_t lanes, int32_t *strips, int32_t *smooth) const
  {
    medians (shape, lanes, settings.la_size, strips, smooth);
    const auto dropped = static_cast<int64_t> (settings.drop_ratio * static_cast<double> (shape.angles) / 2);
    std::vector<double> factors (static_cast<size_t> (shape.columns), 1);
    cpu.parallel (shape.columns, 32, [&] (int64_t begin, int64_t end) {
      for (auto c = begin; c < end; c++)
        if (c % shape.lanes < lanes)
          if (const auto mean = mean_rank (shape, smooth, c, dropped); mean != 0)
            factors[static_cast<size_t> (c)] = mean_rank (shape, strips, c, dropped) / mean;
    });
    cpu.parallel (lanes, 1, [&] (int64_t begin, int64_t end) {
      for (auto lane = begin; lane < end; lane++) {
        const auto marks = stripes_of (of_lane (shape, lane, factors), settings.snr);
        for (int64_t c = 0; c < std::ssize (marks); c++)
          if (auto &factor = factors[static_cast<size_t> (c * shape.lanes + lane)];
              marks[static_cast<size_t> (c)] || !(factor > 0))
            factor = 0; // marks the column: gains are greater than 0
      }
    });
    cpu.parallel (shape.columns, 32, [&] (int64_t begin, int64_t end) {
      for (auto c = begin; c < end; c++)
        if (const auto factor = factors[static_cast<size_t> (c)]; factor > 0)
          divide_column (shape, strips, c, static_cast<float> (factor));
        else
          copy_column (shape, smooth, c, strips);
    });
  }

  void medians (const Shape &shape, int64_t lanes, int64_t size, const int32_t *from, int32_t *to) const
  {
    cpu.parallel (shape.strips () * lanes, 1, [&] (int64_t begin, int64_t end) {
      const auto scratch = memory.take (scratch_item);
      for (auto i = begin; i < end; i++)
        medians_across (shape, i / lanes, i % lanes, size, from, scratch.as<> (), to);
    });
  }

  // --- division of the work among threads ---

  template <class Body> void columns (const Shape &shape, Body body) const
  {
    cpu.parallel (shape.columns, 32, [&] (int64_t begin, int64_t end) {
      const auto scratch = memory.take (scratch_item);
      body (begin, end, scratch.as<> ());
    });
  }
};

class OffsetRemover final : public StripeWorker
{
public:
  OffsetRemover (const Replica &replica, const Settings &s, std::shared_ptr<Mirrored> m, const Offsets &o)
      : StripeWorker (replica, s, std::move (m)), offsets (o)
  {
  }

private:
  const Offsets offsets;

  void group (const Shape &shape, int64_t lanes, const float *in, float *out) const override
  {
    offsets.remove (cpu, memory, shape, lanes, dead_bridges (cpu, settings, shape, lanes, in), in, out);
  }
};

class WaveletRemover final : public StripeWorker
{
public:
  WaveletRemover (const Replica &replica, const Settings &s, std::shared_ptr<Mirrored> m, const WaveletFourier &w)
      : StripeWorker (replica, s, std::move (m)), wavelets (w)
  {
  }

private:
  const WaveletFourier wavelets;

  void group (const Shape &shape, int64_t lanes, const float *in, float *out) const override
  {
    auto bridges = dead_bridges (cpu, settings, shape, lanes, in);
    bridges.resize (static_cast<size_t> (shape.columns));
    cpu.parallel (shape.angles, 8, [&] (int64_t begin, int64_t end) {
      for (auto a = begin; a < end; a++)
        fill (shape, bridges, in + a * shape.columns, out + a * shape.columns);
    });
    wavelets.remove (cpu, memory, shape.lanes, out);
    cpu.parallel (shape.angles, 8, [&] (int64_t begin, int64_t end) {
      for (auto a = begin; a < end; a++)
        for (int64_t c = 0; c < shape.columns; c++)
          if (const auto value = in[a * shape.columns + c];
              !std::isfinite (value) && bridges[static_cast<size_t> (c)].is_own ())
            out[a * shape.columns + c] = value;
    });
  }

  // Replaces values that are NaN by the last finite one before, or the first one: a NaN would spread over the sinogram.
  static void fill (const Shape &shape, const std::vector<Bridge> &bridges, const float *in, float *out)
  {
    for (int64_t lane = 0; lane < shape.lanes; lane++) {
      float last = 0;
      for (auto c = shape.columns - shape.lanes + lane; c >= 0; c -= shape.lanes)
        if (std::isfinite (in[c]))
          last = in[c];
      for (auto c = lane; c < shape.columns; c += shape.lanes) {
        const auto &bridge = bridges[static_cast<size_t> (c)];
        const auto value = bridge.is_own () ? in[c] : bridge.across (in);
        last = std::isfinite (value) ? value : last;
        out[c] = last;
      }
    }
  }
};

class RemoveStripes final : public PointFilter
{
public:
  static constexpr Info info{"remove-stripes", "Remove stripes from sinograms, which would be rings in slices"};
  static constexpr Signature signature{.takes = {Kind::sinograms, Element::f32}};

  Settings settings;

  static constexpr auto properties = group<&RemoveStripes::settings> ();

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    if (format.angles () > most_angles)
      fail (SINO_ERROR_BAD_FORMAT, "takes at most %d angles, got %s", most_angles, format.describe ().c_str ());
    check_odd ("sm-size", settings.sm_size);
    check_odd ("la-size", settings.la_size);
    angles = format.angles ();
    columns = format.extent (Axis::column);
    values = format.bytes () / sizeof (float);
    if (settings.method == Method::offset)
      offsets.emplace (angles, columns, settings.sm_size);
    if (settings.method == Method::wavelet_fourier) {
      const auto most =
          std::max (1, static_cast<int> (std::bit_width (static_cast<uint64_t> (std::max (angles, columns) - 1))));
      if (settings.levels > most)
        fail (SINO_ERROR_BAD_PROPERTY, "levels=%d is too large for %s: give at most %d", settings.levels,
              format.describe ().c_str (), most);
      wavelets.emplace (settings.for_wavelets (), angles, columns);
    }
    mirrored = std::make_shared<Mirrored> ();
    format.mark_changed (info.name);
    return format;
  }

  bool keeps_noise () const override { return true; }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    const auto lanes = sizing.input_layouts[0].lanes;
    add_bytes (bill, "numbers of columns",
               static_cast<size_t> (lanes * columns) * (sizeof (Bridge) + 8 * sizeof (double)));
    if (offsets)
      return offsets->memory (lanes, sizing.threads, bill);
    if (wavelets)
      return wavelets->memory (lanes, sizing.threads, bill);
    const auto group = static_cast<size_t> (lanes * angles * columns);
    add_pages (bill, strips_item, group * sizeof (int32_t));
    add_pages (bill, order_item, group * sizeof (uint16_t));
    add_pages (bill, scratch_item, std::max (sorting_scratch (angles), medians_scratch (settings.widest ())),
               static_cast<size_t> (sizing.threads));
  }

  double seconds (const Device &, int threads) const override { return values * 2e-8 / threads; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (offsets)
      return std::make_unique<OffsetRemover> (replica, settings, mirrored, *offsets);
    if (wavelets)
      return std::make_unique<WaveletRemover> (replica, settings, mirrored, *wavelets);
    return std::make_unique<Remover> (replica, settings, mirrored);
  }

private:
  static constexpr int most_angles = 65536; // the sort stores angles as 16 bits

  int64_t angles = 0, columns = 0;
  double values = 0; // number of values in the whole stream
  std::optional<Offsets> offsets;
  std::optional<WaveletFourier> wavelets;
  std::shared_ptr<Mirrored> mirrored; // sums of removed values in the current run

  static void check_odd (const char *property, int size)
  {
    if (size % 2 == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%d is even: give %d or %d", property, size, size - 1, size + 1);
  }
};

} // namespace

SINO_REGISTER (RemoveStripes)

} // namespace sino::remove_stripes
