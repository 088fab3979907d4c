// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/remove-stripes/native.hpp"
#include "filters/remove-stripes/offsets.hpp"
#include "kernels/remove-stripes/columns.hpp"
#include "kernels/remove-stripes/detect.hpp"
#include "kernels/remove-stripes/medians.hpp"
#include "kernels/remove-stripes/sums.hpp"
#include <cmath>

namespace sino::remove_stripes {

namespace {

constexpr char strips_item[] = "values of a group of sinograms in order", order_item[] = "angles of its values",
               thread_item[] = "columns and medians of a thread";

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

// Sorts columns; keeps the order of the values in each column, and changes only the values.
class RankRemover final : public Remover
{
public:
  RankRemover (const Settings &s, int64_t a, int64_t c) : settings (s), angles (a), columns_ (c) {}

  void memory (int64_t lanes, int64_t threads, int64_t groups, Bill &bill) const override
  {
    const auto group = static_cast<size_t> (lanes * angles * columns_);
    add_pages (bill, strips_item, group * sizeof (int32_t), static_cast<size_t> (groups));
    add_pages (bill, order_item, group * sizeof (uint16_t), static_cast<size_t> (groups));
    add_pages (bill, thread_item, std::max (sorting_scratch (angles), medians_scratch (settings.widest ())),
               static_cast<size_t> (threads));
  }

  void remove (const Cpu &cpu, Allotment &memory, const Shape &shape, int64_t lanes, const float *in,
               float *out) const override
  {
    const auto strips_memory = memory.take (strips_item), order_memory = memory.take (order_item);
    const Work work{cpu, memory, settings, shape, lanes, strips_memory.as<int32_t> (), order_memory.as<uint16_t> ()};
    work.run (in, out);
  }

private:
  const Settings settings;
  const int64_t angles, columns_;

  // A group of sinograms.
  struct Work {
    const Cpu &cpu;
    Allotment &memory;
    const Settings &settings;
    const Shape shape;
    const int64_t lanes;
    int32_t *const strips;
    uint16_t *const order;

    void run (const float *in, float *out) const
    {
      const auto bridges = dead_bridges (cpu, settings, shape, lanes, in);
      columns ([&] (int64_t begin, int64_t end, void *scratch) {
        sort_columns (shape, in, bridges, begin, end, scratch, strips, order);
      });
      auto *const smooth = reinterpret_cast<int32_t *> (out); // the memory of the output is free until the end
      if (settings.finds_large ())
        correct_large (smooth);
      if (settings.smooths ())
        medians (settings.sm_size, strips);
      columns ([&] (int64_t begin, int64_t end, void *scratch) {
        restore_columns (shape, strips, order, begin, end, scratch, out);
      });
    }

    // --- the steps of the methods ---

    // Replaces columns that are much brighter or darker than their smoothed values by these, and scales others to the
    // smoothed mean.
    void correct_large (int32_t *smooth) const
    {
      medians (settings.la_size, smooth);
      const auto dropped = settings.dropped (shape.angles);
      std::vector<double> factors (static_cast<size_t> (shape.columns)), means (factors.size ());
      cpu.parallel (shape.columns, 32, [&] (int64_t begin, int64_t end) {
        mean_ranks (shape, strips, begin, end, dropped, factors.data ());
        mean_ranks (shape, smooth, begin, end, dropped, means.data ());
        for (auto c = begin; c < end; c++) {
          const auto i = static_cast<size_t> (c);
          factors[i] = c % shape.lanes < lanes && means[i] != 0 ? factors[i] / means[i] : 1;
        }
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

    void medians (int64_t size, int32_t *to) const
    {
      cpu.parallel (shape.strips () * lanes, 1, [&] (int64_t begin, int64_t end) {
        const auto scratch = memory.take (thread_item);
        for (auto i = begin; i < end; i++)
          medians_across (shape, i / lanes, i % lanes, size, strips, scratch.as<> (), to);
      });
    }

    // --- division of the work among threads ---

    template <class Body> void columns (Body body) const
    {
      cpu.parallel (shape.columns, 32, [&] (int64_t begin, int64_t end) {
        const auto scratch = memory.take (thread_item);
        body (begin, end, scratch.as<> ());
      });
    }
  };
};

class OffsetRemover final : public Remover
{
public:
  OffsetRemover (const Settings &s, int64_t angles, int64_t columns)
      : settings (s), offsets (angles, columns, s.sm_size)
  {
  }

  void memory (int64_t lanes, int64_t threads, int64_t groups, Bill &bill) const override
  {
    offsets.memory (lanes, threads, groups, bill);
  }

  void remove (const Cpu &cpu, Allotment &memory, const Shape &shape, int64_t lanes, const float *in,
               float *out) const override
  {
    offsets.remove (cpu, memory, shape, lanes, dead_bridges (cpu, settings, shape, lanes, in), in, out);
  }

private:
  const Settings settings;
  const Offsets offsets;
};

class WaveletRemover final : public Remover
{
public:
  WaveletRemover (const Settings &s, int64_t angles, int64_t columns)
      : settings (s), wavelets (s.for_wavelets (), angles, columns)
  {
  }

  void memory (int64_t lanes, int64_t threads, int64_t groups, Bill &bill) const override
  {
    wavelets.memory (lanes, threads, groups, bill);
  }

  void remove (const Cpu &cpu, Allotment &memory, const Shape &shape, int64_t lanes, const float *in,
               float *out) const override
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

private:
  const Settings settings;
  const WaveletFourier wavelets;

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

} // namespace

std::shared_ptr<const Remover> make_remover (const Settings &settings, int64_t angles, int64_t columns)
{
  switch (settings.method) {
  case Method::offset:
    return std::make_shared<OffsetRemover> (settings, angles, columns);
  case Method::wavelet_fourier:
    return std::make_shared<WaveletRemover> (settings, angles, columns);
  default:
    return std::make_shared<RankRemover> (settings, angles, columns);
  }
}

} // namespace sino::remove_stripes
