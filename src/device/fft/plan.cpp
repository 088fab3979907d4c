// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/fft/plan.hpp"
#include "base/divide-up.hpp"
#include <cmath>
#include <numbers>

namespace sino {

namespace {

constexpr int odd_radices[] = {3, 5, 7};

// As few powers of two as possible, as equal as possible, larger ones first; then odd radices.
std::vector<int> radices_of_rows (int64_t rows, int largest)
{
  std::vector<int> radices;
  int power = 0, largest_power = 0;
  for (; rows % 2 == 0; rows /= 2)
    power++;
  while (2 << largest_power <= largest)
    largest_power++;
  for (int left = (power + largest_power - 1) / largest_power; left > 0; left--) {
    const int next = (power + left - 1) / left;
    radices.push_back (1 << next);
    power -= next;
  }
  for (const int radix : odd_radices)
    for (; rows % radix == 0; rows /= radix)
      radices.push_back (radix);
  return radices;
}

double angle (int64_t k, int64_t n)
{
  return -2 * std::numbers::pi * static_cast<double> (k % n) / static_cast<double> (n);
}

std::vector<float> turns_of_pass (int radix, int64_t before)
{
  std::vector<float> turns;
  turns.reserve (static_cast<size_t> (2 * before * (radix - 1)));
  for (int64_t k = 0; k < before; k++)
    for (int j = 1; j < radix; j++) {
      turns.push_back (static_cast<float> (std::cos (angle (j * k, before * radix))));
      turns.push_back (static_cast<float> (std::sin (angle (j * k, before * radix))));
    }
  return turns;
}

} // namespace

bool FftPlan::covers (int64_t length)
{
  if (length < 16 || length % 4 != 0)
    return false;
  for (const int radix : {2, 3, 5, 7})
    while (length % radix == 0)
      length /= radix;
  return length == 1;
}

int64_t FftPlan::good_length (int64_t at_least)
{
  int64_t power = 1;
  while (power < at_least)
    power *= 2;
  const auto five = power / 8 * 5;
  return five >= at_least ? five : power;
}

FftPlan::FftPlan (int64_t length, const FftKernel &k) : kernel (k)
{
  const int64_t most = kernel.lanes;
  lanes = length % most == 0 && length >= most * most ? kernel.lanes : 4;
  rows = length / lanes;
  int64_t before = 1;
  for (const int radix : radices_of_rows (rows, kernel.largest_radix)) {
    passes.push_back ({radix, before, before > 1 ? turns_of_pass (radix, before) : std::vector<float> ()});
    before *= radix;
  }
  turns.reserve (static_cast<size_t> (2 * length));
  for (int64_t row = 0; row < rows; row++)
    for (const int part : {0, 1})
      for (int column = 0; column < lanes; column++) {
        const double turn = angle (row * column, length);
        turns.push_back (static_cast<float> (part == 0 ? std::cos (turn) : std::sin (turn)));
      }
}

} // namespace sino
