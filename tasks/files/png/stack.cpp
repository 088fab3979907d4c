// SPDX-License-Identifier: LGPL-3.0-or-later
// PNG as a format to read: grey images of 8 or 16 bits, one per file. Follows "Portable Network Graphics (PNG)
// Specification" (W3C, 2003) and libpng's manual.
#include "base/error.hpp"
#include "formats/formats.hpp"
#include "formats/page-files.hpp"
#include "tasks/files/png/file-feed.hpp"
#include <libdeflate.h>
#include <png.h>

namespace sino::files {

namespace {

// --- the header ---

// Bytes of the signature; bytes of a chunk beside its data: length and name before it, checksum after it.
constexpr int64_t signature_bytes = 8, frame_bytes = 12;
constexpr bool png_swapped = std::endian::native == std::endian::little;

struct Colours {
  int type;
  const char *what;
};

constexpr Colours not_grey[] = {
    {PNG_COLOR_TYPE_RGB, "contains colours: convert it to grey values"},
    {PNG_COLOR_TYPE_PALETTE, "contains indices into a colour palette: convert it to grey values"},
    {PNG_COLOR_TYPE_GRAY_ALPHA, "contains transparency: write it again with grey values only"},
    {PNG_COLOR_TYPE_RGB_ALPHA, "contains transparent colours: convert it to grey values"},
};

// Throws if there is no end chunk; it may be followed by other bytes.
void require_end (const Descriptor &file, const std::string &title)
{
  const auto size = file.size ();
  std::byte chunk[frame_bytes];
  const auto ends_at = [&] (int64_t offset) {
    file.read (chunk, 8, offset);
    return std::string_view (reinterpret_cast<const char *> (chunk) + 4, 4) == "IEND";
  };
  if (size >= signature_bytes + frame_bytes && ends_at (size - frame_bytes))
    return;
  for (auto offset = signature_bytes; offset + frame_bytes <= size;) {
    if (ends_at (offset))
      return;
    offset += frame_bytes + number_at<uint32_t> (chunk, 0, png_swapped);
  }
  fail (SINO_ERROR_BAD_FILE, "%s is truncated: it has no end", title.c_str ());
}

// Reads the header. Throws if it is damaged, the file is truncated, or the pixels are of an unsupported kind.
LineHead png_head (const Descriptor &file, const std::string &title)
{
  constexpr size_t head_bytes = 13, sum_at = 4 + head_bytes;
  std::byte chunk[frame_bytes + head_bytes];
  file.read (chunk, sizeof chunk, signature_bytes);
  const auto number = [&] (size_t at) { return number_at<uint32_t> (chunk, at, png_swapped); };
  const auto byte = [&] (size_t at) { return static_cast<int> (chunk[8 + at]); };
  if (number (0) != head_bytes || libdeflate_crc32 (0, chunk + 4, sum_at) != number (4 + sum_at))
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: its header does not match its stored checksum", title.c_str ());
  const int bits = byte (8), type = byte (9), interlaced = byte (12);
  for (const auto &known : not_grey)
    if (type == known.type)
      fail (SINO_ERROR_BAD_FILE, "%s %s", title.c_str (), known.what);
  if (bits < 8)
    fail (SINO_ERROR_BAD_FILE, "%s contains values of %d bits: convert them to 8 or 16 bits", title.c_str (), bits);
  if (interlaced != PNG_INTERLACE_NONE)
    fail (SINO_ERROR_BAD_FILE, "%s is interlaced: write it again without interlacing", title.c_str ());
  const LineHead head{bits == 8 ? Sample::u8 : Sample::u16, number (12), number (8)};
  if (type != PNG_COLOR_TYPE_GRAY || (bits != 8 && bits != 16) || head.lines == 0 || head.columns == 0)
    fail (SINO_ERROR_BAD_FILE,
          "%s is damaged: its header describes %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
          " pixels of type %d with %d bits",
          title.c_str (), head.columns, head.lines, type, bits);
  check_extents (title, element_of (head.sample), 1, head.lines, head.columns);
  require_end (file, title);
  // Deflate expands one byte to at most 1032 (zlib.net/zlib_tech.html).
  if (head.lines * head.columns * static_cast<int64_t> (size_of (head.sample)) / 1032 > file.size ())
    fail (SINO_ERROR_BAD_FILE,
          "%s is damaged: a file of %" G_GINT64_FORMAT " bytes cannot contain %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
          " pixels",
          title.c_str (), file.size (), head.columns, head.lines);
  return head;
}

// --- the lines ---

struct PngLibrary : FileFeed {
  png_structp png = nullptr;
  png_infop info = nullptr;
  size_t at = 0, filled = 0; // bytes of the buffer that libpng has used, and all

