// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/mirror.hpp"
#include <numbers>

namespace sino::find_axis {

namespace {

using std::numbers::pi;
constexpr int64_t coarse_columns = 256, fine_columns = 1024;
constexpr double farthest = 16; // columns: if values at the border move farther per step, extrapolation is impossible
constexpr int64_t tile = 64;    // columns that a thread adds up

// Values of the rows in bins; a multiple of lines of the cache.
int64_t binned_values (const Turn &turn, const Level &level)
{
  return round_up (std::ssize (turn.rows) * level.columns, int64_t{16});
}

} // namespace

Mirrors::Mirrors (const Turn &t, int64_t n, std::byte *memory, const Cpu &c)
    : turn (t), columns (n), number (std::ssize (turn.rows)), coarse (columns, coarse_columns),
      fine (columns, fine_columns), cpu (c), few (reinterpret_cast<float *> (memory)),
      all (few + binned_values (turn, coarse)), spectra (reinterpret_cast<Complex *> (all + binned_values (turn, fine)))
{
}

size_t Mirrors::pages (const Turn &turn, int64_t columns)
{
  const Level coarse (columns, coarse_columns), fine (columns, fine_columns);
  const auto frequencies = std::max (coarse.frequencies, fine.frequencies);
  return static_cast<size_t> (binned_values (turn, coarse) + binned_values (turn, fine)) * sizeof (float) +
         static_cast<size_t> (frequencies * spectrum_stride (std::ssize (turn.rows))) * sizeof (Complex);
}

void Mirrors::memory (const Turn &turn, int64_t columns, int threads, size_t together, Bill &bill)
{
  const Level coarse (columns, coarse_columns), fine (columns, fine_columns);
  const auto around = 2 * turn.half, finely = Level::fine * fine.length;
  const auto line = static_cast<size_t> (columns) * sizeof (float);
  const auto group = Lines::bytes (fine.length) + static_cast<size_t> (group_values (fine)) * sizeof (Complex);
  add_bytes (bill, "transforms of rows", group + Lines::bytes (around) + line, static_cast<size_t> (threads));
  add_bytes (bill, "comparing mirror images",
             Lines::bytes (finely) + static_cast<size_t> (fine.frequencies) * 96 + 16 * line +
                 turn.rows.size () / static_cast<size_t> (lines_at_once) * sizeof (int64_t),
             together);
  size_t tables = Fft::plan_bytes (around);
  for (const auto &level : {coarse, fine})
    tables += Fft::plan_bytes (level.length) + Fft::plan_bytes (Level::fine * level.length);
  add_bytes (bill, "tables of transforms", tables);
}

void Mirrors::take (const float *sinogram) const
{
  cpu.parallel (number, 16, [&] (int64_t begin, int64_t end) {
    std::vector<float> mixed (static_cast<size_t> (columns));
    for (int64_t t = begin; t < end; t++) {
      const auto &mix = turn.rows[static_cast<size_t> (t)];
      const auto *row = sinogram + mix.first * columns;
      if (mix.share != 0) {
        mix_lines (row, sinogram + mix.second * columns, mix.share, columns, mixed.data ());
        row = mixed.data ();
      }
      bin_line (row, coarse.bin, coarse.columns, few + t * coarse.columns);
      bin_line (row, fine.bin, fine.columns, all + t * fine.columns);
    }
  });
}

// The mean of each column over a full turn equals its own mirror image. Without it, stationary stripes and the smooth
// part of a wide object, which would match anywhere, are gone.
std::vector<float> Mirrors::means (const Level &level, const float *rows) const
{
  std::vector<float> list (static_cast<size_t> (level.columns));
  cpu.parallel (divide_up (level.columns, tile), 1, [&] (int64_t first, int64_t last) {
    const auto begin = first * tile, end = std::min (last * tile, level.columns);
    std::vector<double> sums (static_cast<size_t> (end - begin));
    for (int64_t t = 0; t < number; t++)
      add_line (rows + t * level.columns + begin, end - begin, sums.data ());
    for (auto c = begin; c < end; c++)
      list[static_cast<size_t> (c)] =
          static_cast<float> (sums[static_cast<size_t> (c - begin)] / static_cast<double> (number));
  });
  return list;
}

std::optional<Match> Mirrors::find (Method method) const
{
  const bool whole = method == Method::opposites && turn.whole ();
  if (method == Method::opposites && turn.opposites () == 0 &&
      pi / static_cast<double> (turn.half) * 0.5 * static_cast<double> (columns) > farthest)
    return {};
  if (coarse.columns < 8)
    return {};
  const auto means_of = [&] (const Level &level, const float *rows) {
    return whole ? means (level, rows) : std::vector<float> ();
  };
  std::optional<Match> first;
  {
    const auto off = means_of (coarse, few);
    const Guesses guesses (turn, coarse, few, off, spectra, cpu);
    const auto guess = [&] (double share) {
      const auto match = guesses.improve (method, share * static_cast<double> (coarse.columns));
      if (match && (!first || match->weight > first->weight))
        first = match;
    };
    guess (0.5);
    if (whole)
      for (const double share : {0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9})
        guess (share);
    else if (first && first->coherence < 0.5)
      for (const double share : {0.3, 0.7})
        guess (share);
  }
  if (!first)
    return {};
  const auto off = means_of (fine, all);
  auto match = Guesses (turn, fine, all, off, spectra, cpu)
                   .improve (method, first->axis * static_cast<double> (coarse.bin) / static_cast<double> (fine.bin));
  if (match) {
    match->axis *= static_cast<double> (fine.bin);
    match->error *= static_cast<double> (fine.bin);
  }
  return match;
}

} // namespace sino::find_axis
