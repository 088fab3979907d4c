// SPDX-License-Identifier: LGPL-3.0-or-later
// A run that the page shows and controls. Any thread.
#pragma once
#include "monitor/http/request.hpp"
#include "monitor/run/planes.hpp"
#include "monitor/run/rates.hpp"
#include "run/run.hpp"
#include "run/watcher.hpp"
#include <optional>

namespace sino::monitor {

class Watched final : public RunWatcher
{
public:
  explicit Watched (std::string t) : title (std::move (t)) {}

  // Shows a run, instead of one before.
  void begin (Run &run) override;
  void end (const char *state, const std::string &message) override;
  double bytes () const override { return double{48} * (1 << 20); }

  // For the state of the page; asks the sinks for new slices.
  VariantPtr describe ();
  // None: the request is for something else.
  std::optional<Answer> answer (const Request &request, const Monitor &wanted);

private:
  struct Sink {
    std::string node;
    std::shared_ptr<const NewSlice> slice;
    int64_t version = 0;
  };

  const std::string title;
  std::mutex mutex; // protects the members below; a run does not end while it is held
  Run *run = nullptr;
  VariantPtr last; // the state when the run ended
  const char *state = "preparing";
  std::string message;
  std::map<std::string, std::vector<std::string>> inputs;   // of nodes, by their names
  std::vector<std::pair<std::string, std::string>> devices; // ids and names
  std::vector<Sink> sinks;
  Planes planes;
  Rates rates;
  double waited = 0, looked = 0; // seconds in which it was paused, and of the last look

  void find_inputs (const Facts &plan);
  GVariant *describe_now ();
  GVariant *describe_node (const TaskStatistics &task) const;
  GVariant *describe_device (const DeviceStatistics &device) const;
  GVariant *seconds_left (const Progress &progress);
  GVariant *pictures ();
  std::map<std::string, std::pair<int64_t, Answer>> made; // pictures by their names, with their versions

  Answer picture (const std::string &name, const Monitor &wanted);
  void control (const Request &request);
};

} // namespace sino::monitor
