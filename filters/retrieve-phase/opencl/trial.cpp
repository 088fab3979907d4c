// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/opencl/trial.hpp"
#include "families/trial.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/retrieve-phase/opencl/maker.hpp"
#include "kernels/flat-field/correct.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::retrieve_phase {

namespace {

constexpr int64_t thin = 32;

// An image that fills half of the padded size, or less.
Plane plane_of (int64_t height, int64_t width)
{
  Plane plane (std::min<int64_t> (height / 2, 1001), std::min<int64_t> (width / 2, 1001), 0);
  plane.height = height;
  plane.width = width;
  return plane;
}

// Two images. Some values are not finite, and some results are clamped.
struct Trial {
  static constexpr int64_t images = 2, down = 3, across = 5; // distances by which images are moved

  const Plane plane;
  const Method method;
  const Interval wanted;
  int64_t replaced = 0, clamped = 0, odd = 0;

  Trial (const Plane &p, Method m) : plane (p), method (m), wanted{1, plane.rows - 2} {}

  // Adds to an image a quarter of each of four images, moved by both distances, cyclically in its padded size.
  std::vector<float> responses () const
  {
    const auto wave = [] (int64_t distance, int64_t n) {
      std::vector<double> values;
      for (int64_t k = 0; k <= n / 2; k++)
        values.push_back (
            std::cos (2 * std::numbers::pi * static_cast<double> (distance * k) / static_cast<double> (n)));
      return values;
    };
    const double scale = 1 / (static_cast<double> (plane.half ()) * static_cast<double> (plane.height));
    std::vector<float> all;
    all.reserve (plane.responses ());
    const auto of_rows = wave (across, plane.width), of_columns = wave (down, plane.height);
    for (const auto x : of_rows)
      for (const auto y : of_columns)
        all.push_back (static_cast<float> (scale * (1 + x * y)));
    return all;
  }

  // Planted values are so large that the results there are far below the least transmission.
  static float transmission (int64_t image, int64_t row, int64_t column)
  {
    const auto number = (image * 1001 + row) * 2003 + column;
    if (number % 331 == 7)
      return number % 2 ? NAN : INFINITY;
    return number % 503 == 11 ? -7 : 1 + 0.2f * families::noise (number);
  }

  std::vector<float> values () const
  {
    std::vector<float> all;
    for (int64_t image = 0; image < images; image++)
      for (int64_t row = 0; row < plane.rows; row++)
        for (int64_t column = 0; column < plane.columns; column++)
          all.push_back (transmission (image, row, column));
    return all;
  }

  std::vector<float> truth ()
  {
    std::vector<float> all;
    for (int64_t image = 0; image < images; image++) {
      int64_t strange = 0;
      for (int64_t row = 0; row < plane.rows; row++)
        for (int64_t column = 0; column < plane.columns; column++) {
          const auto value = transmission (image, row, column);
          replaced += !std::isfinite (value);
          strange += value <= 0 || value > 4;
          if (wanted.place (row) >= 0)
            all.push_back (result (image, row, column));
        }
      odd += 100 * strange > plane.rows * plane.columns;
    }
    return all;
  }

private:
  static int64_t inside (int64_t place, int64_t size, int64_t padded)
  {
    place = (place + padded) % padded;
    return place < size ? place : place < size + (padded - size) / 2 ? size - 1 : 0;
  }

  float loss (int64_t image, int64_t row, int64_t column) const
  {
    row = inside (row, plane.rows, plane.height);
    column = inside (column, plane.columns, plane.width);
    auto from = column;
    while (from > 0 && !std::isfinite (transmission (image, row, from)))
      from--;
    while (!std::isfinite (transmission (image, row, from)))
      from++;
    return 1 - transmission (image, row, from);
  }

  float result (int64_t image, int64_t row, int64_t column)
  {
    float filtered = loss (image, row, column);
    for (const auto y : {row - down, row + down})
      for (const auto x : {column - across, column + across})
        filtered += loss (image, y, x) / 4;
    if (method != Method::paganin && method != Method::bronnikov_aided)
      return filtered;
    const auto own = transmission (image, row, column),
               value = method == Method::paganin ? 1 - filtered : own / (own + filtered);
    clamped += value < flat_field::least_transmission;
    return std::isfinite (value) ? -std::log (std::max (value, flat_field::least_transmission)) : value;
  }
};

double error_of (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem,
                 const Plane &plane)
{
  Trial trial (plane, static_cast<Method> (problem["method"]));
  const auto values = trial.values (), truth = trial.truth (), responses = trial.responses ();
  std::vector<float> got (truth.size ());
  Bill bill;
  retrieval_memory (device, setting, trial.plane, Trial::images, bill);
  Allotment memory (bill);
  const auto retrieval = make_retrieval ({.device = device,
                                          .setting = setting,
                                          .problem = problem,
                                          .plane = trial.plane,
                                          .responses = responses,
                                          .memory = memory});
  bool counted = false;
  families::compute (device, std::as_bytes (std::span (values)), std::as_writable_bytes (std::span (got)),
                     [&] (auto &queue, auto &in, auto &out) {
                       retrieval->enqueue (queue, {in, Trial::images, trial.wanted, out});
                       counted = retrieval->replaced (queue) == trial.replaced &&
                                 retrieval->clamped (queue) == trial.clamped && retrieval->odd (queue) == trial.odd;
                     });
  return counted ? point::largest_error (got, truth) : 1;
}

} // namespace

std::array<Plane, 2> trial_planes (const families::Problem &problem)
{
  return {plane_of (thin, problem["width"]), plane_of (problem["height"], thin)};
}

double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem)
{
  double most = 0;
  for (const auto &plane : trial_planes (problem))
    most = std::max (most, error_of (device, setting, problem, plane));
  return most;
}

} // namespace sino::retrieve_phase
