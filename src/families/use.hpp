// SPDX-License-Identifier: LGPL-3.0-or-later
// Chooses kernels of a family for a task, and remembers the choices. It is a member of the task and is copied with it.
#pragma once
#include "device/device.hpp"
#include "families/family.hpp"
#include <memory>
#include <mutex>

namespace sino::families {

struct Choice;

class SINO_VISIBLE Use
{
public:
  explicit Use (const Family &f) : family_ (&f) {}

  const Family &family () const { return *family_; }

  // Values of the properties 'variant' ("auto", "native", or the name of a kernel) and 'variant-parameters'.
  std::string variant = "auto", parameters;

  // Whether 'variant' is the name of an OpenCL kernel.
  bool names_kernel () const { return variant != "auto" && variant != "native"; }

  // Sets the problem after negotiation and forgets earlier choices. problem.lanes is 0 if lanes are free.
  void negotiated (Problem problem);
  const Problem &problem () const { return problem_; }

  // Whether an OpenCL kernel runs on the device; otherwise the native implementation does. Throws Error if the
  // properties ask for something that cannot run there.
  bool runs_on (const Device &device) const;

  // The choice for a device and a problem. It is made once, so that the plan and all replicas have the same one. Throws
  // Error.
  const Choice &choice (const Device &device, const Problem &problem) const;
  // The choice for the negotiated problem with this number of lanes; 0: any.
  const Choice &choice (const Device &device, int lanes) const;

  // Text for plans and provenance: the kernel that runs on an OpenCL device. `detail` is added before the kernel's
  // origin.
  std::string remark (const Device &device, int lanes, const std::string &detail = {}) const;
  // Messages about the choices so far: kernels that failed for a reason that may not last, so that others run, which
  // round differently.
  std::vector<std::string> doubts () const;
  // Text for 'sinograph devices': the kernels that would run on an OpenCL device in usual situations, and the reasons.
  std::vector<std::string> explain (const Device &device) const;

private:
  struct Made {
    std::mutex mutex;
    std::map<std::pair<std::string, Problem>, std::shared_ptr<const Choice>> choices; // key: device and problem
  };

  const Family *family_;
  Problem problem_;
  std::shared_ptr<Made> made = std::make_shared<Made> ();

  std::vector<std::string> explain_choices (const OpenclDevice &device) const;
};

} // namespace sino::families
