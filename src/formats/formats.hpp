// SPDX-License-Identifier: LGPL-3.0-or-later
// The formats of files that can be read and written. Each describes itself and has one opener. A module adds its own
// formats with one statement each: docs/guide/adding-a-format.md.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/descriptor.hpp"
#include "formats/image-file.hpp"
#include "formats/target.hpp"
#include <array>

namespace sino::formats {

// A request to open files.
struct ReadRequest {
  std::string path;               // path that the user has given
  std::vector<std::string> paths; // one file, or several in natural order if the format accepts them
  std::string dataset;            // name of the dataset, for formats with several; "": the default one
  std::string images;             // kind of images: "data", "data_dark" or "data_white"
  Missing missing = Missing::fail;
  std::string raw = {}; // the user's description of pixels in files without a head
  bool growing = false; // a detector may still write the files
};

struct ReadingFormat {
  static constexpr const char *use = "read";
  std::string name;                                      // "TIFF"
  bool (*recognised) (const Descriptor &file) = nullptr; // checks the first bytes, which take precedence over suffixes
  std::vector<std::string> suffixes;                     // ".tif", lower case
  std::vector<Element> elements = {Element::u8, Element::u16, // element types that its files may hold
                                   Element::f16, Element::f32};
  bool folders = false;      // a folder whose name has one of the suffixes is a scan itself
  bool sequences = false;    // several files (a folder, or a pattern) make a stack
  bool datasets = false;     // a file holds several stacks; `dataset` names one
  bool described = false;    // files do not describe their pixels: `raw` does, and selects this format
  bool describes = false;    // a file describes a scan, whose images are other files in its folder
  bool random_access = true; // otherwise the images come in order and only once
  int priority = 0;          // if several formats match, the one with the greatest priority is used
  std::shared_ptr<const ImageFile> (*open) (const ReadRequest &request, std::vector<std::string> &messages) = nullptr;
};

struct WritingFormat {
  static constexpr const char *use = "write";
  std::string name;
  std::vector<std::string> suffixes;
  std::vector<Element> elements = {Element::u8, Element::u16, Element::f16, Element::f32};
  std::vector<Kind> kinds = {Kind::projections, Kind::sinograms, Kind::slices};
  // Content of one file: the whole stream, or one image (the path then has a number); `either`: it depends on the path.
  enum class Files { stream, image, either } files = Files::stream;
  std::vector<Compression> compressions = {Compression::none}; // the first is the default
  bool (*sized) (const Planned &planned) = nullptr;            // whether its files record pixel sizes with a unit
  // For formats whose result is a folder: whether an existing folder has this format, so that it may be replaced.
  bool (*replaceable) (const std::string &folder) = nullptr;
  bool random_access = true; // false: whole pages must be written in order, one at a time
  // Throws, during negotiation, if it cannot write this output for another reason than those above.
  void (*check) (const Planned &planned) = nullptr;
  // Whether a later run can continue a file of a killed run: each line has a fixed place in the file.
  bool (*resumes) (const Planned &planned) = nullptr;
  bool spreads = false; // whether it can spread the images over several files: Planned::files
  bool parts = false;   // whether an image with its own file may also be written in parts, one after the other
  int priority = 0;
  size_t resident = 65536; // bytes of memory that an open target holds
  // Bytes of memory that it takes only while it opens.
  size_t (*scratch) (const Format &stream) = nullptr;
  // Bytes of memory that it takes while it writes.
  size_t (*work) (const Planned &planned, int threads) = nullptr;
  std::vector<std::string> (*beside) (const std::string &path) = nullptr; // other files that belong to an output
  std::unique_ptr<Target> (*open) (const Planned &planned, const Frames::Watch &watch) = nullptr;
  // Opens a written output whose pages, lines and columns are known; null: a reading format does that.
  std::shared_ptr<const Stack> (*written) (const std::string &path, Element element,
                                           const std::array<int64_t, 3> &extent) = nullptr;
  // Checksums that Target::keep () has put into a file; empty if there are none; null: checksums are in a file beside
  // it.
  std::optional<KeptChecksums> (*kept) (const std::string &path) = nullptr;
  // Adds checksums to a complete output later, for formats with `kept`. False: there is no place for them.
  bool (*keep) (const std::string &path, const Planned &planned, const Checksums &sums) = nullptr;
};

// All formats, by descending priority: registered<ReadingFormat> ().
template <class F> const std::vector<const F *> &registered ();

// Adds a format permanently, before any is used; throws if its name is taken.
template <class F> void add_format (const F &format);

// A format of a module; SINO_MODULE (glue/module-entry.hpp) walks the list.
struct AnyFormat {
  const AnyFormat *next = head;
  [[gnu::visibility ("hidden")]] static inline const AnyFormat *head = nullptr; // each module has its own

  AnyFormat () { head = this; }
  virtual ~AnyFormat () = default;
  virtual void add () const = 0;
};

template <class F> struct Registered final : AnyFormat {
  const F format;

  explicit Registered (F f) : format (std::move (f)) {}
  void add () const override { add_format (format); }
};

// Whether a path ends in one of the suffixes, in letters of any case.
SINO_VISIBLE bool has_suffix (const std::string &path, const std::vector<std::string> &suffixes);
// Whether a file begins with these bytes.
SINO_VISIBLE bool begins_with (const Descriptor &file, std::string_view bytes);

// "u8, u16 or f32"
SINO_VISIBLE std::string elements_text (const std::vector<Element> &elements, std::string_view last = ", ");

} // namespace sino::formats
