// SPDX-License-Identifier: LGPL-3.0-or-later
// Whole images through a filter in both frequencies: padded by what is at their edges, rows transformed, then columns,
// filtered, and back. The spectrum takes about as many bytes as the padded image, once for all threads.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "device/fft.hpp"
#include "stream/rows.hpp"
#include <functional>
#include <vector>

namespace sino::retrieve_phase {

struct Plane {
  int64_t rows, columns;                      // of an image
  int64_t height, width;                      // padded
  int64_t half () const { return width / 2; } // columns of the spectrum
  // From one row of the spectrum, or column of a thread's, to the next, in floats: aligned, and apart in the caches.
  int64_t row_stride () const { return (width + 31) / 16 * 16; }
  int64_t column_stride () const { return (2 * height + 31) / 16 * 16; }

  // Padded by `reach` values, or by as many as there are where these are fewer, and to a good length.
  Plane (int64_t image_rows, int64_t image_columns, double reach);
  // Of a worker, and of what workers share.
  void memory (size_t threads, Bill &bill) const;
  void shared_memory (Bill &bill) const;
};

class PlaneFilter
{
public:
  // `response`: of the squared frequency in cycles per pixel.
  PlaneFilter (const Plane &plane, const std::function<double (double squared)> &response, const Cpu &cpu);

  static int64_t column_floats (const Plane &plane); // of a thread

  // A row of the image, from and to which values are brought: `load` fills it, `store` gets it filtered.
  using Load = std::function<void (int64_t row, float *to)>;
  using Store = std::function<void (int64_t row, const float *filtered)>;
  // `wanted`: rows that are stored. Both are called from several threads.
  void run (const Cpu &cpu, Allotment &memory, const Load &load, Interval wanted, const Store &store) const;

private:
  Plane size;
  Fft along_rows, along_columns;
  std::vector<float> responses; // [column][row], frequencies 0 to the highest of both

  struct Columns; // that a thread works on
  void filter (float *spectrum, int64_t first, const Columns &work) const;
};

} // namespace sino::retrieve_phase
