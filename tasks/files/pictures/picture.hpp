// SPDX-License-Identifier: LGPL-3.0-or-later
// A picture that is collected from slices in any order.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "tasks/files/convert.hpp"
#include "tasks/files/pictures/sheet.hpp"
#include <atomic>
#include <optional>
#include <vector>

namespace sino::files {

// Records which images or lines have come. Some come twice, if a device failed meanwhile.
class Arrivals
{
public:
  explicit Arrivals (int64_t n) : come (static_cast<size_t> (n)), left (n) {}

  // Whether number i comes for the first time. Any thread.
  bool first (int64_t i)
  {
    if (come[static_cast<size_t> (i)].exchange (true))
      return false;
    left--;
    return true;
  }
  int64_t missing () const { return left; }

private:
  std::vector<std::atomic<bool>> come;
  std::atomic<int64_t> left;
};

class Picture
{
public:
  virtual ~Picture () = default;

  // Adds to the bill: stored data and memory for drawing; memory of a worker.
  virtual void memory (Bill &bill) const = 0;
  virtual void memory_of_worker (Bill &, int /*threads*/) const {}
  // Estimated seconds for all slices; 0: estimated from the bytes.
  virtual double seconds () const { return 0; }

  // Allocates the memory.
  virtual void begin () = 0;
  // Takes each slice, from any thread; ignores slices that come again.
  void take (int64_t place, const std::byte *slice, const Cpu &cpu)
  {
    if (arrivals.first (place))
      add (place, slice, cpu);
  }
  int64_t missing () const { return arrivals.missing (); }

  // Draws the picture. If black or white is not given, it is found from the values in the picture.
  virtual Sheet draw (std::optional<double> black, std::optional<double> white, int bits) const = 0;

protected:
  const Conversion conversion; // conversion of slices to f32

  Picture (Element element, int64_t slices) : conversion (element, Element::f32, {}), arrivals (slices) {}

  virtual void add (int64_t place, const std::byte *slice, const Cpu &cpu) = 0;

private:
  Arrivals arrivals;
};

} // namespace sino::files
