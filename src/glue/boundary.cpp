// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/boundary.hpp"
#include "base/shown.hpp"
#include <gio/gio.h>
#include <new>

GQuark sino_error_quark (void)
{
  static const GQuark quark = g_quark_from_static_string ("sino-error-quark");
  return quark;
}

namespace sino {

void set_error_from_current_exception (GError **error) noexcept
{
  try {
    throw;
  } catch (const Error &e) {
    g_set_error_literal (error, SINO_ERROR, e.code, shown_lines (e.what ()).c_str ());
  } catch (const Cancelled &c) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, shown_lines (c.message).c_str ());
  } catch (const std::bad_alloc &) {
    g_set_error_literal (error, SINO_ERROR, SINO_ERROR_MEMORY, "out of memory");
  } catch (const std::exception &e) {
    g_set_error_literal (error, SINO_ERROR, SINO_ERROR_FAILED, shown_lines (e.what ()).c_str ());
  } catch (...) {
    g_set_error_literal (error, SINO_ERROR, SINO_ERROR_FAILED, "unknown failure");
  }
}

void report_current_exception (const char *type, const char *what) noexcept
{
  GError *error = nullptr;
  set_error_from_current_exception (&error);
  g_critical ("%s: %s: %s", type, what, ErrorPtr (error)->message);
}

void throw_error (ErrorPtr error)
{
  if (!error)
    throw Error (SINO_ERROR_FAILED, "failed without saying why");
  if (g_error_matches (error.get (), G_IO_ERROR, G_IO_ERROR_CANCELLED))
    throw Cancelled{error->message};
  throw Error (error->domain == SINO_ERROR ? static_cast<SinoError> (error->code) : SINO_ERROR_FAILED, error->message);
}

} // namespace sino
