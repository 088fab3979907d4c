// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/zarr/stack.hpp"
#include "base/error.hpp"
#include "base/half.hpp"
#include "formats/descriptor.hpp"
#include "tasks/files/zarr/levels.hpp"
#include <algorithm>
#include <blosc.h>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

template <class T> std::vector<std::byte> bytes_as (T value)
{
  std::vector<std::byte> bytes (sizeof (T));
  std::memcpy (bytes.data (), &value, sizeof (T));
  return bytes;
}

// A value as streams have it.
std::vector<std::byte> bytes_of (Element element, double value)
{
  const auto narrow = static_cast<float> (value);
  switch (element) {
  case Element::u8:
    return bytes_as (static_cast<uint8_t> (value));
  case Element::u16:
    return bytes_as (static_cast<uint16_t> (value));
  case Element::f16:
    return bytes_as (half_from_float (narrow));
  case Element::f32:
    break;
  }
  return bytes_as (narrow);
}

class ZarrStack final : public Stack
{
public:
  explicit ZarrStack (ZarrArray a)
      : array (std::move (a)),
        bytes (static_cast<size_t> (array.chunk[0] * array.chunk[1] * array.chunk[2]) * size_of (array.element)),
        filling (bytes_of (array.element, array.fill))
  {
    element = array.element;
    pages = array.extent[0];
    lines = array.extent[1];
    columns = array.extent[2];
    name = array.folder;
    unit = {.pages = array.chunk[0], .lines = array.chunk[1], .columns = array.chunk[2], .stored = stored_bytes ()};
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    // Chunks are shared among the threads, a layer of them after the other.
    std::vector<Run> chunks;
    for (const auto &z : runs (part.pages, array.chunk[0]))
      for (const auto &y : runs (part.lines, array.chunk[1]))
        for (const auto &x : runs (part.columns, array.chunk[2]))
          chunks.push_back ({z, y, x});
    share (std::ssize (chunks), reading.cpu ? reading.cpu->threads () : 1, reading, [&] (const Next &next) {
      std::vector<std::byte> chunk (bytes), stored;
      while (const auto i = next ()) {
        const auto &[z, y, x] = chunks[static_cast<size_t> (*i)];
        get (chunk_name (z.unit, y.unit, x.unit), chunk, stored);
        copy (part, chunks[static_cast<size_t> (*i)], chunk, out);
      }
    });
  }

  size_t scratch (int threads) const override
  {
    return static_cast<size_t> (threads) * (2 * bytes + BLOSC_MAX_OVERHEAD);
  }
  size_t resident () const override { return sizeof *this; }

private:
  const ZarrArray array;
  const size_t bytes;                   // bytes of a chunk
  const std::vector<std::byte> filling; // of a value of missing chunks

  // The wanted numbers from `begin` to `end` lie in one chunk.
  struct Along {
    int64_t unit;
    size_t begin, end;
  };
  struct Run {
    Along z, y, x;
  };

  static std::vector<Along> runs (Numbers numbers, int64_t extent)
  {
    std::vector<Along> list;
    for (size_t begin = 0; begin < numbers.size (); begin = list.back ().end)
      list.push_back ({numbers[begin] / extent, begin, end_of_unit (numbers, begin, extent)});
    return list;
  }

  // Bytes of the first chunk in its file: others are about as large.
  double stored_bytes () const
  {
    FileStamp stamp;
    return array.packed && find_stamp (array.folder + "/" + chunk_name (0, 0, 0), stamp)
               ? static_cast<double> (std::max<int64_t> (stamp.size, 1))
               : static_cast<double> (bytes);
  }

  std::string chunk_name (int64_t z, int64_t y, int64_t x) const
  {
    return array.before + text ("%lld%c%lld%c%lld", static_cast<long long> (z), array.separator,
                                static_cast<long long> (y), array.separator, static_cast<long long> (x));
  }

  void copy (const Part &part, const Run &run, const std::vector<std::byte> &chunk, std::byte *out) const
  {
    const auto size = pixel (*this);
    for (auto k = run.z.begin; k < run.z.end; k++)
      for (auto j = run.y.begin; j < run.y.end; j++) {
        const auto line = part.pages[k] % array.chunk[0] * array.chunk[1] + part.lines[j] % array.chunk[1];
        gather (chunk.data () + static_cast<size_t> (line * array.chunk[2]) * size, run.x.unit * array.chunk[2],
                part.columns.subspan (run.x.begin, run.x.end - run.x.begin), size,
                out + ((k * part.lines.size () + j) * part.columns.size () + run.x.begin) * size);
      }
  }

  // Reads a chunk; a missing chunk has the fill value.
  void get (const std::string &name, std::vector<std::byte> &chunk, std::vector<std::byte> &stored) const
  {
    const auto place = array.folder + "/" + name;
    if (access (place.c_str (), F_OK) != 0 && errno == ENOENT) {
      for (size_t at = 0; at < chunk.size (); at += filling.size ())
        std::ranges::copy (filling, chunk.begin () + static_cast<std::ptrdiff_t> (at));
      return;
    }
    const Descriptor file (place, O_RDONLY);
    const auto size = static_cast<size_t> (file.size ());
    if (!array.packed && size == bytes) {
      file.read (chunk.data (), bytes, 0);
      return order (chunk);
    }
    stored.resize (std::min (size, bytes + BLOSC_MAX_OVERHEAD));
    file.read (stored.data (), stored.size (), 0);
    if (size_t decoded = 0; !array.packed || blosc_cbuffer_validate (stored.data (), stored.size (), &decoded) != 0 ||
                            decoded != bytes ||
                            blosc_decompress_ctx (stored.data (), chunk.data (), bytes, 1) != static_cast<int> (bytes))
      fail (SINO_ERROR_BAD_FILE, "'%s' is damaged: it is not a chunk of %zu bytes", place.c_str (), bytes);
    order (chunk);
  }

  void order (std::vector<std::byte> &chunk) const
  {
    if (array.swapped)
      swap_bytes (chunk.data (), chunk.size () / pixel (*this), pixel (*this));
  }
};

} // namespace

std::shared_ptr<const Stack> zarr_stack (ZarrArray array)
{
  return std::make_shared<const ZarrStack> (std::move (array));
}

std::shared_ptr<const Stack> written_zarr (const std::string &path, Element element,
                                           const std::array<int64_t, 3> &extent)
{
  constexpr size_t most = 1 << 20;
  const bool plain =
      read_input ("a file", path + "/0/.zarray", most).find ("\"compressor\": null") != std::string::npos;
  return zarr_stack ({.folder = path + "/0",
                      .extent = extent,
                      .chunk = levels_of (extent, element).front ().chunk,
                      .element = element,
                      .packed = !plain,
                      .separator = '/',
                      .before = {}});
}

} // namespace sino::files
