// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/viewer.hpp"
#include "monitor/site.hpp"

namespace sino::monitor {

Viewer::~Viewer () = default;

namespace {

class Served final : public Viewer
{
public:
  Served (std::unique_ptr<Page> p, std::shared_ptr<RunWatcher> w, const std::string &address)
      : place (parse_address (address)), page (std::move (p)), watched (std::move (w)), server (place, address, *page)
  {
  }
  const std::shared_ptr<RunWatcher> &watcher () const override { return watched; }
  std::string url () const override { return server.url (); }
  std::string ssh_line () const override { return monitor::ssh_line (place, server.port ()); }

private:
  const SocketPlace place;
  const std::unique_ptr<Page> page;
  const std::shared_ptr<RunWatcher> watched; // null: there is no run
  Server server;
};

} // namespace

std::unique_ptr<Viewer> Viewer::open (const std::vector<std::string> &paths, Kind kind, const scan::Wishes &wishes,
                                      const std::string &address)
{
  static_cast<void> (parse_address (address)); // before files are opened
  std::vector<Volume> volumes;
  bool is_scan = false;
  for (const auto &path : paths) {
    auto opened = open_path (path, kind, wishes);
    is_scan = is_scan || (opened.is_scan && volumes.empty ());
    volumes.push_back (std::move (opened.volume));
  }
  const auto title = join (volumes, " and ", &Volume::title);
  auto page = std::make_unique<Page> (title, std::move (volumes));
  if (is_scan)
    page->open_scan (paths[0], wishes);
  return std::make_unique<Served> (std::move (page), nullptr, address);
}

std::unique_ptr<Viewer> Viewer::of_run (const std::string &title, const std::string &address)
{
  auto watched = std::make_shared<Watched> (title);
  auto page = std::make_unique<Page> (title, std::vector<Volume> ());
  page->watch (watched);
  return std::make_unique<Served> (std::move (page), std::move (watched), address);
}

} // namespace sino::monitor
