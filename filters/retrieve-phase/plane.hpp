// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters whole images in both frequencies: pads them with their edge values, transforms rows, then columns,
// multiplies, and transforms back. The spectrum, shared by all threads, needs about as many bytes as the padded image.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "device/fft.hpp"
#include "stream/rows.hpp"
#include <functional>
#include <memory>
#include <vector>

namespace sino::retrieve_phase {

struct Plane {
  int64_t rows, columns;                      // size of an image
  int64_t height, width;                      // size with padding
  int64_t half () const { return width / 2; } // columns of the spectrum
  // Distances in floats between rows of the spectrum, and between a thread's columns: aligned, and in different cache
  // sets.
  int64_t row_stride () const { return (width + 31) / 16 * 16; }
  int64_t column_stride () const { return (2 * height + 31) / 16 * 16; }
  // Floats that a transform of a row or a column needs, aligned.
  int64_t row_work () const { return (2 * Fft::work_values (half ()) + 15) / 16 * 16; }
  int64_t column_work () const { return (2 * Fft::work_values (height) + 15) / 16 * 16; }

  // Number of factors of a filter: [column][row], frequencies from 0 to the highest.
  size_t responses () const { return static_cast<size_t> ((half () + 1) * (height / 2 + 1)); }

  // Pads by at least `reach` values, or by the size of the image if that is less, to a length that is fast to
  // transform.
  Plane (int64_t image_rows, int64_t image_columns, double reach);
};

// Factors of a filter, with the scale of the unnormalised transforms. `response`: a function of the squared frequency
// in cycles per pixel.
std::vector<float> responses_of (const Plane &plane, const std::function<double (double squared)> &response,
                                 const Cpu &cpu);

class PlaneFilter
{
public:
  PlaneFilter (const Plane &plane, std::shared_ptr<const std::vector<float>> responses);

  static void memory (const Plane &plane, size_t threads, Bill &bill); // memory of a worker
  static void shared_memory (const Plane &plane, Bill &bill);

  // Access to rows of the image: `load` fills a row, `store` receives the filtered one.
  using Load = std::function<void (int64_t row, float *to)>;
  using Store = std::function<void (int64_t row, const float *filtered)>;
  // `wanted`: rows to store. Several threads call `load` and `store`.
  void run (const Cpu &cpu, Allotment &memory, const Load &load, Interval wanted, const Store &store) const;

private:
  Plane size;
  Fft along_rows, along_columns;
  const std::shared_ptr<const std::vector<float>> responses;

  struct Columns; // buffers of a thread
  void filter (float *spectrum, int64_t first, const Columns &work) const;
};

} // namespace sino::retrieve_phase
