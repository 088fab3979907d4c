// SPDX-License-Identifier: LGPL-3.0-or-later
// Coarse slices of a few rows of a scan, in any geometry whose rays lie nearly in the plane of rotation.
#pragma once
#include "device/cpu.hpp"
#include "filters/beam-hardening/flatness.hpp"
#include "filters/cone/weighing.hpp"
#include "filters/ramp-filter/row-filter.hpp"
#include "kernels/volume.hpp"
#include <memory>

namespace sino::beam_hardening {

class RoughScan
{
public:
  // At most `rows` rows. Throws Error if the geometry does not suit.
  RoughScan (const Format &scan, int64_t rows);

  const std::vector<int64_t> &rows () const { return list; } // rising
  int64_t projections () const { return angles; }
  int64_t bins () const { return columns; }
  int64_t size () const { return volume.columns; } // pixels along an edge of a slice
  // The index among the projections of a projection of the scan; -1 if it is left out.
  int64_t place (int64_t projection) const { return projection % stride == 0 ? projection / stride : -1; }
  // The number of columns that are one bin.
  int64_t width () const { return bin; }

  // Slices [y][x][power] of bins [power][projection][bin]. They do not depend on the number of threads.
  std::vector<float> slices (const float *values, const Cpu &cpu, const Monitor &monitor) const;
  size_t bytes (int threads) const; // needed for that

private:
  int64_t bin = 1, stride = 1, columns = 0, angles = 0;
  std::vector<int64_t> list;
  cone::Weighing weighing;
  struct Sight {
    Matrix matrix;
    double weight;
  };
  std::vector<Sight> sights;
  kernels::Volume volume{};
  std::unique_ptr<const ramp_filter::RowFilter> filter;

  size_t work_floats () const;
  void filter_rows (int64_t projection, const float *values, float *work, float *shares, float *out) const;
  void add_line (const Sight &sight, const float *row, int64_t y, float *line) const;
};

} // namespace sino::beam_hardening
