// SPDX-License-Identifier: LGPL-3.0-or-later
// OME-Zarr: a folder with a volume in several resolutions, one file per chunk. Pages come in order. Each level collects
// as many pages as a chunk has; half-resolution pages are passed to the next level.
#include "base/error.hpp"
#include "base/files/output-file.hpp"
#include "base/files/paths.hpp"
#include "base/files/temporary-folder.hpp"
#include "formats/descriptor.hpp"
#include "formats/formats.hpp"
#include "tasks/files/journal/kept-checksums.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/zarr/metadata.hpp"
#include "tasks/files/zarr/stack.hpp"
#include <algorithm>
#include <blosc.h>
#include <fcntl.h>
#include <filesystem>

namespace sino::files {

using namespace formats;

namespace {

constexpr const char *format_name = "OME-Zarr";

std::array<int64_t, 3> extent_of (const Planned &planned)
{
  return {planned.pages (), planned.lines (), planned.columns ()};
}

size_t page_bytes (const Level &level, Element element)
{
  return static_cast<size_t> (level.extent[1] * level.extent[2]) * size_of (element);
}

int64_t held_pages (const Level &level)
{
  return std::min (level.chunk[0], level.extent[0]);
}

size_t chunk_bytes (const Level &level, Element element)
{
  return static_cast<size_t> (level.chunk[0] * level.chunk[1] * level.chunk[2]) * size_of (element);
}

class OmeZarr final : public Target
{
public:
  explicit OmeZarr (const Planned &p)
      : planned (p), folders (p.name (0)), folder (p.name (0)), levels (levels_of (extent_of (p), p.element)),
        layers (levels.size ())
  {
    for (size_t i = 0; i < levels.size (); i++)
      layers[i].pixels.resize (static_cast<size_t> (held_pages (levels[i])) * page_bytes (levels[i], p.element));
  }

  void write (int64_t page, Interval lines, const std::byte *pixels) override
  {
    if (page != layers[0].begin + layers[0].held || !(lines == Interval{0, planned.lines ()}))
      fail (SINO_ERROR_FAILED, "pages of an OME-Zarr arrived in parts, or not in order");
    std::copy_n (pixels, page_bytes (levels[0], planned.element), next_page (0));
    added (0);
  }

  bool keep (const Checksums &sums) override
  {
    ChecksumFile (folder.path () + "/" + zarr_sums, whole_checksums (planned, sums)).commit ();
    return true;
  }

  void finish () override
  {
    put (".zgroup", zarr_group);
    put (".zattrs", zarr_attributes (planned, levels));
    const auto attributes = zarr_array_attributes (planned);
    for (size_t i = 0; i < levels.size () && !attributes.empty (); i++)
      put (std::to_string (i) + "/.zattrs", attributes);
    for (size_t i = 0; i < levels.size (); i++)
      put (std::to_string (i) + "/.zarray", zarr_array (levels[i], planned.element, planned.compression));
    if (planned.overwrite) // the existing folder may have changed since the run began
      check_output_folder (folder.final_path (), true, format_name, is_ome_zarr);
    folder.commit (planned.overwrite);
    folders.keep ();
  }

private:
  // Pages of a level that are not written yet.
  struct Layer {
    std::vector<std::byte> pixels;
    int64_t begin = 0, held = 0;
  };

  const Planned planned;
  MadeFolders folders;
  UnfinishedFolder folder;
  const std::vector<Level> levels;
  std::vector<Layer> layers;

  std::byte *page (size_t level, int64_t i)
  {
    return layers[level].pixels.data () + static_cast<size_t> (i) * page_bytes (levels[level], planned.element);
  }
  std::byte *next_page (size_t level) { return page (level, layers[level].held); }

  // Called after adding a page: if the layer is complete, writes and halves it.
  void added (size_t level)
  {
    auto &layer = layers[level];
    layer.held++;
    if (layer.held < held_pages (levels[level]) && layer.begin + layer.held < levels[level].extent[0])
      return;
    write_layer (level);
    if (level + 1 < levels.size ())
      for (int64_t i = 0; i < layer.held; i += 2) {
        halve (levels[level], levels[level + 1], planned.element, page (level, i),
               i + 1 < layer.held ? page (level, i + 1) : nullptr, next_page (level + 1), *planned.cpu);
        added (level + 1);
      }
    layer.begin += layer.held;
    layer.held = 0;
  }

