// SPDX-License-Identifier: LGPL-3.0-or-later
// What a task asks of a family of kernels, and what it gets: a member of the task, copied with it.
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

  // What the properties 'variant' (auto, native, or the name of a kernel) and 'variant-parameters' hold.
  std::string variant = "auto", parameters;

  // Whether an OpenCL kernel is asked for by its name.
  bool names_kernel () const { return variant != "auto" && variant != "native"; }

  // What was chosen before is forgotten: negotiation tells another problem. Its lanes are 0 if they are free.
  void negotiated (Problem problem);
  const Problem &problem () const { return problem_; }

  // Whether an OpenCL kernel runs there, else the native implementation does. Throws Error when the properties ask for
  // what does not.
  bool runs_on (const Device &device) const;

  // Made once for a device and a problem: what was planned is what runs, in every replica. Throws Error.
  const Choice &choice (const Device &device, const Problem &problem) const;
  // The choice for what was negotiated, with so many lanes; 0: any.
  const Choice &choice (const Device &device, int lanes) const;

  // Tells plans and provenance what runs on an OpenCL device. `detail` goes before the origin.
  std::string remark (const Device &device, int lanes, const std::string &detail = {}) const;
  // What people should know of the choices so far: kernels that failed for now, where others run, which round
  // otherwise.
  std::vector<std::string> doubts () const;
  // Tells 'sinograph devices' what would run on an OpenCL device in usual situations, and why.
  std::vector<std::string> explain (const Device &device) const;

private:
  struct Made {
    std::mutex mutex;
    std::map<std::pair<std::string, Problem>, std::shared_ptr<const Choice>> choices; // by device and problem
  };

  const Family *family_;
  Problem problem_;
  std::shared_ptr<Made> made = std::make_shared<Made> ();

  std::vector<std::string> explain_choices (const OpenclDevice &device) const;
};

} // namespace sino::families
