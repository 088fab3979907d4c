// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker of `read`: reads uncompressed pixels with several requests at a time, for the present block and the next
// ones.
#pragma once
#include "base/requests.hpp"
#include "glue/task.hpp"
#include "tasks/files/scan/scan.hpp"
#include <deque>

namespace sino::files {

class ReadWorker final : public Worker
{
public:
  // `requests`: number of requests at a time; 0: raised as long as the rate increases.
  ReadWorker (std::shared_ptr<const Scan> scan, int requests, const Replica &replica);

  void run (std::span<sino::Input *const>, Output *output) override;

private:
  // A block that is being filled, and the parts of the file for it.
  struct Filling {
    Block block;
    std::vector<int64_t> pages, lines;
    Requests::Batch batch;
  };

  const std::shared_ptr<const Scan> scan;
  Monitor &monitor;
  Counters &counters;
  Reader reader;
  Requests requests;
  std::deque<Filling> filling; // blocks being filled, in the order of the plan

  void read_in_order (Output &output); // compressed pages, and files without random access
  void read_ahead (Output &output);    // pages of which each pixel can be read by itself
  void request (Filling &to);
  void push_first (Output &output);
};

} // namespace sino::files
