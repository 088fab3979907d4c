// SPDX-License-Identifier: LGPL-3.0-or-later
// A picture of one image of a stream, of the three middle cuts of a volume, or a sheet of slices of one row.
#include "base/error.hpp"
#include "base/files/output-file.hpp"
#include "base/files/temporary.hpp"
#include "formats/descriptor.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "stream/slice-trials.hpp"
#include "tasks/files/convert.hpp"
#include "tasks/files/pictures/contrast.hpp"
#include "tasks/files/pictures/cuts.hpp"
#include "tasks/files/pictures/trials-sheet.hpp"
#include "tasks/files/png/png.hpp"
#include "tasks/files/sizes.hpp"
#include <algorithm>
#include <cmath>
#include <fcntl.h>

namespace sino::preview {
namespace {

// The pixels of the picture. All workers fill it; each one writes other lines.
struct Image {
  int64_t page, lines, columns;
  std::vector<float> values;
  files::Arrivals arrivals; // lines that have come

  Image (int64_t p, int64_t l, int64_t c)
      : page (p), lines (l), columns (c), values (static_cast<size_t> (l * c)), arrivals (l)
  {
  }
};

class PreviewWorker final : public SinkWorker
{
public:
  PreviewWorker (std::shared_ptr<Image> i, Element element)
      : image (std::move (i)), conversion (element, Element::f32, {}), size (size_of (element))
  {
  }

  void take (const Block &in) override
  {
    if (in.format ().kind () != Kind::projections) {
      if (const auto row = in.rows ().place (image->page); row >= 0)
        keep (in, 0, row, 0, image->lines);
    } else if (in.angles ().contains ({image->page, image->page + 1}))
      for (int64_t row = 0; row < in.rows ().size (); row++)
        keep (in, image->page - in.angles ().begin, row, in.rows ().at (row), 1);
  }

private:
  std::shared_ptr<Image> image;
  files::Conversion conversion;
  size_t size;

  void keep (const Block &in, int64_t angle, int64_t row, int64_t line, int64_t lines)
  {
    const auto n = static_cast<size_t> (lines * image->columns);
    const auto *from = in.data () + static_cast<size_t> (in.offset (angle, row)) * size;
    auto *to = reinterpret_cast<std::byte *> (&image->values[static_cast<size_t> (line * image->columns)]);
    if (conversion.needed ())
      conversion.apply (from, n, to);
    else
      std::copy_n (from, n * sizeof (float), to);
    for (auto i = line; i < line + lines; i++)
      image->arrivals.first (i);
  }
};

class PictureWorker final : public SinkWorker
{
public:
  PictureWorker (std::shared_ptr<files::Picture> p, const Cpu &c) : picture (std::move (p)), cpu (c) {}

  void take (const Block &in) override
  {
    for (int64_t z = 0; z < in.rows ().size (); z++)
      picture->take (in.rows ().at (z),
                     in.data () + static_cast<size_t> (in.offset (0, z)) * size_of (in.format ().element), cpu);
  }

private:
  std::shared_ptr<files::Picture> picture;
  const Cpu &cpu;
};

class Preview final : public Sink, public Writes
{
public:
  static constexpr Info info{"preview", "Write one image of a stream as a PNG picture"};
  static constexpr Signature signature{.takes = {image_kinds, any_element}};

  enum class Bits { eight = 8, sixteen = 16 };
  enum class Show { automatic, image, cuts, axes };
  std::string path, min = "auto", max = "auto";
  Show show = Show::automatic;
  int slice = -1;
  Bits bits = Bits::eight;
  formats::Unit unit = formats::Unit::automatic;
  bool overwrite = false;

  static constexpr Nick<Bits> bits_nicks[] = {{Bits::eight, "8"}, {Bits::sixteen, "16"}};
  static constexpr Nick<Show> show_nicks[] = {
      {Show::automatic, "auto"}, {Show::image, "image"}, {Show::cuts, "cuts"}, {Show::axes, "axes"}};
  static constexpr Property properties[] = {
      prop<&Preview::path> ("path", "Path of the picture; it must end in .png"),
      prop<&Preview::show> (
          "show",
          "What to draw: one image; the three middle cuts of a volume with a histogram of its values (cuts); "
          "slices of one row with one axis each and their sharpness, or one strength each (axes); auto: axes for such "
          "slices, "
          "otherwise image",
          show_nicks),
      prop<&Preview::slice> ("slice", "Number of the image in the scan; -1: the middle one", {-1, 2147483647}),
      prop<&Preview::min> ("min", "Value that becomes black; auto: 0.1 % of the pixels are darker"),
      prop<&Preview::max> ("max", "Value that becomes white; auto: 0.1 % of the pixels are brighter"),
      prop<&Preview::bits> ("bits", "Bits per pixel", bits_nicks),
      prop<&Preview::unit> ("unit",
                            "Unit of the scan's pixel size, for the size that a picture of one image has; auto: mm",
                            files::unit_nicks),
      prop<&Preview::overwrite> ("overwrite", "Replace an existing picture"),
  };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const auto &format = *inputs[0];
    if (show == Show::cuts && format.kind () != Kind::slices)
      fail (SINO_ERROR_BAD_FORMAT,
            "show=cuts wants slices, got %s: leave it out, or put 'reconstruct' before this node",
            format.describe ().c_str ());
    const bool one_each = !slice_trials (format).empty ();
    if (show == Show::axes && !one_each)
      fail (SINO_ERROR_BAD_FORMAT,
            "show=axes wants slices with one axis or strength each, got %s: leave it out, or give 'reconstruct' a "
            "range, such as axis=290:300:0.5, or method=tv strength=0.25:4",
            format.describe ().c_str ());
    shown = show != Show::automatic ? show : one_each && slice < 0 ? Show::axes : Show::image;
    if (!path.ends_with (".png"))
      fail (SINO_ERROR_BAD_PROPERTY, "path=%s is not the name of a picture: set path= to a name that ends in .png",
            path.c_str ());
    const auto black = limit ("min", min), white = limit ("max", max);
    if (black && white && *black >= *white)
      fail (SINO_ERROR_BAD_PROPERTY, "min=%s is not below max=%s", min.c_str (), max.c_str ());
    check_output (path, overwrite);
    static_cast<void> (files::unit_of (format, unit));
    is_slice = format.kind () == Kind::slices;
    number = page (format.axes[0]);
    lines = format.axes[1].extent;
    columns = format.axes[2].extent;
    volume = std::make_shared<const Format> (format);
    return format;
  }

