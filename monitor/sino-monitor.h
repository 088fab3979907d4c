/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include <sinograph.h>

G_BEGIN_DECLS

#define SINO_TYPE_MONITOR (sino_monitor_get_type ())

/**
 * SinoMonitor:
 *
 * Serves a page for browsers on this machine: volumes and scans to look at, a slice of a scan to reconstruct by eye,
 * and the runs of a runner as they go.
 *
 * Whoever has the address can read what was added, and run the scan; it has a random token. The page is at a port of
 * this machine or at a socket of this user, and nowhere else. The server has a thread of its own; no main loop is
 * needed.
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoMonitor, sino_monitor, SINO, MONITOR, GObject)

/**
 * sino_monitor_new:
 *
 * Makes a monitor that shows nothing yet.
 *
 * Returns: (transfer full): a monitor
 */
SINO_PUBLIC
SinoMonitor *sino_monitor_new (void);

/**
 * sino_monitor_add_path:
 * @self: a monitor that was not started
 * @path: (type filename): a file, a folder of images, a scan, or the folder that `sinograph reconstruct` has left
 * @error: return location for an error
 *
 * Opens something to look at: a volume, or a scan, of which slices can then be reconstructed by eye if it is the first.
 *
 * Fails with %SINO_ERROR_BAD_FILE or %SINO_ERROR_BAD_FORMAT when it cannot be read, and with %SINO_ERROR_FAILED when
 * the monitor was started.
 *
 * Returns: whether it was opened
 */
SINO_PUBLIC
gboolean sino_monitor_add_path (SinoMonitor *self, const gchar *path, GError **error);

/**
 * sino_monitor_add_array:
 * @self: a monitor that was not started
 * @title: what the page calls it
 * @format: projections, sinograms or slices
 * @values: the values, dense in the order of the format's axes; they must not change
 * @error: return location for an error
 *
 * Adds an array to look at. It is not copied.
 *
 * Fails with %SINO_ERROR_BAD_FORMAT when there are not as many bytes as the format says, and with %SINO_ERROR_FAILED
 * when the monitor was started.
 *
 * Returns: whether it was added
 */
SINO_PUBLIC
gboolean sino_monitor_add_array (SinoMonitor *self, const gchar *title, SinoFormat *format, GBytes *values,
                                 GError **error);

/**
 * sino_monitor_add_runner:
 * @self: a monitor that was not started
 * @runner: a runner
 * @title: what the page calls its runs
 * @error: return location for an error
 *
 * Shows the runs of a runner that begin from now on, one at a time. The page can pause and cancel them, and change live
 * properties. A run counts 48 MiB of its memory for the page.
 *
 * Fails with %SINO_ERROR_FAILED when the monitor was started, or has a runner already.
 *
 * Returns: whether it was added
 */
SINO_PUBLIC
gboolean sino_monitor_add_runner (SinoMonitor *self, SinoRunner *runner, const gchar *title, GError **error);

/**
 * sino_monitor_start:
 * @self: a monitor
 * @address: (nullable): where the page is: a port as "8080", a Unix socket as "unix:PATH"; %NULL or "": any free port
 * @error: return location for an error
 *
 * Serves the page until [method@SinoMonitor.Monitor.stop], or until the object is gone.
 *
 * Fails with %SINO_ERROR_BAD_PROPERTY when @address is no such address, others than this machine would reach it, or
 * nothing can listen there, and with %SINO_ERROR_FAILED when the monitor was started before.
 *
 * Returns: whether the page is served
 */
SINO_PUBLIC
gboolean sino_monitor_start (SinoMonitor *self, const gchar *address, GError **error);

/**
 * sino_monitor_get_url:
 * @self: a monitor
 *
 * Gives the address to open in a browser, with its token.
 *
 * Returns: (transfer full) (nullable): the address, or %NULL if the page is not served
 */
SINO_PUBLIC
gchar *sino_monitor_get_url (SinoMonitor *self);

/**
 * sino_monitor_get_ssh_line:
 * @self: a monitor
 *
 * Gives the command for a shell on another computer, after which the address works there, too.
 *
 * Returns: (transfer full) (nullable): the command, or %NULL if the page is not served
 */
SINO_PUBLIC
gchar *sino_monitor_get_ssh_line (SinoMonitor *self);

/**
 * sino_monitor_stop:
 * @self: a monitor
 *
 * Ends the page. A run that the page has started is cancelled.
 */
SINO_PUBLIC
void sino_monitor_stop (SinoMonitor *self);

G_END_DECLS