  using FileFeed::FileFeed;
  ~PngLibrary () { png_destroy_read_struct (&png, &info, nullptr); }

  static void give (png_structp png, png_bytep to, size_t n)
  {
    auto &self = *static_cast<PngLibrary *> (png_get_io_ptr (png));
    while (n > 0) {
      if (self.at == self.filled) {
        self.at = 0;
        self.filled = self.fill ();
        if (self.filled == 0)
          png_error (png, nullptr);
      }
      const auto some = std::min (n, self.filled - self.at);
      std::copy_n (reinterpret_cast<const png_byte *> (self.buffer) + self.at, some, to);
      self.at += some;
      to += some;
      n -= some;
    }
  }

  static void stop (png_structp png, png_const_charp why)
  {
    auto &self = *static_cast<PngLibrary *> (png_get_error_ptr (png));
    if (why)
      g_strlcpy (self.reason, why, sizeof self.reason);
    png_longjmp (png, 1);
  }

  static void ignore (png_structp, png_const_charp) {}

  bool begin ()
  {
    g_strlcpy (reason, "libpng cannot open it, because there is not enough memory", sizeof reason);
    png = png_create_read_struct (PNG_LIBPNG_VER_STRING, this, stop, ignore);
    info = png ? png_create_info_struct (png) : nullptr;
    if (!info || setjmp (png_jmpbuf (png)))
      return false;
    png_set_user_limits (png, static_cast<png_uint_32> (largest_extent), static_cast<png_uint_32> (largest_extent));
    png_set_keep_unknown_chunks (png, PNG_HANDLE_CHUNK_NEVER, nullptr,
                                 -1); // ignores chunks that are not needed for the pixels
    png_set_read_fn (png, this, give);
    png_read_info (png, info);
    return true;
  }

  bool line (std::byte *to) // high byte first
  {
    if (setjmp (png_jmpbuf (png)))
      return false;
    png_read_row (png, reinterpret_cast<png_bytep> (to), nullptr);
    return true;
  }

  bool end ()
  {
    if (setjmp (png_jmpbuf (png)))
      return false;
    png_read_end (png, nullptr);
    return true;
  }
};

size_t png_scratch (const LineHead &head)
{
  // Two lines in libpng, and the window and tables of zlib, which take 44 KiB.
  return sizeof (PngLibrary) + 2 * static_cast<size_t> (head.columns) * size_of (head.sample) + (size_t{96} << 10);
}

constexpr LineFormat png_lines{
    .swapped = png_swapped, .head = png_head, .open = LibraryReader<PngLibrary>::open, .scratch = png_scratch};

// Low priority, because a folder may contain pictures beside its images.
const Registered<ReadingFormat>
    png ({.name = "PNG",
          .recognised = [] (const Descriptor &file) { return begins_with (file, "\x89PNG\r\n\x1a\n"); },
          .suffixes = {".png"},
          .elements = {Element::u8, Element::u16},
          .sequences = true,
          .priority = -1,
          .open =
              [] (const ReadRequest &request, auto &) {
                return std::make_shared<const ImageFile> (request.path, line_images (request.paths, png_lines));
              }});

} // namespace

} // namespace sino::files
