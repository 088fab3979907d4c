// SPDX-License-Identifier: LGPL-3.0-or-later
// Copies bytes into new pages of a file in memory: docs/design/storage.md.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sino::formats {

// Makes whole pages of a file (tmpfs) that has none there yet, with these bytes. Unlike pages that are made by a store
// to a map, they are not zeroed first; unlike write () calls, several threads do not wait for each other. Returns false
// if that is not possible or failed; some of the pages may be there then. `offset` and n: multiples of the page size.
bool fill_new_pages (int file, const std::byte *from, size_t n, int64_t offset);

} // namespace sino::formats
