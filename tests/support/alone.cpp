// SPDX-License-Identifier: LGPL-3.0-or-later
#include "alone.hpp"
#include "base/error.hpp"
#include "glue/pointers.hpp"
#include "glue/registry.hpp"
#include <cstring>

namespace sino::test {

namespace {

// Copies between a dense array and a block, value by value.
template <bool ToBlock, class Bytes> void transfer (Bytes *array, const Format &format, Block &block)
{
  const auto size = size_of (format.element);
  const auto rows_first = format.axes[0].axis == format.slab_axis ();
  const auto line = format.line ();
  for (int64_t a = 0; a < block.angles ().size (); a++)
    for (int64_t r = 0; r < block.rows ().size (); r++) {
      const auto angle = block.angles ().begin + a, row = block.rows ().at (r);
      const auto at = (rows_first ? row * format.angles () + angle : angle * format.rows () + row) * line;
      for (int64_t c = 0; c < line; c++) {
        auto *outside = array + static_cast<size_t> (at + c) * size;
        auto *inside = block.data () + static_cast<size_t> (block.offset (a, r) + c * block.lanes ()) * size;
        if constexpr (ToBlock)
          std::memcpy (inside, outside, size);
        else
          std::memcpy (outside, inside, size);
      }
    }
}

// The regions of a stream for one work item, in the order of the plan.
std::vector<Region> regions (const Format &format, const Rows &rows, int lanes, int64_t angles)
{
  std::vector<Region> list;
  const bool rows_first = format.axes[0].axis == format.slab_axis ();
  if (!rows_first) {
    const auto step = angles > 0 ? angles : format.angles ();
    for (int64_t a = 0; a < format.angles (); a += step)
      list.push_back ({rows, {a, std::min (a + step, format.angles ())}});
    return list;
  }
  const auto hull = rows.hull ();
  for (auto r = hull.begin; r < hull.end;) {
    const auto end = std::min ((r / lanes + 1) * lanes, hull.end);
    list.push_back ({{r, end}, {0, format.angles ()}});
    r = end;
  }
  return list;
}

struct Feed final : Input {
  std::deque<Block> blocks;
  Block pop () override
  {
    if (blocks.empty ())
      return {};
    Block b = std::move (blocks.front ());
    blocks.pop_front ();
    return b;
  }
};

struct Catch final : Output {
  std::shared_ptr<const Format> format;
  Layout layout;
  std::deque<Region> planned, given;
  Array *result = nullptr;

  Block next () override
  {
    if (planned.empty ())
      return {};
    given.push_back (planned.front ());
    planned.pop_front ();
    Block b = make_block (format, layout, given.back ());
    std::memset (b.data (), 0xa5, b.bytes ()); // what a recycled pool would hold
    return b;
  }
  void push (Block block) override
  {
    if (given.empty () || !(given.front () == block.region ()))
      fail (SINO_ERROR_FAILED, "a block was pushed out of order");
    given.pop_front ();
    transfer<false> (result->bytes.data (), *format, block);
  }
};

} // namespace

void set_text (GObject *object, const std::string &name, const std::string &word)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), name.c_str ());
  if (!spec)
    fail (SINO_ERROR_BAD_PROPERTY, "no property '%s'", name.c_str ());
  GValue value = G_VALUE_INIT;
  g_value_init (&value, spec->value_type);
  double number = 0;
  if (G_VALUE_HOLDS_STRING (&value))
    g_value_set_string (&value, word.c_str ());
  else if (G_VALUE_HOLDS_BOOLEAN (&value))
    g_value_set_boolean (&value, word == "true");
  else if (G_VALUE_HOLDS_ENUM (&value)) {
    auto *type = static_cast<GEnumClass *> (g_type_class_peek (spec->value_type));
    const auto *found = g_enum_get_value_by_nick (type, word.c_str ());
    if (!found)
      fail (SINO_ERROR_BAD_PROPERTY, "'%s' is not a value of '%s'", word.c_str (), name.c_str ());
    g_value_set_enum (&value, found->value);
  } else if (!parse_number (word, number))
    fail (SINO_ERROR_BAD_PROPERTY, "'%s' is not a number", word.c_str ());
  else if (G_VALUE_HOLDS_INT (&value))
    g_value_set_int (&value, static_cast<int> (number));
  else
    g_value_set_double (&value, number);
  g_object_set_property (object, name.c_str (), &value);
  g_value_unset (&value);
}

