// SPDX-License-Identifier: LGPL-3.0-or-later
// When every task of a run was at work, as a file of Chrome's trace events, which Perfetto and about:tracing show: a
// process per device, a lane per task.
#pragma once
#include "base/output-file.hpp"
#include "base/temporary.hpp"
#include "stream/rows.hpp"
#include <chrono>
#include <deque>
#include <vector>

namespace sino {

class Trace
{
public:
  using Clock = std::chrono::steady_clock;

  // One worker. Used by its thread alone until write ().
  class Lane
  {
  public:
    Lane (std::string d, std::string n, int p) : device (std::move (d)), name (std::move (n)), pass (p) {}
    void add (Clock::time_point begin, Clock::time_point end, const Rows &rows);

  private:
    friend class Trace;
    struct Span {
      Clock::time_point begin, end;
      Rows rows; // rows of the work item, at the targets
    };
    std::string device, name;
    int pass;
    std::vector<Span> spans;
    Clock::duration finest = std::chrono::microseconds (20); // shorter pauses do not show
    void coarsen ();
  };

  // A new file, which is there at the end. Throws what the system says.
  explicit Trace (const std::string &path) : folders (path), file (path) {}

  Lane *add (const std::string &device, const std::string &name, int pass);

  // When all workers have ended.
  void write ();

private:
  MadeFolders folders;
  Temporary file;
  const Clock::time_point start = Clock::now ();
  std::deque<Lane> lanes;
};

} // namespace sino
