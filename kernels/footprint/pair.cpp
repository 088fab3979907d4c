// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/footprint/pair.hpp"
#include <algorithm>
#include <array>

namespace sino::footprint {

namespace {

constexpr char work_item[] = "shadows of a thread";

// A group of neighbouring views and its projections.
template <class Value> struct Group {
  std::array<Value *, views_together> all{};
  size_t first, count;

  Group (const Scene &scene, Interval views, Value *projections, int64_t begin, int64_t end)
      : first (static_cast<size_t> (views.begin + begin)), count (static_cast<size_t> (end - begin))
  {
    for (size_t i = 0; i < count; i++)
      all[i] = projections + (begin + static_cast<int64_t> (i)) * scene.bins ();
  }
  std::span<Value *const> projections () const { return {all.data (), count}; }
};

} // namespace

Pair::Pair (const Scene &s, const Cpu &c, const Monitor &m, Allotment &memory)
    : scene (s), cpu (c), monitor (m), allotment (memory)
{
}

void Pair::memory (const Scene &scene, int threads, Bill &bill)
{
  add_pages (bill, work_item, memory_of_thread (scene), static_cast<size_t> (threads));
}

void Pair::forward (const float *volume, Interval views, float *projections) const
{
  const auto usual = static_cast<int64_t> (views_together);
  const auto together = std::clamp<int64_t> (views.size () / (3 * cpu.threads ()), 1, usual);
  cpu.parallel (divide_up (views.size (), together), 1, [&] (int64_t begin, int64_t end) {
    const auto work = allotment.take (work_item);
    for (auto n = begin; n < end; n++) {
      const Group group (scene, views, projections, n * together, std::min ((n + 1) * together, views.size ()));
      for (auto *projection : group.projections ())
        std::fill_n (projection, scene.bins (), 0.0F);
      for (int64_t tile = 0; tile < scene.tiles (); tile++) {
        monitor.check ();
        project (scene, tile, group.first, group.projections (), volume, work.as ());
      }
    }
  });
  lengthen (views, projections);
}

void Pair::adjoint (float *projections, Interval views, float *volume) const
{
  lengthen (views, projections);
  back_project (projections, views, volume);
}

void Pair::back_project (const float *projections, Interval views, float *volume) const
{
  const auto together = static_cast<int64_t> (views_together);
  cpu.parallel (scene.tiles (), 1, [&] (int64_t begin, int64_t end) {
    const auto work = allotment.take (work_item);
    for (auto tile = begin; tile < end; tile++)
      for (int64_t n = 0; n < views.size (); n += together) {
        monitor.check ();
        const Group<const float> group (scene, views, projections, n, std::min (n + together, views.size ()));
        footprint::back_project (scene, tile, group.first, group.projections (), volume, work.as ());
      }
  });
}

void Pair::lengthen (Interval views, float *projections) const
{
  cpu.parallel (views.size (), 1, [&] (int64_t begin, int64_t end) {
    for (auto v = begin; v < end; v++)
      for (int64_t u = 0; u < scene.columns; u++)
        multiply_lengths (scene, scene.sights[static_cast<size_t> (views.begin + v)], u,
                          projections + v * scene.bins () + u * scene.column);
  });
}

} // namespace sino::footprint
