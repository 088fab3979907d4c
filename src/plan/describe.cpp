// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/describe.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino {

namespace {

std::string seconds_text (double seconds)
{
  return text (seconds < 10 ? "%.2g s" : "%.0f s", seconds);
}

std::string bill_line (double bytes, const std::string &what)
{
  return text ("    %15.0f  %s\n", bytes, what.c_str ());
}

std::string bill_line (const Facts &item, std::string what)
{
  if (const auto pieces = item.integer ("pieces"); pieces > 1)
    what += text (" (%" G_GINT64_FORMAT " of %.0f bytes)", pieces, item.number ("piece-bytes"));
  return bill_line (item.number ("bytes"), what);
}

// Memory that the whole run takes, and the peak.
std::string describe_memory (const Facts &memory)
{
  auto out =
      text ("memory: %s at most, limit %s, %s taken before the run\n", bytes_text (memory.number ("peak")).c_str (),
            bytes_text (memory.number ("limit")).c_str (), bytes_text (memory.number ("base")).c_str ());
  for (const auto &item : memory.list ("bill")) {
    const auto title = item.text ("title");
    out += bill_line (item, title.empty () ? item.text ("name") : title + ": " + item.text ("name"));
  }
  return out + bill_line (memory.number ("peak"), "at most, with the largest pass");
}

// A pass, or a pass beside another one, on the devices that run it.
class PassText
{
public:
  PassText (const Facts &p, const Facts &o, const std::vector<Facts> &d, bool b)
      : pass (p), own (o), all_devices (d), beside (b), devices (o.words ("devices")), stages (o.list ("stages"))
  {
  }

  std::string blocks () const { return text ("%" G_GINT64_FORMAT " projections per block", own.integer ("batch")); }

  std::string heading () const
  {
    return " on " + join (devices) + ": " + blocks () + ", peak " + bytes_text (own.number ("memory")) + "\n";
  }

  std::string body () const
  {
    auto out = device () + time () + bill (own);
    for (const auto &stage : stages)
      out += describe (stage) + "\n" + bill (stage);
    const auto expected = own.inner ("expected");
    return out + text ("  expected bottleneck: %s, about %s\n", expected.text ("bottleneck").c_str (),
                       seconds_text (expected.number ("bottleneck-seconds")).c_str ());
  }

private:
  // Peak memory of a device, and the bytes sent to the device and back.
  std::string device () const
  {
    const auto &first =
        *std::ranges::find_if (all_devices, [&] (const Facts &d) { return d.text ("id") == devices[0]; });
    if (first.text ("kind") == "native")
      return {};
    const double has = first.number ("memory"), asked = first.number ("memory-asked");
    const auto holds = bytes_text (own.number ("device-memory"));
    const auto *const each = devices.size () > 1 ? "each device" : "the device";
    auto out = has > 0 || asked > 0 ? text ("  holds %s of %s's %s", holds.c_str (), each,
                                            bytes_text (asked > 0 ? first.number ("memory-limit") : has).c_str ())
                                    : text ("  %s uses %s of the host's memory", each, holds.c_str ());
    return out + text ("; %s are sent to it and %s are sent back%s\n", bytes_text (own.number ("bytes-sent")).c_str (),
                       bytes_text (own.number ("bytes-back")).c_str (), has > 0 ? "" : ", without copies");
  }

  // Expected time of the pass, and what it would be with work items and blocks of usual sizes.
  std::string time () const
  {
    const auto expected = own.inner ("expected");
    const auto seconds = [&] (const char *name) { return seconds_text (expected.number (name)); };
    auto out =
        text ("  about %s: %s for %s, %s to start the first work item and to finish the last one, %s for new memory\n",
              seconds ("seconds").c_str (), seconds ("busy").c_str (), expected.text ("busiest").c_str (),
              seconds ("ends").c_str (), seconds ("fresh").c_str ());
    if (expected.number ("left") > 0)
      out += text ("  about %s are left after the last projection\n", seconds ("left").c_str ());
    const auto plain_rows = expected.integer ("plain-rows");
    if (plain_rows != pass.integer ("item-rows"))
      out += text ("  work items of %" G_GINT64_FORMAT " rows would take %s\n", plain_rows,
                   seconds ("plain-seconds").c_str ());
    else if (expected.number ("plain-seconds") > expected.number ("seconds"))
      out += text ("  blocks and pools of usual sizes would take %s\n", seconds ("plain-seconds").c_str ());
    return out;
  }

  std::string bill (const Facts &of) const
  {
    const bool one_of_several = beside || devices.size () > 1;
    std::string lines;
    for (const auto &item : of.list ("bill"))
      lines += bill_line (item, item.text ("name") + (one_of_several ? " for " + item.text ("device") : "") +
                                    (item.text ("memory") == "device" ? ", in the device's own memory" : ""));
    return lines;
  }

