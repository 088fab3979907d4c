// SPDX-License-Identifier: LGPL-3.0-or-later
// The time of a device among workers whose kernels run at the same time.
#include "device/opencl/time-shares.hpp"
#include <algorithm>
#include <cmath>
#include <glib.h>
#include <random>

namespace sino::test::time_shares_test {

namespace {

struct Kernel {
  size_t worker;
  uint64_t begin, end;
};

std::vector<double> charged (const std::vector<Kernel> &kernels, size_t workers)
{
  TimeShares shares;
  std::vector<std::shared_ptr<TimeShares::Account>> accounts;
  for (size_t i = 0; i < workers; i++)
    accounts.push_back (shares.open ());
  for (const auto &[worker, begin, end] : kernels)
    shares.charge (accounts[worker], begin, end);
  std::vector<double> result;
  for (const auto &account : accounts)
    result.push_back (account->nanoseconds ());
  return result;
}

// The same, nanosecond by nanosecond.
std::vector<double> truth (const std::vector<Kernel> &kernels, size_t workers, uint64_t end)
{
  std::vector<double> result (workers);
  for (uint64_t t = 0; t < end; t++) {
    const auto runs = [t] (const Kernel &kernel) { return kernel.begin <= t && t < kernel.end; };
    const auto n = static_cast<double> (std::ranges::count_if (kernels, runs));
    for (const auto &kernel : kernels)
      if (runs (kernel))
        result[kernel.worker] += 1 / n;
  }
  return result;
}

void test_few ()
{
  g_assert_true (charged ({{0, 10, 20}, {0, 20, 25}, {0, 40, 40}, {0, 8, 7}}, 1) == std::vector<double>{15});
  g_assert_true (charged ({{0, 10, 20}, {1, 10, 20}}, 2) == (std::vector<double>{5, 5}));
  g_assert_true (charged ({{0, 10, 20}, {1, 14, 16}}, 2) == (std::vector<double>{9, 1}));
  g_assert_true (charged ({{0, 10, 20}, {1, 0, 12}}, 2) == (std::vector<double>{9, 11})); // the later one came first
}

// Kernels of four workers, which tell of theirs late by up to some kernels.
void test_many ()
{
  std::mt19937 random (1);
  constexpr size_t workers = 4;
  std::vector<Kernel> kernels;
  uint64_t last = 0;
  for (size_t worker = 0; worker < workers; worker++)
    for (uint64_t t = 5000 + random () % 50; t < 9000;) { // the first one that is told of began early
      const auto end = t + 1 + random () % 40;
      kernels.push_back ({worker, t, end});
      last = std::max (last, end);
      t = end + random () % 30;
    }
  std::ranges::sort (kernels, {}, &Kernel::end);
  for (size_t i = 1; i + 8 < kernels.size (); i += 8)
    std::shuffle (kernels.begin () + static_cast<std::ptrdiff_t> (i),
                  kernels.begin () + static_cast<std::ptrdiff_t> (i + 8), random);
  kernels.insert (kernels.begin (), {0, 4000, 4001});
  const auto wanted = truth (kernels, workers, last), got = charged (kernels, workers);
  for (size_t i = 0; i < workers; i++)
    g_assert_cmpfloat (std::abs (wanted[i] - got[i]), <, 1e-6);
}

// A long run keeps only the last spans, and loses no time.
void test_long ()
{
  std::vector<Kernel> kernels;
  for (uint64_t i = 0; i < 20000; i++)
    kernels.push_back ({i % 2, 10 * i, 10 * i + 10});
  kernels.push_back ({1, 0, 5}); // far too late
  g_assert_true (charged (kernels, 2) == (std::vector<double>{100000, 100005}));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/time-shares/few", test_few);
  g_test_add_func ("/time-shares/many", test_many);
  g_test_add_func ("/time-shares/long", test_long);
  return g_test_run ();
}

} // namespace sino::test::time_shares_test
