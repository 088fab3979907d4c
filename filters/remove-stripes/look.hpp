// SPDX-License-Identifier: LGPL-3.0-or-later
// The values that a block loses: a few angles of its first sinogram show which columns are stripes.
#pragma once
#include "filters/remove-stripes/mirrored.hpp"
#include "glue/task.hpp"
#include "kernels/remove-stripes/shape.hpp"
#include <memory>

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

// Passes on what workers removed, and the message about it.
class Looks
{
public:
  Looks (Messages &m, std::shared_ptr<Mirrored> s) : messages (m), mirrored (std::move (s)) {}

  void add (std::span<const double> taken)
  {
    if (const auto told = mirrored->add (taken); !told.empty ())
      messages.add (told);
  }

private:
  Messages &messages;
  const std::shared_ptr<Mirrored> mirrored;
};

} // namespace sino::remove_stripes