  std::vector<std::string> outputs () const override { return {path}; }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (const auto planned = make_picture ())
      planned->memory_of_worker (bill, sizing.threads);
  }
  void shared_memory (Bill &bill) const override
  {
    if (const auto planned = make_picture ())
      return planned->memory (bill);
    const auto pixels = static_cast<size_t> (lines * columns);
    add_bytes (bill, "the image", pixels * sizeof (float));
    add_bytes (bill, "its values that count", pixels * sizeof (float) + files::contrast_bytes);
    add_bytes (bill, "the picture, before and after compression", pixels * 8);
  }

  double seconds (const Device &, int) const override
  {
    const auto planned = make_picture ();
    return planned ? planned->seconds () : 1e-9 * static_cast<double> (lines * columns);
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!picture && (picture = make_picture ()))
      picture->begin ();
    if (picture)
      return std::make_unique<PictureWorker> (picture, replica.cpu);
    if (!image)
      image = std::make_shared<Image> (number, lines, columns);
    return std::make_unique<PreviewWorker> (image, replica.inputs[0]->element);
  }

  void finish () override
  {
    const auto black = limit ("min", min), white = limit ("max", max);
    const auto depth = static_cast<int> (bits);
    if (picture) {
      if (const auto missing = picture->missing (); missing != 0)
        fail (SINO_ERROR_FAILED, "%" G_GINT64_FORMAT " slices did not arrive", missing);
      const auto sheet = picture->draw (black, white, depth);
      return save (files::png (sheet.values (), sheet.lines (), sheet.columns (), depth));
    }
    if (const auto missing = image->arrivals.missing (); missing != 0)
      fail (SINO_ERROR_FAILED, "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " lines of the image did not arrive",
            missing, image->lines);
    const auto found = files::contrast (image->values, image->lines, image->columns, is_slice);
    const auto [low, high] = files::limits (found, black, white);
    const auto spacing = files::spacing_of (*volume);
    const double metre = files::names_of (files::unit_of (*volume, unit)).mm / 1000;
    save (files::png (files::grey (image->values, low, high, depth), image->lines, image->columns, depth,
                      {spacing[1] * metre, spacing[2] * metre}));
  }

private:
  int64_t number = 0, lines = 0, columns = 0; // number and size of the image
  std::shared_ptr<Image> image;               // shared by all workers
  Show shown = Show::image;
  std::shared_ptr<files::Picture> picture; // used instead of the image
  std::shared_ptr<const Format> volume;
  bool is_slice = false;

  std::shared_ptr<files::Picture> make_picture () const
  {
    if (shown == Show::axes)
      return std::make_shared<files::TrialsSheet> (*volume);
    if (shown == Show::cuts)
      return std::make_shared<files::Cuts> (*volume, number);
    return nullptr;
  }

  void save (const std::vector<std::byte> &bytes) const
  {
    MadeFolders folders (path);
    Temporary file (path);
    {
      formats::Descriptor out (file.path (), O_WRONLY, path);
      out.expect (std::ssize (bytes));
      out.write (bytes.data (), bytes.size (), 0);
    }
    file.commit (overwrite);
    folders.keep ();
  }

  static std::optional<double> limit (const char *property, const std::string &word)
  {
    double value = 0;
    if (word == "auto")
      return {};
    if (!parse_number (word, value) || !std::isfinite (value))
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%s is neither a number nor auto", property, word.c_str ());
    return value;
  }

  int64_t page (const Dim &dim) const
  {
    if (slice < 0)
      return dim.extent / 2;
    const auto place = (slice - dim.first) / dim.step;
    if (place < 0 || place >= dim.extent || dim.number (place) != slice)
      fail (SINO_ERROR_BAD_PROPERTY,
            "slice=%d is not in the stream, which has images %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
            " in steps of %" G_GINT64_FORMAT,
            slice, dim.first, dim.number (dim.extent - 1), dim.step);
    return place;
  }
};

} // namespace

SINO_REGISTER (Preview)

} // namespace sino::preview
