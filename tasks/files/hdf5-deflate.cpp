// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5 with compressed chunks: shuffled and deflated by all threads, handed to HDF5 as they are, in the order of the
// pages, so that the file does not depend on how the work was cut.
#include "base/error.hpp"
#include "tasks/files/hdf5-target.hpp"
#include "tasks/hdf5/library.hpp"
#include <algorithm>
#include <libdeflate.h>
#include <mutex>

namespace sino::files {

using namespace formats;

namespace {

// Lines of a chunk: about a MiB, and pages cut evenly, as what is missing of the last chunk is filled up.
int64_t chunk_lines (const Planned &planned)
{
  const auto most = std::clamp<int64_t> ((1 << 20) / planned.line_bytes (), 1, planned.lines ());
  const auto parts = (planned.lines () + most - 1) / most;
  return (planned.lines () + parts - 1) / parts;
}

size_t chunk_bytes (const Planned &planned)
{
  return static_cast<size_t> (chunk_lines (planned) * planned.line_bytes ());
}

std::vector<hsize_t> chunk_of (const Planned &planned)
{
  return {1, static_cast<hsize_t> (chunk_lines (planned)), static_cast<hsize_t> (planned.columns ())};
}

size_t at_once (int threads)
{
  return 2 * static_cast<size_t> (threads);
}

// A chunk as the file has it.
struct Packed {
  std::vector<std::byte> bytes;
  size_t size = 0;
  uint32_t skipped = 0; // a bit for each filter that was left out
};

// What one thread packs with.
class Press
{
public:
  static constexpr size_t own_bytes = size_t{3} << 19; // bytes that libdeflate takes

  Press (size_t chunk, size_t p) : pixel (p), shuffled (chunk)
  {
    if (!compressor)
      fail (SINO_ERROR_MEMORY, "no memory to compress with");
  }

