// SPDX-License-Identifier: LGPL-3.0-or-later
// Divides the time of a device among the workers whose kernels run there. Kernels of several queues that run at the
// same time share the device, so each of them takes longer than alone: while n run, each is charged 1/n of the time.
// The sum over all workers is the time in which the device was busy.
#pragma once
#include "base/visibility.hpp"
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace sino {

class SINO_VISIBLE TimeShares
{
public:
  // Nanoseconds that a worker is charged. They may fall, when kernels of others turn out to have run at the same time.
  class SINO_VISIBLE Account
  {
  public:
    double nanoseconds () const;

  private:
    friend TimeShares;
    explicit Account (TimeShares &s) : shares (s) {}
    TimeShares &shares;
    double charged = 0;
  };
  std::shared_ptr<Account> open () { return std::shared_ptr<Account> (new Account (*this)); }

  // Charges a kernel that ran from `begin` to `end`, in nanoseconds of the device's clock. Kernels of one worker do not
  // overlap. The order of calls does not matter, unless thousands of kernels come between.
  void charge (const std::shared_ptr<Account> &account, uint64_t begin, uint64_t end);

private:
  struct Span { // in which the same kernels run
    uint64_t begin, end;
    std::vector<std::shared_ptr<Account>> accounts;
  };
  static constexpr size_t most_spans = 4096;

  mutable std::mutex mutex;
  std::deque<Span> spans; // in order of time, disjoint, without gaps: some have no kernels

  size_t cut (uint64_t at);
};

} // namespace sino
