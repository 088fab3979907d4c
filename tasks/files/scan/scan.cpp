// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/scan.hpp"
#include "base/requests.hpp"

namespace sino::files {

double Scan::bytes_read (const Rows &rows) const
{
  const bool lines = format.kind () == Kind::projections;
  return row_cost * stack->cost_along (lines ? 1 : 0, choose (lines ? picks->lines : picks->pages, rows));
}

void Scan::memory (int threads, int requests, int64_t item_rows, Bill &bill) const
{
  if (read_apart ()) {
    add_bytes (bill, "data that is read and decoded", stack->scratch (1), static_cast<size_t> (requests));
    add_bytes (bill, "threads that read", Requests::thread_bytes, static_cast<size_t> (requests));
    return;
  }
  const auto lines = format.kind () == Kind::projections ? item_rows : std::ssize (picks->lines);
  add_bytes (bill, "data that is read and decoded", stack->scratch (threads));
  add_bytes (bill, "images that share chunks", Reader::layer_bytes (*stack, *picks, lines));
}

void Scan::shared_memory (Bill &bill) const
{
  add_bytes (bill, "positions in the files", stack->resident ());
  add_bytes (bill, "darks and flats", companions_resident);
  add_bytes (bill, "angles and axis",
             (format.geometry->angles.size () + format.geometry->axis.size ()) * sizeof (double));
  add_bytes (bill, "numbers of images, lines and columns",
             (picks->pages.size () + picks->lines.size () + picks->columns.size ()) * sizeof (int64_t));
}

} // namespace sino::files
