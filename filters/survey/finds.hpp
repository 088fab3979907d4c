// SPDX-License-Identifier: LGPL-3.0-or-later
// A node that finds something in a survey, says so, and takes no part in runs: the stream passes with what was found.
#pragma once
#include "base/error.hpp"
#include "glue/facets.hpp"
#include "glue/task.hpp"

namespace sino::survey {

class Finds : public Task, public Surveys
{
public:
  std::vector<std::string> warnings () const override { return said; }
  Messages::Level level_of_warnings () const override
  {
    return doubted.empty () ? Messages::Level::info : Messages::Level::warning;
  }
  std::string doubt () const override { return doubted; }
  bool alters () const override { return false; }
  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &, int downstream) const override { return downstream; }
  std::string remark (const Device &, int) const override { return found; }
  std::unique_ptr<Worker> start (const Replica &) override { fail (SINO_ERROR_FAILED, "does not take part in runs"); }

protected:
  std::vector<std::string> said; // the messages of the last negotiation
  std::string found;             // text for provenance
  std::string doubted;           // reason why the result may be wrong

  void say_nothing ()
  {
    said.clear ();
    found.clear ();
    doubted.clear ();
  }
};

} // namespace sino::survey
