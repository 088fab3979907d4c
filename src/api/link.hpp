// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/boundary.hpp"
#include <gio/gio.h>

namespace sino {

// Cancels `work` when the cancellable is cancelled, as long as this object exists. The cancellable may be null.
template <class Work> class Link : NoCopy
{
public:
  Link (GCancellable *c, Work &work) : cancellable (c)
  {
    const auto cancel = +[] (GCancellable *, gpointer data) {
      reported ("GCancellable", "cancel", [data] { static_cast<Work *> (data)->cancel (); });
    };
    if (cancellable)
      id = g_cancellable_connect (cancellable, G_CALLBACK (cancel), &work, nullptr);
  }
  ~Link () { g_cancellable_disconnect (cancellable, id); }

private:
  GCancellable *cancellable;
  gulong id = 0;
};

} // namespace sino
