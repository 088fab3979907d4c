// SPDX-License-Identifier: LGPL-3.0-or-later
// All threads pack chunks, and HDF5 stores the packed chunks in the order of the pages, so that the file does not
// depend on how the work was cut. While one round of chunks is packed, one thread stores the previous round.
#include "tasks/files/hdf5/packed.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "tasks/files/hdf5/written.hpp"
#include <algorithm>
#include <mutex>
#include <optional>

namespace sino::files {

using namespace formats;

namespace {

// Lines of a chunk: about 1 MiB. Pages are divided evenly, because the rest of the last chunk is padded.
int64_t chunk_lines (const Planned &planned)
{
  const auto most = std::clamp<int64_t> ((1 << 20) / planned.line_bytes (), 1, planned.lines ());
  const auto parts = divide_up (planned.lines (), most);
  return divide_up (planned.lines (), parts);
}

size_t chunk_bytes (const Planned &planned)
{
  return static_cast<size_t> (chunk_lines (planned) * planned.line_bytes ());
}

std::vector<hsize_t> chunk_of (const Planned &planned)
{
  return {1, static_cast<hsize_t> (chunk_lines (planned)), static_cast<hsize_t> (planned.columns ())};
}

// Presses for the threads; each thread uses another one.
class Presses
{
public:
  template <class Work> void with_one (const Packing &packing, const Planned &planned, const Work &work)
  {
    auto press = take ();
    if (!press)
      press = packing.press (chunk_bytes (planned), size_of (planned.element));
    work (*press);
    const std::lock_guard guard (mutex);
    idle.push_back (std::move (press));
  }

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<Press>> idle;

  std::unique_ptr<Press> take ()
  {
    const std::lock_guard guard (mutex);
    if (idle.empty ())
      return nullptr;
    auto press = std::move (idle.back ());
    idle.pop_back ();
    return press;
  }
};

class PackedHdf5 final : public Hdf5Target
{
public:
  PackedHdf5 (const Planned &p, const Frames::Watch &watch, const Packing &how)
      : Hdf5Target (p, watch, chunk_of (p)), packing (how), high (chunk_lines (p))
  {
    for (auto *round : {&packed, &before}) {
      round->chunks.resize (static_cast<size_t> (p.cpu->threads ()));
      for (auto &each : round->chunks)
        each.bytes.resize (packing.most (chunk_bytes (p), size_of (p.element)));
    }
    using namespace hdf5;
    const auto guard = lock ();
    const Handle cache (H5Pcreate (H5P_DATASET_ACCESS), H5Pclose, failed);
    check (H5Pset_chunk_cache (cache, 0, 0, 0), failed); // chunks bypass the cache
    structure.emplace (WrittenFile::How::further, out, failed);
    data = {H5Dopen2 (*structure, "/exchange/data", cache), H5Dclose, failed};
  }

  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    write_pages ({page, page + 1}, lines, pixels, planned.page_bytes ());
  }

  void write_pages (Interval pages, Interval lines, const std::byte *pixels, int64_t page_bytes) override
  {
    if (!(lines == Interval{0, planned.lines ()}))
      fail (SINO_ERROR_FAILED, "a page for compression arrived in parts");
    const auto n = pages.size () * of_page, most = std::ssize (packed.chunks);
    for (int64_t done = 0; done < n; done += most) {
      packed.first = pages.begin * of_page + done;
      packed.number = std::min (most, n - done);
      planned.cpu->parallel (1 + packed.number, 1, [&] (int64_t begin, int64_t end) {
        if (begin == 0)
          store (before);
        presses.with_one (packing, planned, [&] (Press &press) {
          for (auto i = std::max<int64_t> (begin, 1) - 1; i < end - 1; i++) {
            const auto page = (done + i) / of_page, first = (done + i) % of_page * high;
            const auto here = std::min (high, planned.lines () - first);
            press.pack (pixels + page * page_bytes + first * planned.line_bytes (),
                        static_cast<size_t> (here * planned.line_bytes ()), packed.chunks[static_cast<size_t> (i)]);
          }
        });
      });
      std::swap (packed, before);
    }
  }

  bool keep (const Checksums &sums) override
  {
    const auto guard = hdf5::lock ();
    return put_checksums (*structure, sums, failed);
  }

  void finish () override
  {
    store (before);
    {
      const auto guard = hdf5::lock ();
      hdf5::check (H5Fflush (*structure, H5F_SCOPE_LOCAL), failed);
      const auto size = end ();
      data = {};
      structure->close ();
      out.resize (size); // removes reserved space that was not needed
    }
    Hdf5Target::finish ();
  }

private:
  const std::string failed = "cannot write " + in_quotes (file.final_path ());
  const Packing &packing;
  const int64_t high;                                         // lines of a chunk
  const int64_t of_page = divide_up (planned.lines (), high); // chunks of a page
  std::optional<WrittenFile> structure;
  hdf5::Handle data;
  // Consecutive chunks of the file, one for each thread.
  struct Round {
    int64_t first = 0, number = 0;
    std::vector<Packed> chunks;
  } packed, before; // packed: the present round; before: the previous round, which is not stored yet
  Presses presses;

  int64_t end () const
  {
    hsize_t size = 0;
    hdf5::check (H5Fget_filesize (*structure, &size), failed);
    return static_cast<int64_t> (size);
  }

  // Reserves disk space before HDF5 writes, because after a failed write HDF5 could not close the file.
  void store (Round &round)
  {
    if (round.number == 0)
      return;
    const std::span some (round.chunks.data (), static_cast<size_t> (round.number));
    round.number = 0;
    const auto guard = hdf5::lock ();
    constexpr int64_t index = 1 << 20; // most bytes that HDF5's cache and chunk index may grow by for these chunks
    auto bytes = end () + index;
    for (const auto &each : some)
      bytes += static_cast<int64_t> (each.size);
    out.expect (bytes, true);
    out.take_space ();
    auto number = round.first;
    for (const auto &each : some) {
      const hsize_t at[] = {static_cast<hsize_t> (number / of_page), static_cast<hsize_t> (number % of_page * high), 0};
      hdf5::check (H5Dwrite_chunk (data, H5P_DEFAULT, each.skipped, at, each.size, each.bytes.data ()), failed);
      number++;
    }
    structure->check ();
  }
};

} // namespace

std::unique_ptr<Target> packed_hdf5 (const Planned &planned, const Frames::Watch &watch, const Packing &packing)
{
  return std::make_unique<PackedHdf5> (planned, watch, packing);
}

size_t packed_work (const Planned &planned, int threads, const Packing &packing)
{
  const auto chunk = chunk_bytes (planned), pixel = size_of (planned.element);
  return static_cast<size_t> (threads) * (2 * packing.most (chunk, pixel) + packing.own (chunk, pixel));
}

} // namespace sino::files
