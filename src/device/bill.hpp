// SPDX-License-Identifier: LGPL-3.0-or-later
// The memory of workers: a list (bill) names what each worker takes, the plan adds up the lists, and workers allocate
// from them.
#pragma once
#include "device/device.hpp"
#include <mutex>

namespace sino {

struct BillItem {
  enum class Where { host, device };

  const char *name;  // "padded rows"; lives as long as the program
  size_t bytes;      // size of one piece
  size_t pieces = 1; // most pieces that are in use at the same time
  Where where = Where::host;

  size_t all () const { return bytes * pieces; }
};

using Bill = std::vector<BillItem>;

SINO_VISIBLE size_t total (const Bill &bill);

// Pieces of host memory in whole pages, large pages if useful.
SINO_VISIBLE void add_pages (Bill &bill, const char *name, size_t bytes, size_t pieces = 1);
// Memory that the C++ library or another library allocates itself.
SINO_VISIBLE void add_bytes (Bill &bill, const char *name, size_t bytes, size_t pieces = 1);
// Buffers of the device.
SINO_VISIBLE void add_buffers (Bill &bill, const char *name, size_t bytes, size_t pieces = 1);

// Adds the items once for each thread.
SINO_VISIBLE void add_for_each (Bill &bill, const Bill &items, size_t threads);

// The memory that a worker may take. Threads share it. It must outlive the pieces taken from it.
class SINO_VISIBLE Allotment
{
public:
  Allotment () = default;
  explicit Allotment (const Bill &bill);
  ~Allotment ();

  // Returns its memory at destruction; a later piece gets that memory with its content unchanged.
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

  // Pages, zero at first. Throws Error if the bill has no such item, or no piece is left.
  Piece take (const char *name);
  // The size of a piece that the caller allocates itself and keeps as long as this object exists. Throws like take ().
  size_t claim (const char *name);

private:
  struct Item {
    BillItem item;
    size_t taken = 0;
    std::vector<std::unique_ptr<Buffer>> unused; // pieces that were returned
  };
  std::mutex mutex;
  std::vector<Item> items;

  Item &find (const char *name);
};

} // namespace sino
