// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/facets.hpp"
#include "glue/timed.hpp"

namespace sino {

Reads::~Reads () = default;
Holds::~Holds () = default;
Surveys::~Surveys () = default;
Estimates::~Estimates () = default;
Timed::~Timed () = default;
Embedded::~Embedded () = default;
WorksAhead::~WorksAhead () = default;
Writes::~Writes () = default;

double Reads::bytes_read (const Format &output, const Rows &rows) const
{
  return output.bytes () / static_cast<double> (std::max<int64_t> (output.rows (), 1)) *
         static_cast<double> (rows.size ());
}

} // namespace sino
