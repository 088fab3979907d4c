// SPDX-License-Identifier: LGPL-3.0-or-later
// The values that a block loses: a few angles of its first sinogram show which columns are stripes.
#pragma once
#include "filters/remove-stripes/mirrored.hpp"
#include "glue/task.hpp"
#include "kernels/remove-stripes/shape.hpp"
#include <map>
#include <memory>
#include <mutex>

namespace sino::remove_stripes {

// Distance of the angles that are looked at.
inline int64_t look_step (int64_t angles)
{
  constexpr int64_t at_most = 64;
  return 1 + angles / at_most;
}

// The values that were removed from each column of the first sinogram of a group.
inline std::vector<double> taken_from (const Shape &shape, const float *in, const float *out)
{
  std::vector<double> taken (static_cast<size_t> (shape.columns / shape.lanes));
  for (int64_t a = 0; a < shape.angles; a += look_step (shape.angles))
    for (size_t c = 0; c < taken.size (); c++) {
      const auto i = a * shape.columns + static_cast<int64_t> (c) * shape.lanes;
      taken[c] += static_cast<double> (in[i]) - static_cast<double> (out[i]);
    }
  return taken;
}

// Passes on what a worker removed from its blocks, in their order, and the message about it. Any thread.
class Looks
{
public:
  Looks (Messages &m, std::shared_ptr<Mirrored> s) : messages (m), mirrored (std::move (s)) {}

  // `number`: that of the block, from 0.
  void add (int64_t number, std::vector<double> taken)
  {
    const std::lock_guard guard (mutex);
    early[number] = std::move (taken);
    for (; !early.empty () && early.begin ()->first == next; next++, early.erase (early.begin ()))
      if (const auto told = mirrored->add (early.begin ()->second); !told.empty ())
        messages.add (told);
  }

private:
  Messages &messages;
  const std::shared_ptr<Mirrored> mirrored;
  std::mutex mutex;
  std::map<int64_t, std::vector<double>> early; // of blocks that ended before earlier ones
  int64_t next = 0;
};

} // namespace sino::remove_stripes
