// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds percentiles of a whole stream, as limits of grey values.
#include "base/error.hpp"
#include "filters/rescale/limits.hpp"
#include "glue/module.hpp"
#include "glue/task.hpp"
#include "kernels/flat-field/correct.hpp"
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace sino::percentiles {
namespace {

// Counts floats by their first 22 bits, so that the values in a bin differ by at most 1/8192 of themselves. Each
// thread has its own table; a few threads are as fast as the source of the values.
class Histogram
{
public:
  static constexpr int most_tables = 4;
  static constexpr size_t table_bytes = (size_t{1} << 22) * sizeof (int64_t);

  Histogram (Allotment &memory, int threads) : tables (static_cast<size_t> (std::min (threads, most_tables)))
  {
    for (auto &table : tables) {
      table.memory = memory.take (item);
      std::memset (table.memory.as<> (), 0, table_bytes);
    }
  }

  static constexpr char item[] = "histogram of a thread";

  int64_t size () const { return std::ssize (tables); }

  // A table belongs to one thread. Only finite values count; zeros only if `zeros`.
  void add (int64_t table, const float *values, int64_t n, bool zeros)
  {
    auto &to = tables[static_cast<size_t> (table)];
    auto *counts = to.memory.as<int64_t> ();
    for (int64_t i = 0; i < n; i++)
      if (const float value = values[i]; std::isfinite (value) && (zeros || value != 0)) {
        counts[key (value)]++;
        to.least = std::min (to.least, value);
        to.greatest = std::max (to.greatest, value);
      }
  }

  // Call it once, after all values.
  std::pair<double, double> percentiles (double low, double high)
  {
    auto &all = tables[0];
    for (size_t i = 1; i < tables.size (); i++)
      add (tables[i], all);
    int64_t total = 0;
    for (size_t bin = 0; bin < table_bytes / sizeof (int64_t); bin++)
      total += all.memory.as<int64_t> ()[bin];
    return {at (low / 100, total), at (high / 100, total)};
  }

private:
  struct Table {
    Allotment::Piece memory;
    float least = INFINITY, greatest = -INFINITY;
  };
  static constexpr uint32_t low_bits = 0x3ff, sign = 0x80000000;
  std::vector<Table> tables;

  static void add (const Table &from, Table &to)
  {
    for (size_t bin = 0; bin < table_bytes / sizeof (int64_t); bin++)
      to.memory.as<int64_t> ()[bin] += from.memory.as<const int64_t> ()[bin];
    to.least = std::min (to.least, from.least);
    to.greatest = std::max (to.greatest, from.greatest);
  }

  // The value below which a share of all values lies, interpolated linearly between two values as NumPy does.
  double at (double share, int64_t total) const
  {
    if (total == 0)
      return NAN;
    const double rank = share * static_cast<double> (total - 1), before = std::floor (rank);
    const double low = of_rank (static_cast<int64_t> (before), total);
    return rank == before ? low : low + (rank - before) * (of_rank (static_cast<int64_t> (before) + 1, total) - low);
  }

  // Value of a rank, counted from 0, from the first table. Values in a bin are assumed to be evenly spread.
  double of_rank (int64_t rank, int64_t total) const
  {
    const auto &all = tables[0];
    const auto least = static_cast<double> (all.least), greatest = static_cast<double> (all.greatest);
    if (rank <= 0 || rank >= total - 1)
      return rank <= 0 ? least : greatest;
    const auto *counts = all.memory.as<const int64_t> ();
    int64_t before = 0;
    size_t bin = 0;
    while (before + counts[bin] <= rank)
      before += counts[bin++];
    const auto first = static_cast<double> (value_of (bin, 0)), last = static_cast<double> (value_of (bin, low_bits));
    const auto part = static_cast<double> (rank - before) / static_cast<double> (counts[bin]);
    return std::clamp (first + (last - first) * part, least, greatest);
  }

  // Keys have the order of the values.
  static size_t key (float value)
  {
    const auto bits = std::bit_cast<uint32_t> (value + 0.0f); // makes -0 and 0 equal
    return (bits & sign ? ~bits : bits | sign) >> 10;
  }
  static float value_of (size_t bin, uint32_t low)
  {
    const auto bits = static_cast<uint32_t> (bin) << 10;
    return std::bit_cast<float> (bits & sign ? (bits | low) ^ sign : ~(bits | low));
  }
};

class Finder final : public Worker
{
public:
  Finder (const Replica &replica, std::pair<double, double> b)
      : cpu (replica.cpu), memory (replica.memory), zeros (replica.inputs[0]->kind () != Kind::slices), between (b)
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    Block out = output->next ();
    Histogram histogram (memory, cpu.threads ());
    while (const Block in = inputs[0]->pop ())
      add (in, histogram);
    const auto [low, high] = histogram.percentiles (between.first, between.second);
    if (std::isnan (low))
      fail (SINO_ERROR_BAD_FILE,
            zeros ? "all of its values are NaN or infinite" : "all slices are zero, NaN or infinite");
    out.as<float> ()[0] = static_cast<float> (low);
    out.as<float> ()[1] = static_cast<float> (high);
    output->push (std::move (out));
  }

private:
  const Cpu &cpu;
  Allotment &memory;
  const bool zeros; // whether zeros count
  const std::pair<double, double> between;

  void add (const Block &in, Histogram &histogram) const
  {
    const auto element = in.format ().element;
    const auto tables = histogram.size ();
    cpu.parallel (tables, 1, [&] (int64_t begin, int64_t end) {
      std::array<float, 1024> values;
      for (auto i = in.values () * begin / tables; i < in.values () * end / tables; i += std::ssize (values)) {
        const auto n = std::min (std::ssize (values), in.values () * end / tables - i);
        flat_field::widen (element, in.data () + static_cast<size_t> (i) * size_of (element), n, values.data ());
        histogram.add (begin, values.data (), n, zeros);
      }
    });
  }
};

class Percentiles final : public Task
{
public:
  static constexpr Info info{"percentiles", "Find the two values between which most values of a stream lie"};
  static constexpr Signature signature{.takes = {image_kinds, any_element}, .gives = {Kind::other, Element::f32}};

  std::string between = rescale::usual_percentiles;

  static constexpr Property properties[] = {
      prop<&Percentiles::between> ("between", "Two percentiles from 0 to 100, the lower one first"),
  };

  Format negotiate (std::span<const Format *const>) override
  {
    parsed = rescale::parse_percentiles ("between", between);
    Format two;
    two.axes = {{Axis::row, 1}, {Axis::column, 2}};
    return two;
  }

  Rows demand (size_t, const Format &input, const Rows &) const override { return {0, input.rows ()}; }
  bool collects (size_t) const override { return true; }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    add_pages (bill, Histogram::item, Histogram::table_bytes,
               static_cast<size_t> (std::min (sizing.threads, Histogram::most_tables)));
  }
  std::unique_ptr<Worker> start (const Replica &replica) override { return std::make_unique<Finder> (replica, parsed); }

private:
  std::pair<double, double> parsed;
};

} // namespace

SINO_REGISTER (Percentiles)

} // namespace sino::percentiles
