// SPDX-License-Identifier: LGPL-3.0-or-later
// MATLAB files of version 5 as a format to read: one array is the stack of images; its first axis runs along columns.
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "formats/formats.hpp"
#include "formats/page-files.hpp"
#include "tasks/files/mat5-file.hpp"
#include <fcntl.h>

namespace sino::files {

namespace {

PagesFound pages_of (const MatArray &array, const std::string &title)
{
  PagesFound found;
  found.samples = array.samples;
  found.columns = array.extents[0];
  found.lines = array.extents[1];
  found.add_run (title, array.offset, array.extents.size () > 2 ? array.extents[2] : 1);
  return found;
}

// An array that is compressed as a whole: to read a part, all data before it is decompressed.
class PackedArray final : public Stack
{
public:
  PackedArray (const Descriptor &file, MatArray a, const std::string &path, const std::string &title)
      : array (std::move (a)), stamp (file.stamp ())
  {
    const auto found = pages_of (array, title);
    name = path;
    set_samples (*this, array.samples);
    pages = found.runs[0].pages;
    lines = found.lines;
    columns = found.columns;
    unit = {.pages = pages, .lines = lines, .columns = columns, .stored = static_cast<double> (array.packed)};
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    const Descriptor file (name, O_RDONLY);
    file.require (stamp);
    Inflate inflate (file, array.packed_at, array.packed, in_quotes (name));
    inflate.skip (array.offset);
    std::vector<std::byte> line (line_bytes ());
    int64_t at = 0; // lines decompressed so far
    for (const auto page : part.pages)
      for (const auto row : part.lines) {
        reading.check ();
        // Reads in pieces, so that a cancelled run ends soon.
        for (const auto wanted = page * lines + row; at < wanted;) {
          const auto some = std::min<int64_t> (wanted - at, 256);
          inflate.skip (some * static_cast<int64_t> (line.size ()));
          at += some;
          reading.check ();
        }
        inflate.read (line.data (), line.size ());
        at++;
        array.samples.take (line.data (), 0, part.columns, out);
        out += part.columns.size () * pixel (*this);
      }
    reading.count (1, array.packed);
    file.require (stamp);
  }

  std::vector<FileStamp> files () const override { return {stamp}; }
  size_t scratch (int) const override { return Inflate::scratch () + line_bytes (); }
  size_t resident () const override { return sizeof *this + name.capacity (); }

private:
  const MatArray array;
  const FileStamp stamp;

  size_t line_bytes () const { return static_cast<size_t> (columns) * stored_pixel; }
};

bool is_list (const MatArray &array)
{
  return array.extents.size () == 2 && (array.extents[0] == 1 || array.extents[1] == 1);
}

class MatFile final : public ImageFile
{
public:
  MatFile (const std::string &path, std::vector<MatArray> a, std::shared_ptr<const Stack> stack)
      : ImageFile (path, std::move (stack)), arrays (std::move (a))
  {
  }

  // Functions for angles: an array with the given name.
  int64_t count (const std::string &name) const override
  {
    const auto *list = list_of (name);
    return list ? list->values : 0;
  }
  std::vector<double> numbers (const std::string &name, int64_t wanted) const override
  {
    const auto *list = list_of (name);
    if (!list || list->values != wanted)
      return {};
    const Descriptor file (stack->name, O_RDONLY);
    file.require (stack->files ()[0]);
    auto values = read_array (file, *list, title (name));
    const auto [least, most] = std::ranges::minmax (values);
    if (may_be_radians (wanted, most - least))
      fail (SINO_ERROR_BAD_FILE,
            "%s: the angles span %.6g, which may be radians: give degrees, as angles=start:stop or in a text file",
            title (name).c_str (), most - least);
    return values;
  }

private:
  std::vector<MatArray> arrays;

  const MatArray *list_of (const std::string &name) const
  {
    if (name != "theta")
      return nullptr;
    const auto list =
        std::ranges::find_if (arrays, [&] (const MatArray &a) { return a.name == name && !a.complex && is_list (a); });
    return list == arrays.end () ? nullptr : &*list;
  }
};

// The named array, otherwise the only one that can hold images.
const MatArray &choose (const std::vector<MatArray> &arrays, std::string wanted, const std::string &title,
                        const std::string &path)
{
  if (wanted.starts_with ('/'))
    wanted.erase (0, 1);
  std::vector<const MatArray *> stacks;
  for (const size_t axes : {3, 2})
    if (stacks.empty ())
      for (const auto &array : arrays)
        if (wanted.empty () ? array.extents.size () == axes && !is_list (array) : axes == 3 && array.name == wanted)
          stacks.push_back (&array);
  if (stacks.size () == 1)
    return *stacks[0];
  const auto all = shown (sino::join (arrays, ", ", [] (const MatArray &array) { return array.describe (); }));
  if (!wanted.empty ())
    fail (SINO_ERROR_BAD_FILE, "%s has no array %s: it has %s", title.c_str (), in_quotes (wanted).c_str (),
          all.empty () ? "no array of numbers" : all.c_str ());
  if (stacks.empty ())
    fail (SINO_ERROR_BAD_FILE, "%s has no array that can contain images: it has %s", title.c_str (),
          all.empty () ? "no array of numbers; structs are not searched" : all.c_str ());
  fail (SINO_ERROR_BAD_FILE, "%s has several arrays that can contain images, name one, as in %s:%s: it has %s",
        title.c_str (), path.c_str (), stacks[0]->name.c_str (), all.c_str ());
}

std::shared_ptr<const ImageFile> open_mat5 (const ReadRequest &request, std::vector<std::string> &)
{
  const auto &path = request.paths[0];
  const Descriptor file (path, O_RDONLY);
  const auto title = in_quotes (path);
  auto arrays = find_arrays (file, title);
  const auto array = choose (arrays, request.dataset, title, path);
  if (array.complex)
    fail (SINO_ERROR_BAD_FILE, "%s: %s contains complex numbers: save real numbers", title.c_str (),
          in_quotes (array.name).c_str ());
  if (array.extents.size () > 3)
    fail (SINO_ERROR_BAD_FILE, "%s: %s has %zu axes: a stack of images has three", title.c_str (),
          shown (array.describe ()).c_str (), array.extents.size ());
  std::shared_ptr<const Stack> stack;
  if (array.packed_at >= 0)
    stack = std::make_shared<PackedArray> (file, array, path, title);
  else
    stack =
        open_pages (request.paths, [&] (const Descriptor &, const std::string &) { return pages_of (array, title); });
  return std::make_shared<MatFile> (request.path, std::move (arrays), std::move (stack));
}

const Registered<ReadingFormat>
    mat5 ({.name = "MATLAB 5",
           .recognised = [] (const Descriptor &file) { return begins_with (file, "MATLAB 5.0 MAT-file"); },
           .suffixes = {".mat"},
           .datasets = true,
           .open = open_mat5});

} // namespace

} // namespace sino::files
