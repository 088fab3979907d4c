// SPDX-License-Identifier: LGPL-3.0-or-later
// The memory of workers: a list says what each takes, the plan adds the list up, and the worker takes from it.
#pragma once
#include "device/device.hpp"
#include <mutex>

namespace sino {

struct BillItem {
  enum class Where { host, device };

  const char *name;  // "padded rows"; lives as long as the program
  size_t bytes;      // of a piece
  size_t pieces = 1; // that are taken at the same time at most
  Where where = Where::host;

  size_t all () const { return bytes * pieces; }
};

using Bill = std::vector<BillItem>;

SINO_VISIBLE size_t total (const Bill &bill);

// Pieces of the host's memory: whole pages, large ones where that pays.
SINO_VISIBLE void add_pages (Bill &bill, const char *name, size_t bytes, size_t pieces = 1);
// What the C++ library, or another one, allocates by itself.
SINO_VISIBLE void add_bytes (Bill &bill, const char *name, size_t bytes, size_t pieces = 1);
// Buffers of the device.
SINO_VISIBLE void add_buffers (Bill &bill, const char *name, size_t bytes, size_t pieces = 1);

// Items that each of so many threads has pieces of.
SINO_VISIBLE void add_for_each (Bill &bill, const Bill &items, size_t threads);

// What a worker may take. Threads share it. It lives longer than what was taken.
class SINO_VISIBLE Allotment
{
public:
  Allotment () = default;
  explicit Allotment (const Bill &bill);
  ~Allotment ();
  Allotment (const Allotment &) = delete;
  Allotment &operator= (const Allotment &) = delete;

  // Goes back when it ends, and is given again as it was left.
  class Piece
  {
  public:
    Piece () = default;
    Piece (Piece &&o) noexcept { *this = std::move (o); }
    Piece &operator= (Piece &&o) noexcept;
    ~Piece ();

    template <class T = std::byte> T *as () const { return reinterpret_cast<T *> (memory ? memory->data : nullptr); }
    size_t size () const { return memory ? memory->size : 0; }

  private:
    friend Allotment;
    Allotment *from = nullptr;
    size_t item = 0;
    std::unique_ptr<Buffer> memory;
  };

  // Pages, zero at first. Throws Error when the bill has no such item, or no piece is left.
  Piece take (const char *name);
  // Bytes of a piece that the caller allocates itself, and keeps as long as this lives. Throws Error alike.
  size_t claim (const char *name);

private:
  struct Item {
    BillItem item;
    size_t taken = 0;
    std::vector<std::unique_ptr<Buffer>> unused; // that came back
  };
  std::mutex mutex;
  std::vector<Item> items;

  Item &find (const char *name);
};

} // namespace sino
