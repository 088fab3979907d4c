// SPDX-License-Identifier: LGPL-3.0-or-later
// Records when every task of a run worked, as a file of Chrome trace events (shown by Perfetto and about:tracing). Each
// device is a process, each task a lane, and each command queue of a task on the device another lane.
#pragma once
#include "base/files/output-file.hpp"
#include "base/files/temporary.hpp"
#include "device/spans.hpp"
#include "stream/rows.hpp"
#include <chrono>
#include <deque>
#include <vector>

namespace sino {

class SINO_VISIBLE Trace
{
public:
  using Clock = std::chrono::steady_clock;

  // One worker, or a queue of it. Used by its thread alone until write ().
  class SINO_VISIBLE Lane
  {
  public:
    Lane (std::string d, std::string n, int p, bool q)
        : device (std::move (d)), name (std::move (n)), pass (p), of_queue (q)
    {
    }
    void add (Clock::time_point begin, Clock::time_point end, const Rows &rows);

  private:
    friend class Trace;
    struct Span {
      Clock::time_point begin, end;
      Rows rows; // rows of the work item, at the targets; none: commands of a device
    };
    std::string device, name;
    int pass;
    bool of_queue;
    std::vector<Span> spans;
    Clock::duration finest = std::chrono::microseconds (20); // shorter pauses are not shown
    void coarsen ();
  };

  // Makes a new file, which gets its name at the end. Throws the system's error.
  explicit Trace (const std::string &path) : folders (path), file (path) {}

  Lane *add (const std::string &device, const std::string &name, int pass);
  // Records the worker's commands on the device, in lanes below its own.
  DeviceSpans *add_queues (const std::string &device, const std::string &name, int pass);

  // Call it when all workers have ended.
  void write ();

private:
  struct Queues final : DeviceSpans {
    Lane *lanes[3];
    Queues (Lane *upload, Lane *kernels, Lane *download) : lanes{upload, kernels, download} {}
    void add (Queue queue, Clock::time_point begin, Clock::time_point end) override
    {
      lanes[static_cast<size_t> (queue)]->add (begin, end, {});
    }
  };

  MadeFolders folders;
  Temporary file;
  const Clock::time_point start = Clock::now ();
  std::deque<Lane> lanes;
  std::deque<Queues> queues;
};

} // namespace sino
