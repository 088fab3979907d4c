// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/volume/memory-stack.hpp"
#include "base/error.hpp"

namespace sino::monitor {

namespace {

class MemoryStack final : public formats::Stack
{
public:
  MemoryStack (const Format &format, std::shared_ptr<const std::byte> m) : memory (std::move (m))
  {
    element = format.element;
    pages = format.axes[0].extent;
    lines = format.axes[1].extent;
    columns = format.axes[2].extent;
    name = "an array";
  }

  void read (const formats::Part &part, std::byte *out, const formats::Reading &reading) const override
  {
    const auto size = formats::pixel (*this), line = part.columns.size () * size;
    formats::share_pages (*this, part, out, reading, [&] (const formats::NextPage &next) {
      while (const auto page = next ()) {
        auto *to = page->out;
        for (const auto number : part.lines) {
          const auto *from = memory.get () + static_cast<size_t> ((page->number * lines + number) * columns) * size;
          formats::gather (from, 0, part.columns, size, to);
          to += line;
        }
      }
    });
  }
  size_t scratch (int) const override { return 0; }
  size_t resident () const override { return 0; }

private:
  const std::shared_ptr<const std::byte> memory;
};

} // namespace

std::shared_ptr<const formats::Stack> stack_of (const Format &format, std::shared_ptr<const std::byte> memory,
                                                size_t bytes)
{
  if (format.axes.size () != 3)
    fail (SINO_ERROR_BAD_FORMAT, "only projections, sinograms and slices can be shown, not %s",
          format.describe ().c_str ());
  if (static_cast<double> (bytes) != format.bytes ())
    fail (SINO_ERROR_BAD_FORMAT, "%zu bytes are not an array of %s", bytes, format.describe ().c_str ());
  return std::make_shared<const MemoryStack> (format, std::move (memory));
}

} // namespace sino::monitor