  void write_layer (size_t number)
  {
    const auto &level = levels[number];
    const auto along = [&] (size_t axis) { return divide_up (level.extent[axis], level.chunk[axis]); };
    const auto down = along (1), across = along (2);
    const auto place = std::to_string (number) + "/" + std::to_string (layers[number].begin / level.chunk[0]) + "/";
    for (int64_t y = 0; y < down; y++)
      make_folder (place + std::to_string (y));
    planned.cpu->parallel (down * across, 1, [&] (int64_t begin, int64_t end) {
      std::vector<std::byte> chunk (chunk_bytes (level, planned.element)), packed;
      for (auto i = begin; i < end; i++) {
        gather (number, i / across, i % across, chunk);
        // A missing chunk is all zeros, so such chunks are not written.
        if (std::ranges::any_of (chunk, [] (std::byte b) { return b != std::byte{0}; }))
          put_chunk (place + std::to_string (i / across) + "/" + std::to_string (i % across), chunk, packed);
      }
    });
  }

  // Copies the pixels of a chunk; the part outside the volume is zeros.
  void gather (size_t number, int64_t y, int64_t x, std::vector<std::byte> &chunk)
  {
    const auto &level = levels[number];
    const auto &[depth, high, wide] = level.chunk;
    const auto pixel = size_of (planned.element);
    const auto lines = std::min (high, level.extent[1] - y * high),
               columns = std::min (wide, level.extent[2] - x * wide);
    if (layers[number].held < depth || lines < high || columns < wide)
      std::ranges::fill (chunk, std::byte{0});
    for (int64_t k = 0; k < layers[number].held; k++)
      for (int64_t j = 0; j < lines; j++)
        std::copy_n (page (number, k) + static_cast<size_t> ((y * high + j) * level.extent[2] + x * wide) * pixel,
                     static_cast<size_t> (columns) * pixel,
                     chunk.data () + static_cast<size_t> ((k * high + j) * wide) * pixel);
  }

  void put_chunk (const std::string &name, const std::vector<std::byte> &chunk, std::vector<std::byte> &packed) const
  {
    const auto *packer = blosc_name (planned.compression);
    if (!packer)
      return put (name, {reinterpret_cast<const char *> (chunk.data ()), chunk.size ()});
    packed.resize (chunk.size () + BLOSC_MAX_OVERHEAD);
    const auto size = blosc_compress_ctx (blosc_level, BLOSC_SHUFFLE, size_of (planned.element), chunk.size (),
                                          chunk.data (), packed.data (), packed.size (), packer, 0, 1);
    if (size <= 0)
      fail (SINO_ERROR_FAILED, "Blosc cannot pack a chunk of '%s' with %s", folder.final_path ().c_str (), packer);
    put (name, {reinterpret_cast<const char *> (packed.data ()), static_cast<size_t> (size)});
  }

  void make_folder (const std::string &name) const
  {
    std::error_code failed;
    std::filesystem::create_directories (folder.path () + "/" + name, failed);
    if (failed)
      fail_file ("cannot make a folder of", folder.final_path (), failed.value ());
  }

  void put (const std::string &name, std::string_view bytes) const
  {
    Descriptor file (folder.path () + "/" + name, O_WRONLY | O_CREAT | O_EXCL, folder.final_path () + "/" + name);
    file.expect (std::ssize (bytes));
    file.write (bytes.data (), bytes.size (), 0);
  }
};

size_t work (const Planned &planned, int threads)
{
  size_t bytes = 0, chunk = 0;
  for (const auto &level : levels_of (extent_of (planned), planned.element)) {
    bytes += static_cast<size_t> (held_pages (level)) * page_bytes (level, planned.element);
    chunk = std::max (chunk, chunk_bytes (level, planned.element));
  }
  constexpr size_t blosc_bytes = size_t{4} << 20; // memory of Blosc
  return bytes + static_cast<size_t> (threads) * (2 * chunk + BLOSC_MAX_OVERHEAD + blosc_bytes);
}

std::optional<KeptChecksums> zarr_checksums (const std::string &path)
{
  return find_checksums (path + "/" + zarr_sums);
}

const Registered<WritingFormat> ome_zarr ({.name = format_name,
                                           .suffixes = {".zarr"},
                                           .kinds = {Kind::slices},
                                           .compressions = {Compression::zstd, Compression::lz4, Compression::none},
                                           .sized = always_sized,
                                           .replaceable = is_ome_zarr,
                                           .random_access = false,
                                           .work = work,
                                           .open =
                                               [] (const Planned &planned, const Frames::Watch &) {
                                                 return std::unique_ptr<Target> (std::make_unique<OmeZarr> (planned));
                                               },
                                           .written = written_zarr,
                                           .kept = zarr_checksums});

} // namespace
} // namespace sino::files