std::unique_ptr<Task> make_task (const std::string &node,
                                 const std::vector<std::pair<std::string, std::string>> &properties)
{
  ObjectPtr<GObject> object{G_OBJECT (g_object_new (Registry::get ().find (node), nullptr))};
  for (const auto &[name, word] : properties)
    set_text (object.get (), name, word);
  return task_type (G_OBJECT_TYPE (object.get ()))->snapshot (SINO_TASK (object.get ()));
}

Array run_alone (Task &task, const std::vector<const Array *> &inputs, Cut cut, int wanted,
                 std::map<std::string, int64_t> *counted)
{
  const Device &device = cut.device ? *cut.device : *native_device ();
  Monitor monitor;
  const Cpu cpu (cut.threads, monitor);
  Counters counters;
  std::vector<const Format *> formats;
  std::vector<Layout> layouts;
  for (const auto *input : inputs) {
    formats.push_back (input ? &input->format : nullptr);
    const auto lanes = input && input->format.kind () == Kind::sinograms
                           ? (cut.lanes > 0 ? cut.lanes : task.wanted_lanes (device, wanted))
                           : 1;
    layouts.push_back ({lanes});
  }
  Array result;
  const auto output = std::make_shared<const Format> (task.negotiate (formats));
  result.format = *output;
  if (task.has_output ())
    result.bytes.resize (static_cast<size_t> (output->bytes ()));
  const int in_lanes = layouts.empty () ? 1 : layouts[0].lanes;
  const Layout layout{output->kind () == Kind::sinograms ? task.output_lanes (in_lanes, wanted) : 1};
  const auto worker = task.start (
      {device, cpu, monitor, counters, formats, task.has_output () ? output.get () : nullptr, layouts, layout});

  const auto step = cut.rows > 0 ? cut.rows : output->rows ();
  for (int64_t row = 0; row < output->rows (); row += step) {
    const Rows item{row, std::min (row + step, output->rows ())};
    Catch sink;
    sink.format = output;
    sink.layout = layout;
    sink.result = &result;
    const auto planned = regions (*output, item, layout.lanes, cut.angles);
    sink.planned.assign (planned.begin (), planned.end ());
    std::vector<Feed> feeds (inputs.size ());
    std::vector<Input *> pointers;
    for (size_t i = 0; i < inputs.size (); i++) {
      pointers.push_back (inputs[i] ? &feeds[i] : nullptr);
      if (!inputs[i])
        continue;
      const auto format = std::make_shared<const Format> (inputs[i]->format);
      for (const auto &region : regions (*format, task.demand (i, *format, item), layouts[i].lanes, cut.angles)) {
        Block block = make_block (format, layouts[i], region);
        transfer<true> (inputs[i]->bytes.data (), *format, block);
        feeds[i].blocks.push_back (std::move (block));
      }
    }
    worker->run (pointers, task.has_output () ? &sink : nullptr);
    for (const auto &feed : feeds)
      if (!feed.blocks.empty ())
        fail (SINO_ERROR_FAILED, "blocks were left in an input");
    if (task.has_output () && (!sink.planned.empty () || !sink.given.empty ()))
      fail (SINO_ERROR_FAILED, "blocks are missing from the output");
  }
  task.finish ();
  if (counted)
    *counted = counters.read ();
  return result;
}

} // namespace sino::test
