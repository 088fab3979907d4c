// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/wants.hpp"
#include "base/error.hpp"

namespace sino {

void want_scan (const Format &in)
{
  if (in.kind () != Kind::projections && in.kind () != Kind::sinograms)
    fail (SINO_ERROR_BAD_FORMAT,
          "wants projections or sinograms, got %s: put this node before the reconstruction, or correct axes= of 'read'",
          in.describe ().c_str ());
}

void want_projections (const Format &in)
{
  if (in.kind () != Kind::projections)
    fail (SINO_ERROR_BAD_FORMAT, "wants projections, got %s: put it before 'interleave'", in.describe ().c_str ());
}

void want_unfiltered (const Format &in)
{
  if (!in.filtered_by.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "'%s' has filtered the rows already: put this node before it",
          in.filtered_by.c_str ());
}

} // namespace sino
