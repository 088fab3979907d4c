// SPDX-License-Identifier: LGPL-3.0-or-later
// JPEG as a format to read: grey images of 8 bits, one per file. Follows libjpeg's "Using the IJG JPEG library".
#include "base/error.hpp"
#include "base/shown.hpp"
#include "formats/formats.hpp"
#include "tasks/files/png/file-feed.hpp"
#include <csetjmp>
#include <cstdio> // jpeglib.h needs it
#include <jpeglib.h>

namespace sino::files {

namespace {

struct JpegLibrary : FileFeed {
  jpeg_decompress_struct image = {};
  jpeg_error_mgr errors = {};
  jpeg_source_mgr source = {};
  std::jmp_buf way_out;
  bool begun = false; // lines are being decoded

  using FileFeed::FileFeed;
  ~JpegLibrary () { jpeg_destroy_decompress (&image); }

  static JpegLibrary &of (j_common_ptr image) { return *static_cast<JpegLibrary *> (image->client_data); }
  static JpegLibrary &of (j_decompress_ptr image) { return *static_cast<JpegLibrary *> (image->client_data); }

  [[noreturn]] static void stop (j_common_ptr image)
  {
    auto &self = of (image);
    if (!self.reason[0]) {
      char words[JMSG_LENGTH_MAX] = "";
      image->err->format_message (image, words);
      g_strlcpy (self.reason, words, sizeof self.reason);
    }
    std::longjmp (self.way_out, 1);
  }

  // If data are damaged, libjpeg continues with grey pixels and only warns; this makes it an error.
  static void warn (j_common_ptr image, int level)
  {
    if (level < 0)
      stop (image);
  }

  static boolean give (j_decompress_ptr image)
  {
    auto &self = of (image);
    const auto n = self.fill ();
    if (n == 0)
      stop (reinterpret_cast<j_common_ptr> (image));
    self.source.next_input_byte = reinterpret_cast<const JOCTET *> (self.buffer);
    self.source.bytes_in_buffer = n;
    return TRUE;
  }

  static void skip (j_decompress_ptr image, long n)
  {
    auto &self = of (image);
    auto left = static_cast<size_t> (std::max (n, 0L));
    while (left > self.source.bytes_in_buffer) {
      left -= self.source.bytes_in_buffer;
      give (image);
    }
    self.source.next_input_byte += left;
    self.source.bytes_in_buffer -= left;
  }

  bool begin ()
  {
    image.err = jpeg_std_error (&errors);
    errors.error_exit = stop;
    errors.emit_message = warn;
    image.client_data = this;
    if (setjmp (way_out))
      return false;
    jpeg_create_decompress (&image);
    image.client_data = this; // cleared by jpeg_create_decompress () in older versions
    source.init_source = [] (j_decompress_ptr) {};
    source.fill_input_buffer = give;
    source.skip_input_data = skip;
    source.resync_to_restart = jpeg_resync_to_restart;
    source.term_source = [] (j_decompress_ptr) {};
    image.src = &source;
    jpeg_read_header (&image, TRUE);
    return true;
  }

  bool line (std::byte *to)
  {
    auto *pixels = reinterpret_cast<JSAMPLE *> (to);
    if (setjmp (way_out))
      return false;
    if (!begun) {
      image.out_color_space = JCS_GRAYSCALE;
      image.dct_method = JDCT_ISLOW; // gives the same bytes on all machines
      jpeg_start_decompress (&image);
      begun = true;
    }
    jpeg_read_scanlines (&image, &pixels, 1);
    return true;
  }

  bool end ()
  {
    if (setjmp (way_out))
      return false;
    jpeg_finish_decompress (&image);
    return true;
  }
};

LineHead jpeg_head (const Descriptor &file, const std::string &title)
{
  LibraryReader<JpegLibrary> reader (file, title);
  auto &image = reader.library.image;
  if (image.num_components != 1)
    fail (SINO_ERROR_BAD_FILE, "%s contains colours: convert it to grey values", title.c_str ());
  if (image.data_precision != 8)
    fail (SINO_ERROR_BAD_FILE, "%s contains values of %d bits: convert them to 8 bits", title.c_str (),
          image.data_precision);
  if (jpeg_has_multiple_scans (&image))
    fail (SINO_ERROR_BAD_FILE, "%s is progressive: write it again as a baseline JPEG", title.c_str ());
  const LineHead found{Sample::u8, image.image_height, image.image_width};
  check_extents (title, element_of (found.sample), 1, found.lines, found.columns);
  return found;
}

size_t jpeg_scratch (const LineHead &head)
{
  // Memory for tables, and for some lines of blocks as coefficients and as pixels.
  return sizeof (JpegLibrary) + 64 * static_cast<size_t> (head.columns) + (size_t{256} << 10);
}

constexpr LineFormat jpeg_lines{
    .swapped = false, .head = jpeg_head, .open = LibraryReader<JpegLibrary>::open, .scratch = jpeg_scratch};

std::shared_ptr<const ImageFile> open_jpeg (const ReadRequest &request, std::vector<std::string> &messages)
{
  auto stack = line_images (request.paths, jpeg_lines);
  messages.push_back (in_quotes (stack->name) +
                      " is JPEG, which rounds values in blocks of 8 x 8 pixels: use the original images if they exist");
  return std::make_shared<const ImageFile> (request.path, std::move (stack));
}

// Lowest priority, because a folder may contain pictures beside its images.
const Registered<ReadingFormat>
    jpeg ({.name = "JPEG",
           .recognised = [] (const Descriptor &file) { return begins_with (file, "\xff\xd8\xff"); },
           .suffixes = {".jpg", ".jpeg"},
           .elements = {Element::u8},
           .sequences = true,
           .priority = -2,
           .open = open_jpeg});

} // namespace

} // namespace sino::files
