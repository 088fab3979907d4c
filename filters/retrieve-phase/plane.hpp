// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters whole images in both frequencies: pads them with their edge values, transforms rows, then columns,
// multiplies, and transforms back. A spectrum, shared by all threads that work on an image, needs about as many bytes
// as the image with padded rows. It is kept as columns: threads turn some rows at a time.
#pragma once
#include "device/bill.hpp"
#include "device/fft.hpp"
#include "device/work.hpp"
#include "stream/rows.hpp"
#include <functional>
#include <memory>
#include <vector>

namespace sino::retrieve_phase {

struct Plane {
  int64_t rows, columns;                      // size of an image
  int64_t height, width;                      // size with padding
  int64_t half () const { return width / 2; } // columns of the spectrum
  // Distances in floats between rows, and between columns of a spectrum, of the image's rows or with padding: aligned,
  // and in different cache sets.
  int64_t row_stride () const { return (width + 31) / 16 * 16; }
  int64_t spectrum_stride () const { return (2 * rows + 31) / 16 * 16; }
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

  // Number of images that threads filter together, of `images`: with many threads several small ones, so that loops are
  // long. Results do not depend on it.
  static int64_t together (const Plane &plane, int threads, int64_t images);
  int64_t together (int threads, int64_t images) const { return together (size, threads, images); }
  // Memory of a worker that has this number of spectra, each of `images` images.
  static void memory (const Plane &plane, size_t threads, size_t spectra, int64_t images, Bill &bill);
  static void shared_memory (const Plane &plane, Bill &bill);

  using Spectra = std::shared_ptr<const Allotment::Piece>;
  static Spectra take_spectra (Allotment &memory);

  // Access to rows of images: `load` fills a row, `store` receives the filtered one. Several threads call them.
  using Load = std::function<void (int64_t image, int64_t row, float *to)>;
  using Store = std::function<void (int64_t image, int64_t row, const float *filtered)>;
  struct Images {
    int64_t count;
    Interval wanted; // rows to store
    Load load;
    Store store;
  };
  // Adds loops that filter images together, to be run one after the other. Loops that run at the same time need spectra
  // of their own.
  void add_loops (std::vector<Loop> &loops, Allotment &memory, const Spectra &spectra, const Images &images) const;

private:
  Plane size;
  Fft along_rows, along_columns;
  const std::shared_ptr<const std::vector<float>> responses;

  struct Columns; // buffers of a thread
  void filter (std::complex<float> *spectrum, int64_t column, const Columns &buffers) const;
};

} // namespace sino::retrieve_phase
