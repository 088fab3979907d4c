// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/sino-monitor.h"
#include "api/contents.hpp"
#include "api/sino-object-ptr.hpp"
#include "glue/held.hpp"
#include "monitor/site.hpp"
#include "monitor/volume/memory-stack.hpp"
#include "stream/objects.hpp"
#include <mutex>

namespace {

using namespace sino;

// Members in the order in which the page needs them: the server goes first.
struct MonitorContents {
  const scan::Wishes wishes;
  std::mutex mutex; // protects the members below
  std::vector<monitor::Volume> volumes;
  std::string scan; // path of a scan to reconstruct by eye; "": none
  std::shared_ptr<monitor::Watched> watched;
  GObjectPtr<SinoRunner> runner; // whose runs are watched
  std::unique_ptr<monitor::Page> page;
  std::unique_ptr<monitor::Server> server; // null: not started, or stopped
  SocketPlace place;

  bool started = false;

  ~MonitorContents () { leave (); }

  void leave ()
  {
    if (runner)
      leave_runs (runner.get ());
    runner.reset ();
  }

  void check_not_started () const
  {
    if (started)
      fail (SINO_ERROR_FAILED, "the monitor was started already: use another one");
  }
};

using MonitorObject = Held<MonitorContents>;

// Calls `body` with the contents, under their lock.
template <class Body> auto with (SinoMonitor *self, Body body)
{
  auto &contents = MonitorObject::of (self);
  const std::lock_guard guard (contents.mutex);
  return body (contents);
}

// The same until the monitor is started.
template <class Body> gboolean add (SinoMonitor *self, GError **error, Body body)
{
  return guarded (error, [&] {
    with (self, [&] (MonitorContents &contents) {
      contents.check_not_started ();
      body (contents);
    });
  });
}

gchar *text_of_server (SinoMonitor *self, std::string (*of) (const MonitorContents &))
{
  return with (self, [of] (const MonitorContents &contents) {
    return contents.server ? g_strdup (of (contents).c_str ()) : nullptr;
  });
}

} // namespace

GType sino_monitor_get_type (void)
{
  return MonitorObject::gtype ("SinoMonitor");
}

SinoMonitor *sino_monitor_new (void)
{
  return static_cast<SinoMonitor *> (g_object_new (SINO_TYPE_MONITOR, nullptr));
}

gboolean sino_monitor_add_path (SinoMonitor *self, const gchar *path, GError **error)
{
  g_return_val_if_fail (SINO_IS_MONITOR (self) && path, FALSE);
  return add (self, error, [path] (MonitorContents &contents) {
    auto opened = monitor::open_path (path, Kind::other, contents.wishes);
    if (opened.is_scan && contents.volumes.empty ())
      contents.scan = path;
    contents.volumes.push_back (std::move (opened.volume));
  });
}

gboolean sino_monitor_add_array (SinoMonitor *self, const gchar *title, SinoFormat *format, GBytes *values,
                                 GError **error)
{
  g_return_val_if_fail (SINO_IS_MONITOR (self) && title && SINO_IS_FORMAT (format) && values, FALSE);
  return add (self, error, [=] (MonitorContents &contents) {
    const auto &of = *sino::contents (format);
    const std::shared_ptr<const std::byte> memory (
        static_cast<const std::byte *> (g_bytes_get_data (values, nullptr)),
        [held = g_bytes_ref (values)] (const std::byte *) { g_bytes_unref (held); });
    monitor::Volume volume{.title = title};
    volume.kind = of.kind ();
    volume.stack = monitor::stack_of (of, memory, g_bytes_get_size (values));
    volume.pixel = monitor::pixel_of (of, volume.kind);
    contents.volumes.push_back (std::move (volume));
  });
}

gboolean sino_monitor_add_runner (SinoMonitor *self, SinoRunner *runner, const gchar *title, GError **error)
{
  g_return_val_if_fail (SINO_IS_MONITOR (self) && SINO_IS_RUNNER (runner) && title, FALSE);
  return add (self, error, [=] (MonitorContents &contents) {
    if (contents.watched)
      fail (SINO_ERROR_FAILED, "the monitor has a runner already: use another one for this runner");
    auto watched = std::make_shared<monitor::Watched> (title);
    watch_runs (runner, watched);
    contents.watched = std::move (watched);
    contents.runner = GObjectPtr<SinoRunner>::shared (runner);
  });
}

gboolean sino_monitor_start (SinoMonitor *self, const gchar *address, GError **error)
{
  g_return_val_if_fail (SINO_IS_MONITOR (self), FALSE);
  return add (self, error, [address] (MonitorContents &contents) {
    const std::string word = address ? address : "";
    const auto place = monitor::parse_address (word);
    const auto title = join (contents.volumes, " and ", &monitor::Volume::title);
    auto page = std::make_unique<monitor::Page> (title, contents.volumes);
    if (!contents.scan.empty ())
      page->open_scan (contents.scan, contents.wishes);
    if (contents.watched)
      page->watch (contents.watched);
    contents.server = std::make_unique<monitor::Server> (place, word, *page);
    contents.page = std::move (page);
    contents.place = place;
    contents.started = true;
  });
}

gchar *sino_monitor_get_url (SinoMonitor *self)
{
  g_return_val_if_fail (SINO_IS_MONITOR (self), nullptr);
  return text_of_server (self, [] (const MonitorContents &contents) { return contents.server->url (); });
}

gchar *sino_monitor_get_ssh_line (SinoMonitor *self)
{
  g_return_val_if_fail (SINO_IS_MONITOR (self), nullptr);
  return text_of_server (self, [] (const MonitorContents &contents) {
    return monitor::ssh_line (contents.place, contents.server->port ());
  });
}

void sino_monitor_stop (SinoMonitor *self)
{
  g_return_if_fail (SINO_IS_MONITOR (self));
  // They end without the lock, the server first.
  std::unique_ptr<monitor::Page> page;
  std::unique_ptr<monitor::Server> server;
  with (self, [&] (MonitorContents &contents) {
    server = std::move (contents.server);
    page = std::move (contents.page);
    contents.leave ();
    contents.volumes.clear (); // with the arrays
  });
}
