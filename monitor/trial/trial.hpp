// SPDX-License-Identifier: LGPL-3.0-or-later
// One slice of a scan, made again whenever a value changes.
#pragma once
#include "kernels/single-slice/slice.hpp"
#include "monitor/http/request.hpp"
#include "monitor/trial/collect.hpp"
#include "monitor/trial/recipe.hpp"
#include "monitor/volume/plane.hpp"
#include <optional>
#include <thread>

namespace sino::monitor {

class Trial : NoCopy
{
public:
  // The wishes must outlive the object.
  Trial (const std::string &path, const scan::Wishes &wishes);
  ~Trial ();

  // For the state of the page.
  GVariant *describe ();
  // None: the request is for something else.
  std::optional<Answer> answer (const Request &request, const Monitor &wanted);

  // The launch line of a whole run, and the folder for its results if none is given.
  scan::ScanLine line (const Values &given);
  std::string usual_output () const;

private:
  // The sinogram that was used last, ready to be reconstructed.
  struct Prepared {
    std::string key;
    std::shared_ptr<const Format> format;
    double axis_shift = 0, axis = 0; // axis: of the rays of `slice`
    std::unique_ptr<single_slice::Slice> slice;
  };

  std::mutex recipe_mutex; // protects the three members below
  Recipe recipe;
  std::string note;       // why the axis was not found
  bool truncated = false; // whether the object was found to leave the detector
  const bool seeks_axis;
  Monitor ending;
  Cpu cpu{0, ending};
  std::timed_mutex work_mutex; // one slice at a time
  std::optional<Prepared> prepared;
  std::thread search;
  std::atomic<bool> searches{false};

  Values complete (const Request &request);
  Values values_of_picture (const Request &request, bool quick, const Monitor &wanted);
  void find_axis ();
  void wait_for_search (const Monitor &wanted) const;
  void prepare (const Values &values, int64_t row, const Monitor &wanted);
  Plane fast_slice (const Values &values, bool quick);
  Plane slow_slice (const Values &values, int64_t row, bool quick, const Monitor &wanted);
  Answer picture (const Request &request, const Monitor &wanted);
  Answer graph (const Request &request);
};

} // namespace sino::monitor
