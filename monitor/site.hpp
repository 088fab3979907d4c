// SPDX-License-Identifier: LGPL-3.0-or-later
// All that one page shows: volumes, a scan to reconstruct by eye, a run.
#pragma once
#include "monitor/http/server.hpp"
#include "monitor/run/watched.hpp"
#include "monitor/trial/trial-run.hpp"
#include "monitor/trial/trial.hpp"
#include "monitor/volume/gallery.hpp"

namespace sino::monitor {

class Page final : public Site
{
public:
  Page (std::string t, std::vector<Volume> volumes) : title (std::move (t)), gallery (std::move (volumes)) {}

  // Shows a scan to reconstruct by eye; before the page is served. The wishes must outlive the page.
  void open_scan (const std::string &path, const scan::Wishes &wishes);

  // A run that the page shows from now on.
  void watch (std::shared_ptr<Watched> run);

  Answer answer (const Request &request, const Monitor &wanted) override;
  std::string state () override;

private:
  const std::string title;
  Gallery gallery;
  std::unique_ptr<Trial> trial; // null: there is no scan
  std::string trial_path, why_no_trial;
  const scan::Wishes *wishes = nullptr;
  std::mutex mutex; // protects the members below
  std::shared_ptr<Watched> watched;
  std::unique_ptr<TrialRun> trial_run;

  std::shared_ptr<Watched> run ();
  Answer start_run (const Request &request);
};

} // namespace sino::monitor
