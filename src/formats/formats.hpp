// SPDX-License-Identifier: LGPL-3.0-or-later
// The formats of files that there are, to read and to write: each says what it is and has one opener. A module adds its
// own, one statement for each: docs/guide/adding-a-format.md.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/descriptor.hpp"
#include "formats/image-file.hpp"
#include "formats/target.hpp"
#include <array>

namespace sino::formats {

// What is to be opened.
struct ReadRequest {
  std::string path;               // as people gave it
  std::vector<std::string> paths; // one file; or several in natural order, where the format takes them
  std::string dataset;            // for a format that has datasets; "": the usual one
  std::string images;             // what they are: data, data_dark or data_white
  Missing missing = Missing::fail;
  std::string raw = {}; // what people say of pixels that no head describes
};

struct ReadingFormat {
  static constexpr const char *use = "read";
  std::string name;                                           // "TIFF"
  bool (*recognised) (const Descriptor &file) = nullptr;      // looks at its bytes, which go before any suffix
  std::vector<std::string> suffixes;                          // ".tif", lower case
  std::vector<Element> elements = {Element::u8, Element::u16, // what its files may hold
                                   Element::f16, Element::f32};
  bool sequences = false;    // several files make a stack: a folder, or a pattern
  bool datasets = false;     // a file holds several stacks, of which `dataset` names one
  bool described = false;    // its files say nothing of their pixels: `raw` does, and asks for this format
  bool random_access = true; // else the images come in order, a single time
  int priority = 0;          // the greatest goes first where several would do
  std::shared_ptr<const ImageFile> (*open) (const ReadRequest &request, std::vector<std::string> &messages) = nullptr;
};

struct WritingFormat {
  static constexpr const char *use = "write";
  std::string name;
  std::vector<std::string> suffixes;
  std::vector<Element> elements = {Element::u8, Element::u16, Element::f16, Element::f32};
  std::vector<Kind> kinds = {Kind::projections, Kind::sinograms, Kind::slices};
  // What a file holds: the stream, an image (its path then has a number), or either, as the path says.
  enum class Files { stream, image, either } files = Files::stream;
  std::vector<Compression> compressions = {Compression::none}; // the first is the one that is not asked for
  bool (*sized) (const Planned &planned) = nullptr; // whether its files keep sizes of pixels, with their unit
  // What has the path is a folder: whether one that is there is of this kind, which may then be replaced.
  bool (*replaceable) (const std::string &folder) = nullptr;
  bool random_access = true; // else whole pages come in order, one at a time
  // Whether a later run can go on with what one has written that was killed: lines lie at places of their own.
  bool (*resumes) (const Planned &planned) = nullptr;
  bool parts = false; // an image with a file of its own may come in parts as well, one after the other
  int priority = 0;
  size_t resident = 65536;                                                // bytes that an open target holds
  size_t (*scratch) (const Format &stream) = nullptr;                     // and allocates besides while it opens
  size_t (*work) (const Planned &planned, int threads) = nullptr;         // and while it writes
  std::vector<std::string> (*beside) (const std::string &path) = nullptr; // other files that belong to one
  std::unique_ptr<Target> (*open) (const Planned &planned, const Frames::Watch &watch) = nullptr;
  // Opens what it has written, of which the pages, lines and columns are known; null: a reading format does.
  std::shared_ptr<const Stack> (*written) (const std::string &path, Element element,
                                           const std::array<int64_t, 3> &extent) = nullptr;
  // Checksums that Target::keep () has put into its files, none where it has not; null: they lie beside.
  std::optional<KeptChecksums> (*kept) (const std::string &path) = nullptr;
  // Puts them into a complete output again, for those with `kept`. False: it has no place for them.
  bool (*keep) (const std::string &path, const Planned &planned, const Checksums &sums) = nullptr;
};

// Formats that there are, those of the greatest priority first: registered<ReadingFormat> ().
template <class F> const std::vector<const F *> &registered ();

// Adds a format for good, before any is used; throws when there is one of its name.
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