  std::string describe (const Facts &stage) const
  {
    auto out = text ("  %-28s %s", stage.text ("title").c_str (), pool (stage).c_str ());
    if (const double bytes = stage.number ("piece-bytes"); bytes > 0)
      out += text ("; reads pieces of %s", bytes_text (bytes).c_str ());
    if (const auto rows = stage.integer ("rows-ahead"); rows > 0)
      out += text ("; works on %" G_GINT64_FORMAT " rows while projections come", rows);
    if (const auto requests = stage.integer ("requests"); requests > 1)
      out += text ("; %" G_GINT64_FORMAT " requests at a time", requests);
    for (const int producer : stage.integers ("inputs"))
      if (const auto lanes = producer < 0 ? 1 : stages[static_cast<size_t> (producer)].integer ("lanes");
          lanes > 1 && !stage.flag ("takes-lanes"))
        out += text ("; separates %" G_GINT64_FORMAT " lanes", lanes);
    if (const auto remark = stage.text ("remark"); !remark.empty ())
      out += "; " + remark;
    if (const auto ratio = stage.number ("time-ratio"); ratio > 0)
      out += text ("; takes %.2g of the predicted time, as measured before", ratio);
    return out;
  }

  // Blocks of the stage's output; "" for a target.
  static std::string pool (const Facts &stage)
  {
    const auto lanes = stage.integer ("lanes");
    if (lanes == 0)
      return {};
    const auto memory = stage.text ("memory");
    return stage.inner ("format").text ("text") + (lanes > 1 ? text (", %" G_GINT64_FORMAT " lanes", lanes) : "") +
           text ("; %" G_GINT64_FORMAT " blocks of %s%s%s", stage.integer ("pool-blocks"),
                 bytes_text (static_cast<double> (stage.integer ("block-bytes"))).c_str (),
                 stage.flag ("held") ? ", held for a join" : "",
                 memory == "device" ? " in the device's memory"
                 : memory == "host" ? ""
                                    : " shared with the device");
  }

  const Facts &pass, &own;
  const std::vector<Facts> &all_devices;
  const bool beside;
  const std::vector<std::string> devices;
  const std::vector<Facts> stages;
};

std::string describe_pass (const Facts &pass, const std::vector<Facts> &devices)
{
  const auto beside = pass.list ("beside");
  const PassText first (pass, pass, devices, !beside.empty ());
  const auto items = pass.integer ("work-items");
  auto out = text ("pass %" G_GINT64_FORMAT ": %" G_GINT64_FORMAT " work item%s of %" G_GINT64_FORMAT " rows, ",
                   pass.integer ("number"), items, items == 1 ? "" : "s", pass.integer ("item-rows"));
  if (beside.empty ())
    out += first.blocks () + ", ";
  out += "peak " + bytes_text (pass.number ("peak")) + "\n";
  if (const double read = pass.number ("bytes-read"); read > 0)
    out += text ("  reads %s from storage for %s of data\n", bytes_text (read).c_str (),
                 bytes_text (pass.number ("bytes-needed")).c_str ());
  if (const double bytes = pass.number ("bytes-written"); bytes > 0)
    out += text ("  writes %s of data to storage\n", bytes_text (bytes).c_str ());
  out += (beside.empty () ? "" : first.heading ()) + first.body ();
  for (const auto &other : beside) {
    const PassText next (pass, other, devices, true);
    out += next.heading () + next.body ();
  }
  return out;
}

} // namespace

std::string describe_plan (const Facts &plan)
{
  const auto devices = plan.list ("devices");
  auto out = text (
      "%s %s, %" G_GINT64_FORMAT " threads\n", devices.size () > 1 ? "devices" : "device",
      join (devices, ", ", [] (const Facts &device) { return device.text ("id") + " (" + device.text ("name") + ")"; })
          .c_str (),
      plan.integer ("threads"));
  out += describe_memory (plan.inner ("memory"));
  for (const auto &choice : plan.list ("choices")) {
    const auto device = choice.text ("device");
    out += choice.text ("title") + ": " + choice.text ("why") +
           (device.empty () ? "" : "; chosen for " + device + ", and used on all") + "\n";
  }
  for (const auto &survey : plan.list ("surveys"))
    out += text ("%s: examines %" G_GINT64_FORMAT " rows before the run\n", survey.text ("title").c_str (),
                 survey.integer ("rows"));
  for (const auto &pass : plan.list ("passes"))
    out += describe_pass (pass, devices);
  for (const auto &store : plan.list ("materialised"))
    out += text ("materialised: the output of %s, %s in %s\n", store.text ("title").c_str (),
                 bytes_text (store.number ("bytes")).c_str (),
                 store.text ("where") == "memory" ? "memory" : "a scratch file");
  return out;
}

std::string dot_plan (const Facts &plan)
{
  std::string out = "digraph sinograph {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (const auto &pass : plan.list ("passes")) {
    const auto p = pass.integer ("number") - 1;
    const auto stages = pass.list ("stages");
    out += text ("  subgraph cluster_%" G_GINT64_FORMAT " {\n    label=\"pass %" G_GINT64_FORMAT ": %" G_GINT64_FORMAT
                 " x %" G_GINT64_FORMAT " rows\";\n",
                 p, p + 1, pass.integer ("work-items"), pass.integer ("item-rows"));
    for (size_t s = 0; s < stages.size (); s++)
      out += text ("    p%" G_GINT64_FORMAT "s%zu [label=%s];\n", p, s,
                   in_double_quotes (stages[s].text ("title")).c_str ());
    out += "  }\n";
    for (size_t s = 0; s < stages.size (); s++)
      for (const int producer : stages[s].integers ("inputs"))
        if (producer >= 0)
          out +=
              text ("  p%" G_GINT64_FORMAT "s%d -> p%" G_GINT64_FORMAT "s%zu [label=%s];\n", p, producer, p, s,
                    in_double_quotes (stages[static_cast<size_t> (producer)].inner ("format").text ("text")).c_str ());
  }
  return out + "}\n";
}

} // namespace sino
