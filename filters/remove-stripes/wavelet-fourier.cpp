// SPDX-License-Identifier: LGPL-3.0-or-later
// All steps are linear, so the inverse transform of only the stripes' coefficients gives the stripes.
#include "filters/remove-stripes/wavelet-fourier.hpp"
#include "base/divide-up.hpp"

namespace sino::remove_stripes {

namespace {
constexpr char levels_item[] = "wavelet coefficients of a group of sinograms",
               frequencies_item[] = "low frequencies of columns of a thread";
}

WaveletFourier::WaveletFourier (const WaveletSettings &settings, int64_t angles, int64_t columns)
    : bank (settings.moments), sigma (settings.sigma), planes{{angles, columns, 1}}
{
  for (int level = 0; level < settings.levels; level++) {
    const auto &finer = planes.back ();
    planes.push_back ({bank.halved (finer.angles), bank.halved (finer.columns), 1});
    passes.emplace_back (planes.back ().angles, sigma);
  }
}

// Largest intermediate plane. Planes shorter than a wavelet grow when they are halved.
int64_t WaveletFourier::between () const
{
  int64_t most = 0;
  for (size_t level = 1; level < planes.size (); level++)
    most = std::max (most, planes[level].angles * planes[level - 1].columns);
  return most;
}

int64_t WaveletFourier::values () const
{
  auto sum = between ();
  for (size_t level = 1; level < planes.size (); level++)
    sum += 2 * planes[level].values ();
  return sum;
}

void WaveletFourier::memory (int64_t lanes, int64_t threads, int64_t groups, Bill &bill) const
{
  add_pages (bill, levels_item, static_cast<size_t> (lanes * values ()) * sizeof (float), static_cast<size_t> (groups));
  add_pages (bill, frequencies_item, LowPass::scratch_bytes (std::max (planes[1].angles, planes.back ().angles), sigma),
             static_cast<size_t> (threads));
}

void WaveletFourier::remove (const Cpu &cpu, Allotment &memory, int64_t lanes, float *group) const
{
  const auto piece = memory.take (levels_item);
  auto *const halved = piece.as<float> ();
  struct Level {
    Plane plane;
    float *coarse, *fine;
  };
  std::vector<Level> levels{{{planes[0].angles, planes[0].columns, lanes}, group, nullptr}};
  auto *next = halved + lanes * between ();
  for (size_t l = 1; l < planes.size (); l++) {
    const Plane plane{planes[l].angles, planes[l].columns, lanes};
    levels.push_back ({plane, next, next + plane.values ()});
    next += 2 * plane.values ();
  }
  for (size_t l = 1; l < levels.size (); l++) {
    const auto &finer = levels[l - 1], &level = levels[l];
    const auto &plane = level.plane;
    cpu.parallel (plane.angles, 8, [&] (int64_t begin, int64_t end) {
      coarsen_angles (finer.plane, bank, finer.coarse, begin, end, halved);
      split_columns ({plane.angles, finer.plane.columns, lanes}, bank, halved, begin, end, level.coarse, level.fine);
    });
    const auto chunks = divide_up (plane.width (), LowPass::together);
    cpu.parallel (chunks, 1, [&] (int64_t begin, int64_t end) {
      const auto scratch = memory.take (frequencies_item);
      for (auto chunk = begin; chunk < end; chunk++)
        passes[l - 1].apply (plane.width (), chunk * LowPass::together,
                             std::min ((chunk + 1) * LowPass::together, plane.width ()), scratch.as<float> (),
                             level.fine);
    });
  }
  std::fill_n (levels.back ().coarse, levels.back ().plane.values (), 0.0f);
  for (auto l = levels.size () - 1; l > 0; l--) {
    const auto &finer = levels[l - 1], &level = levels[l];
    cpu.parallel (level.plane.angles, 8, [&] (int64_t begin, int64_t end) {
      join_columns ({level.plane.angles, finer.plane.columns, lanes}, bank, level.coarse, level.fine, begin, end,
                    halved);
    });
    const bool last = l == 1;
    cpu.parallel (finer.plane.angles, 8, [&] (int64_t begin, int64_t end) {
      const auto width = finer.plane.width ();
      if (!last)
        std::fill_n (finer.coarse + begin * width, (end - begin) * width, 0.0f);
      add_refined_angles (finer.plane, bank, halved, last ? -1.0f : 1.0f, begin, end, finer.coarse);
    });
  }
}

} // namespace sino::remove_stripes