  // What is missing of a whole chunk are zeros.
  void pack (const std::byte *pixels, size_t n, Packed &to)
  {
    const auto pitch = shuffled.size () / pixel, filled = n / pixel;
    for (size_t k = 0; k < pixel; k++) {
      auto *plane = shuffled.data () + k * pitch;
      for (size_t i = 0; i < filled; i++)
        plane[i] = pixels[i * pixel + k];
      std::fill (plane + filled, plane + pitch, std::byte{0});
    }
    to.size = libdeflate_zlib_compress (compressor.get (), shuffled.data (), shuffled.size (), to.bytes.data (),
                                        to.bytes.size ());
    to.skipped = 0;
    if (to.size > 0)
      return;
    to.size = shuffled.size (); // it would become larger
    to.skipped = pixel > 1 ? 2 : 1;
    std::copy (shuffled.begin (), shuffled.end (), to.bytes.begin ());
  }

private:
  struct Free {
    void operator() (libdeflate_compressor *c) const { libdeflate_free_compressor (c); }
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor{libdeflate_alloc_compressor (1)};
  size_t pixel;
  std::vector<std::byte> shuffled;
};

// As many presses as there are threads that want one at a time.
class Presses
{
public:
  template <class Work> void with_one (size_t chunk, size_t pixel, const Work &work)
  {
    auto press = take ();
    if (!press)
      press = std::make_unique<Press> (chunk, pixel);
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

class Deflated final : public Hdf5Target
{
public:
  Deflated (const Planned &p, const Frames::Watch &watch)
      : Hdf5Target (p, watch, chunk_of (p)), high (chunk_lines (p)), packed (at_once (p.cpu->threads ()))
  {
    for (auto &each : packed)
      each.bytes.resize (chunk_bytes (p));
    using namespace hdf5;
    const auto guard = lock ();
    const Handle access = access_list (), cache (H5Pcreate (H5P_DATASET_ACCESS), H5Pclose, failed);
    check (H5Pset_file_locking (access, false, true), failed); // the file is claimed already
    check (H5Pset_chunk_cache (cache, 0, 0, 0), failed);       // chunks do not go through it
    structure = {H5Fopen (file.path ().c_str (), H5F_ACC_RDWR, access), H5Fclose, failed};
    data = {H5Dopen2 (structure, "/exchange/data", cache), H5Dclose, failed};
  }

  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    write_pages ({page, page + 1}, lines, pixels, planned.page_bytes ());
  }

  void write_pages (Interval pages, Interval lines, const std::byte *pixels, int64_t page_bytes) override
  {
    if (!(lines == Interval{0, planned.lines ()}))
      fail (SINO_ERROR_FAILED, "a page to be compressed came in parts");
    const auto of_page = (planned.lines () + high - 1) / high, n = pages.size () * of_page;
    const auto round = static_cast<int64_t> (packed.size ());
    for (int64_t done = 0; done < n; done += round) {
      const auto some = std::min (round, n - done);
      planned.cpu->parallel (some, 1, [&] (int64_t begin, int64_t end) {
        presses.with_one (chunk_bytes (planned), size_of (planned.element), [&] (Press &press) {
          for (auto i = begin; i < end; i++) {
            const auto page = (done + i) / of_page, first = (done + i) % of_page * high;
            const auto here = std::min (high, planned.lines () - first);
            press.pack (pixels + page * page_bytes + first * planned.line_bytes (),
                        static_cast<size_t> (here * planned.line_bytes ()), packed[static_cast<size_t> (i)]);
          }
        });
      });
      store (pages.begin * of_page + done, of_page, {packed.data (), static_cast<size_t> (some)});
    }
  }

  void finish () override
  {
    {
      const auto guard = hdf5::lock ();
      hdf5::check (H5Fflush (structure, H5F_SCOPE_LOCAL), failed);
      const auto size = end ();
      data = {};
      structure = {};
      out.resize (size); // without what was reserved and not needed
    }
    PlainFile::finish ();
  }

private:
  const std::string failed = "cannot write '" + file.final_path () + "'";
  const int64_t high; // lines of a chunk
  hdf5::Handle structure, data;
  std::vector<Packed> packed;
  Presses presses;

  int64_t end () const
  {
    hsize_t size = 0;
    hdf5::check (H5Fget_filesize (structure, &size), failed);
    return static_cast<int64_t> (size);
  }

  // The disk's space is taken before HDF5 writes, which would be left in a state that it cannot close.
  void store (int64_t first, int64_t of_page, std::span<const Packed> some)
  {
    const auto guard = hdf5::lock ();
    constexpr int64_t index = 1 << 20; // bytes of what HDF5 has in its cache and the index that these chunks may take
    auto bytes = end () + index;
    for (const auto &each : some)
      bytes += static_cast<int64_t> (each.size);
    out.expect (bytes, true);
    out.reserve ();
    for (const auto &each : some) {
      const hsize_t at[] = {static_cast<hsize_t> (first / of_page), static_cast<hsize_t> (first % of_page * high), 0};
      hdf5::check (H5Dwrite_chunk (data, H5P_DEFAULT, each.skipped, at, each.size, each.bytes.data ()), failed);
      first++;
    }
  }
};

const Registered<WritingFormat>
    deflated ({.name = "HDF5 deflate",
               .suffixes = {".h5", ".hdf5", ".nxs"},
               .compressions = {Compression::deflate},
               .random_access = false,
               .priority = -1,
               .resident = hdf5_resident,
               .scratch = companion_scratch,
               .work =
                   [] (const Planned &planned, int threads) {
                     const auto chunk = chunk_bytes (planned);
                     return at_once (threads) * chunk + static_cast<size_t> (threads) * (chunk + Press::own_bytes);
                   },
               .open = [] (const Planned &planned, const Frames::Watch &watch) -> std::unique_ptr<Target> {
                 return std::make_unique<Deflated> (planned, watch);
               }});

} // namespace
} // namespace sino::files
