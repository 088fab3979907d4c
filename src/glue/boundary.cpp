// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/boundary.hpp"
#include "api/sino-error-names.h"
#include "base/kept-report.hpp"
#include "base/named-error.hpp"
#include "base/shown.hpp"
#include <gio/gio.h>
#include <new>

// --- the domain: its errors have names beside GError's members ---

namespace {

struct Names {
  char *node, *property; // null: none
};

// GLib puts this data before the GError (G_DEFINE_EXTENDED_ERROR does the same).
Names &names_of (const GError *error)
{
  constexpr auto step = 2 * sizeof (gsize);
  constexpr auto before = (sizeof (Names) + step - 1) / step * step;
  auto *place = reinterpret_cast<std::byte *> (const_cast<GError *> (error)) - before;
  return *std::launder (reinterpret_cast<Names *> (place));
}

void clear (GError *error)
{
  g_free (names_of (error).node);
  g_free (names_of (error).property);
}

void copy (const GError *from, GError *to)
{
  names_of (to) = {g_strdup (names_of (from).node), g_strdup (names_of (from).property)};
}

} // namespace

GQuark sino_error_quark (void)
{
  static const GQuark quark = g_error_domain_register_static (
      "sino-error-quark", sizeof (Names), [] (GError *) {}, copy, clear);
  return quark;
}

// While the library loads: GLib would clear names that an error from before does not have.
[[maybe_unused]] static const GQuark registered = sino_error_quark ();

const gchar *sino_error_get_node (const GError *error)
{
  g_return_val_if_fail (error, nullptr);
  return error->domain == SINO_ERROR ? names_of (error).node : nullptr;
}

const gchar *sino_error_get_property (const GError *error)
{
  g_return_val_if_fail (error, nullptr);
  return error->domain == SINO_ERROR ? names_of (error).property : nullptr;
}

namespace sino {

void set_error_from_current_exception (GError **error) noexcept
{
  try {
    throw;
  } catch (const NamedError &e) {
    const auto name = [] (const std::string &name) { return name.empty () ? nullptr : g_strdup (name.c_str ()); };
    auto *made = g_error_new_literal (SINO_ERROR, e.code, shown_lines (e.what ()).c_str ());
    names_of (made) = {name (e.node), name (e.property)};
    g_propagate_error (error, made);
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
  if (KeptReport::keep_current ())
    return;
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
  if (error->domain != SINO_ERROR)
    throw Error (SINO_ERROR_FAILED, error->message);
  const auto &[node, property] = names_of (error.get ());
  if (!node)
    throw Error (static_cast<SinoError> (error->code), error->message);
  throw NamedError (static_cast<SinoError> (error->code), error->message, node, property ? property : "");
}

} // namespace sino
