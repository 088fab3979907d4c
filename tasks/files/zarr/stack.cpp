// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/zarr/stack.hpp"
#include "base/error.hpp"
#include "formats/descriptor.hpp"
#include "tasks/files/zarr/levels.hpp"
#include <algorithm>
#include <blosc.h>
#include <fcntl.h>
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

class WrittenZarr final : public Stack
{
public:
  WrittenZarr (std::string p, Element e, const std::array<int64_t, 3> &extent)
      : path (std::move (p)), level (levels_of (extent, e).front ()), packed (is_packed (path)),
        bytes (static_cast<size_t> (level.chunk[0] * level.chunk[1] * level.chunk[2]) * size_of (e))
  {
    element = e;
    pages = extent[0];
    lines = extent[1];
    columns = extent[2];
    name = path;
    unit = {.pages = level.chunk[0],
            .lines = level.chunk[1],
            .columns = level.chunk[2],
            .stored = static_cast<double> (bytes)};
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    std::vector<std::byte> chunk (bytes), stored;
    const auto each = [] (Numbers numbers, int64_t extent, const auto &body) {
      for (size_t begin = 0; begin < numbers.size ();) {
        const auto end = end_of_unit (numbers, begin, extent);
        body (numbers[begin] / extent, begin, end);
        begin = end;
      }
    };
    each (part.pages, level.chunk[0], [&] (int64_t z, size_t z0, size_t z1) {
      each (part.lines, level.chunk[1], [&] (int64_t y, size_t y0, size_t y1) {
        each (part.columns, level.chunk[2], [&] (int64_t x, size_t x0, size_t x1) {
          reading.check ();
          get (text ("0/%lld/%lld/%lld", static_cast<long long> (z), static_cast<long long> (y),
                     static_cast<long long> (x)),
               chunk, stored);
          for (auto k = z0; k < z1; k++)
            for (auto j = y0; j < y1; j++) {
              const auto line = part.pages[k] % level.chunk[0] * level.chunk[1] + part.lines[j] % level.chunk[1];
              gather (chunk.data () + static_cast<size_t> (line * level.chunk[2]) * pixel (*this), x * level.chunk[2],
                      part.columns.subspan (x0, x1 - x0), pixel (*this),
                      out + ((k * part.lines.size () + j) * part.columns.size () + x0) * pixel (*this));
            }
        });
      });
    });
  }

  size_t scratch (int) const override { return 2 * bytes + BLOSC_MAX_OVERHEAD; }
  size_t resident () const override { return sizeof *this; }

private:
  const std::string path;
  const Level level;
  const bool packed;
  const size_t bytes; // bytes of a chunk

  static bool is_packed (const std::string &path)
  {
    constexpr size_t most = 1 << 20;
    return read_input ("a file", path + "/0/.zarray", most).find ("\"compressor\": null") == std::string::npos;
  }

  // Reads a chunk; a missing chunk is all zeros.
  void get (const std::string &chunk_name, std::vector<std::byte> &chunk, std::vector<std::byte> &stored) const
  {
    const auto place = path + "/" + chunk_name;
    if (access (place.c_str (), F_OK) != 0 && errno == ENOENT) {
      std::ranges::fill (chunk, std::byte{0});
      return;
    }
    const Descriptor file (place, O_RDONLY);
    const auto size = static_cast<size_t> (file.size ());
    if (!packed && size == bytes)
      return file.read (chunk.data (), bytes, 0);
    stored.resize (std::min (size, bytes + BLOSC_MAX_OVERHEAD));
    file.read (stored.data (), stored.size (), 0);
    if (size_t decoded = 0; !packed || blosc_cbuffer_validate (stored.data (), stored.size (), &decoded) != 0 ||
                            decoded != bytes ||
                            blosc_decompress_ctx (stored.data (), chunk.data (), bytes, 1) != static_cast<int> (bytes))
      fail (SINO_ERROR_BAD_FILE, "'%s' is damaged: it is not a chunk of %zu bytes", place.c_str (), bytes);
  }
};

} // namespace

std::shared_ptr<const Stack> written_zarr (const std::string &path, Element element,
                                           const std::array<int64_t, 3> &extent)
{
  return std::make_shared<WrittenZarr> (path, element, extent);
}

} // namespace sino::files
