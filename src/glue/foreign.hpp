// SPDX-License-Identifier: LGPL-3.0-or-later
// Tasks written in C, Python or another language, as tasks of the runtime.
#pragma once
#include "base/pointers.hpp"
#include "glue/facets.hpp"
#include "glue/foreign-traits.hpp"
#include <atomic>

namespace sino {

class ForeignTask final : public Task, public Reads, public Embedded
{
public:
  explicit ForeignTask (SinoTask *task);
  ~ForeignTask () override;

  std::span<const Port> inputs () const override;
  bool has_output () const override;
  bool gathers () const override { return traits.open_end && traits.flow == SINO_FLOW_SOURCE_ONCE; }
  void gather (const Monitor &monitor) override;
  Format negotiate (std::span<const Format *const> inputs) override;
  Rows demand (size_t port, const Format &input, const Rows &rows) const override;
  bool collects (size_t port) const override;
  Access access () const override;
  int wanted_lanes (const Device &, int downstream) const override;
  bool takes_lanes () const override { return true; } // the worker separates them
  void memory (const Sizing &sizing, Bill &bill) const override;
  bool serial () const override;
  std::unique_ptr<Worker> start (const Replica &replica) override;
  void finish () override;
  void unlock () override;
  bool waits_outside () const override;

private:
  bool is_source () const;
  void check_inputs () const;
  void take ();
  Format call_alone (std::span<const Format *const> inputs) const;
  void check (const Format *input, const Format &output) const;

  ObjectPtr<SinoTask> task;
  const ForeignTraits &traits;
  std::vector<bool> beside;                      // per port: comes with all angles beside each block of the first port
  double row_bytes = 0;                          // bytes kept per row of a work item
  double angle_bytes = 0, input_angle_bytes = 0; // bytes of a whole output, and input, projection
  int64_t rows = 0;
  bool sinograms = false; // the input or output has sinograms, so lanes may have to be separated
  std::atomic<bool> running{false}, gathering{false};
  std::shared_ptr<const Gathered> gathered;
};

} // namespace sino
