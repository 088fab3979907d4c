// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/bill.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <string_view>

namespace sino {

size_t total (const Bill &bill)
{
  size_t bytes = 0;
  for (const auto &item : bill)
    bytes += item.all ();
  return bytes;
}

void add_pages (Bill &bill, const char *name, size_t bytes, size_t pieces)
{
  bill.push_back ({name, page_rounded (bytes, size_t{1} << 20), pieces});
}

void add_bytes (Bill &bill, const char *name, size_t bytes, size_t pieces)
{
  bill.push_back ({name, bytes, pieces});
}

void add_buffers (Bill &bill, const char *name, size_t bytes, size_t pieces)
{
  bill.push_back ({name, bytes, pieces, BillItem::Where::device});
}

void add_for_each (Bill &bill, const Bill &items, size_t threads)
{
  for (auto item : items) {
    item.pieces *= threads;
    bill.push_back (item);
  }
}

Allotment::Allotment (const Bill &bill)
{
  for (const auto &item : bill)
    items.push_back ({item, 0, {}});
}

Allotment::~Allotment () = default;

Allotment::Item &Allotment::find (const char *name)
{
  const auto found =
      std::ranges::find_if (items, [&] (const Item &i) { return i.item.name == std::string_view (name); });
  if (found == items.end ())
    fail (SINO_ERROR_FAILED, "uses memory that is not on its bill: %s", name);
  return *found;
}

Allotment::Piece Allotment::take (const char *name)
{
  Piece piece;
  piece.from = this;
  const std::lock_guard guard (mutex);
  auto &found = find (name);
  piece.item = static_cast<size_t> (&found - items.data ());
  if (!found.unused.empty ()) {
    piece.memory = std::move (found.unused.back ());
    found.unused.pop_back ();
    return piece;
  }
  if (found.taken == found.item.pieces)
    fail (SINO_ERROR_FAILED, "uses more than the %zu pieces on its bill: %s", found.item.pieces, name);
  found.unused.reserve (found.taken + 1); // so that returning the piece needs no memory
  piece.memory = allocate_pages (found.item.bytes);
  found.taken++;
  return piece;
}

size_t Allotment::claim (const char *name)
{
  const std::lock_guard guard (mutex);
  auto &found = find (name);
  if (found.taken == found.item.pieces)
    fail (SINO_ERROR_FAILED, "uses more than the %zu pieces on its bill: %s", found.item.pieces, name);
  found.taken++;
  return found.item.bytes;
}

Allotment::Piece &Allotment::Piece::operator= (Piece &&o) noexcept
{
  std::swap (from, o.from);
  std::swap (item, o.item);
  std::swap (memory, o.memory);
  return *this;
}

Allotment::Piece::~Piece ()
{
  if (!memory)
    return;
  const std::lock_guard guard (from->mutex);
  from->items[item].unused.push_back (std::move (memory));
}

} // namespace sino
