// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/support/run-task.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "glue/registry.hpp"
#include "run/task-harness.hpp"
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

Array run_task (Task &task, const std::vector<const Array *> &inputs, Cut cut, int wanted,
                std::map<std::string, int64_t> *counted)
{
  std::vector<std::shared_ptr<const Format>> formats;
  for (const auto *input : inputs)
    formats.push_back (input ? std::make_shared<const Format> (input->format) : nullptr);
  TaskHarness alone (task, formats, {cut.device, cut.threads, cut.lanes, wanted});
  Array result{*alone.format (), {}};
  if (task.has_output ())
    result.bytes.resize (static_cast<size_t> (result.format.bytes ()));

  const auto all = result.format.rows (), step = cut.rows > 0 ? cut.rows : all;
  for (int64_t row = 0; row < all; row += step) {
    const Rows item{row, std::min (row + step, all)};
    std::vector<std::vector<Block>> from (inputs.size ());
    for (size_t i = 0; i < inputs.size (); i++) {
      if (!inputs[i])
        continue;
      from[i] = alone.input_blocks (i, item, cut.angles);
      for (auto &block : from[i])
        transfer<true> (inputs[i]->bytes.data (), inputs[i]->format, block);
    }
    std::vector<Block> to;
    if (task.has_output ())
      to = alone.output_blocks (item, cut.angles);
    for (auto &block : to)
      std::memset (block.data (), 0xa5, block.bytes ()); // what a recycled pool would hold
    alone.run (from, to);
    for (auto &block : to)
      transfer<false> (result.bytes.data (), result.format, block);
  }
  task.finish ();
  if (counted)
    *counted = alone.counted ();
  return result;
}

} // namespace sino::test
