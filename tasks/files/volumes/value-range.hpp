// SPDX-License-Identifier: LGPL-3.0-or-later
// The range of values that integers of a file stand for, found in a few rows or slices before the run.
#pragma once
#include "glue/facets.hpp"
#include "glue/learned.hpp"
#include "tasks/files/pictures/histogram.hpp"
#include <cmath>

namespace sino::files {

// Values of the rows that were seen, which all workers add to. The result does not depend on their order.
class SeenValues
{
public:
  bool taken = false; // whether the survey has been made, or missed
  std::string missed; // why it was not made

  void add (const float *values, int64_t n, bool zeros);
  // The values that become 0 and the greatest integer of `file`; none if no value was finite.
  //
  // With the quantiles a and b at 0.1 % and 99.9 %: in u8 these two. In u16, whose steps are finer than noise, the
  // least and the greatest value that were seen, but at most b - a below a and 3 (b - a) above b, and a quarter of all
  // that more on both sides for rows that were not seen. Rounded outwards to three digits, so that people can use the
  // numbers.
  std::optional<std::pair<double, double>> range (Element file) const;

private:
  std::mutex mutex;
  std::optional<Histogram> histogram;
  float least = INFINITY, greatest = -INFINITY;
};

// A sink that maps floats to integers by a range that it finds in a few rows, if none is set.
class FindsRange : public Surveys
{
public:
  std::vector<Rows> survey (const Format &in) const override;
  std::unique_ptr<Worker> look (const Replica &replica) override;
  void survey_memory (const Sizing &sizing, Bill &bill) const override;
  void miss (const std::string &why) override;

protected:
  // In negotiation: the values that become 0 and the greatest integer of `to`; none if values are not mapped, or before
  // the survey. `word`: the range that is set, or "". Throws if the survey has found none.
  std::optional<std::pair<double, double>> range_of (const std::string &word, const Format &from, Element to);
  // Whether a range is found by a survey.
  bool finds () const { return finding; }
  // Throws if it was to be found, and no survey was made.
  void check_surveyed () const;

private:
  bool finding = false;
  int64_t line = 0;
  Learned<SeenValues> seen;
};

} // namespace sino::files
