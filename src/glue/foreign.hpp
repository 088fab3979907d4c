// SPDX-License-Identifier: LGPL-3.0-or-later
// Tasks written in C, Python or another language, as tasks of the runtime.
#pragma once
#include "api/sino-task.h"
#include "base/pointers.hpp"
#include "glue/task.hpp"
#include <atomic>

namespace sino {

// What such a task says of itself when it is made.
struct ForeignTraits {
  SinoFlow flow = SINO_FLOW_POINT;
  std::vector<Port> inputs{{"data"}}; // names are interned
  bool replicable = false;
  std::atomic<bool> settled{}; // others rely on all of this: it changes no more
  std::atomic_flag running{};  // a run has it
  std::atomic_flag negotiating{};
};

ForeignTraits &foreign_traits (SinoTask *task);

class ForeignTask final : public Task
{
public:
  explicit ForeignTask (SinoTask *task);
  ~ForeignTask () override;

  std::span<const Port> inputs () const override;
  bool has_output () const override;
  Format negotiate (std::span<const Format *const> inputs) override;
  Rows demand (size_t port, const Format &input, const Rows &rows) const override;
  bool collects (size_t port) const override;
  Access access () const override;
  int wanted_lanes (const Device &, int downstream) const override;
  bool takes_lanes () const override { return true; } // taken apart by the worker
  void memory (const Sizing &sizing, Bill &bill) const override;
  bool serial () const override;
  std::unique_ptr<Worker> start (const Replica &replica) override;
  void finish () override;
  void unlock () override;

private:
  bool is_source () const;
  void check_inputs () const;
  void check (const Format *input, const Format &output) const;

  ObjectPtr<SinoTask> task;
  const ForeignTraits &traits;
  std::vector<bool> beside;                      // per port: comes with all its angles beside each block of the first
  double row_bytes = 0;                          // bytes kept for a row of a work item
  double angle_bytes = 0, input_angle_bytes = 0; // bytes of a whole projection put out, and taken
  int64_t rows = 0;
  bool sinograms = false; // somewhere, so that lanes may have to be taken apart
  bool running = false;
};

} // namespace sino
