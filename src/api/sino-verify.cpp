// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-verify.h"
#include "api/link.hpp"
#include "base/cancellation.hpp"
#include "base/variant.hpp"
#include "formats/verify.hpp"
#include "glue/registry.hpp"

static GVariant *verified_variant (const sino::formats::Verified &found)
{
  return sino::Dict ()
      .add ("output", found.output)
      .add ("kind", found.kind)
      .add ("right", found.right)
      .add ("all", found.all)
      .add ("changed", found.wrong)
      .add ("missing", found.missing)
      .add ("why", found.why)
      .end ();
}

GVariant *sino_verify (const gchar *path, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (path && *path, nullptr);
  g_return_val_if_fail (!cancellable || G_IS_CANCELLABLE (cancellable), nullptr);
  return sino::guarded (error, [&] {
    sino::Monitor monitor;
    const sino::Link link (cancellable, monitor);
    const sino::WorkingFor scope (monitor);
    monitor.check ();
    sino::Registry::get ().names (); // loads the modules, which add their file formats
    std::vector<sino::formats::Verified> all;
    sino::formats::verify (path, [&all] (const sino::formats::Verified &found) { all.push_back (found); });
    return g_variant_ref_sink (sino::Dict::array (all, verified_variant));
  });
}
