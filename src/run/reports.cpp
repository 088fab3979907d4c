// SPDX-License-Identifier: LGPL-3.0-or-later
// Reports that ranks send each other while they work, and the common end of a run.
#include "base/error.hpp"
#include "run/run-state.hpp"
#include <span>
#include <utility>

namespace sino {

void RunState::meet ()
{
  if (context->cluster)
    context->cluster->meet (context->monitor);
}

void RunState::tell_others ()
{
  if (!context->cluster)
    return;
  Share own{.items = 0,
            .rows = 0,
            .bytes = context->meters.bytes_taken,
            .slices = context->meters.slices_taken,
            .updates = context->meters.updates,
            .voxels = context->meters.voxels};
  for (const auto &device : context->meters.devices) {
    own.items += device.items;
    own.rows += device.rows;
  }
  context->cluster->tell (own);
  context->cluster->check ();
  if (!context->cluster->leads ())
    return;
  auto all = context->cluster->shares ();
  const std::lock_guard guard (mutex);
  shares = std::move (all);
}

void RunState::end_turn () noexcept
{
  if (std::exchange (has_turn, false))
    context->cluster->end_turn ();
}

void RunState::tell_failure () noexcept
{
  const auto cluster = context->cluster;
  if (!cluster)
    return;
  end_turn ();
  try {
    throw;
  } catch (const Error &e) {
    cluster->fail (e.code, e.what ());
  } catch (const Cancelled &e) {
    cluster->fail (SINO_ERROR_FAILED, e.message);
  } catch (const std::exception &e) {
    cluster->fail (SINO_ERROR_FAILED, e.what ());
  } catch (...) {
    cluster->fail (SINO_ERROR_FAILED, "an unknown error");
  }
}

std::vector<Share> RunState::all_shares ()
{
  const std::lock_guard guard (mutex);
  return shares;
}

std::vector<Share> RunState::other_shares ()
{
  auto all = all_shares ();
  if (!all.empty ())
    all.erase (all.begin ()); // its own share, which it knows more exactly
  return all;
}

void RunState::finish_part ()
{
  // Results get their final names in the process that works alone, or in the first rank.
  const bool places = !context->cluster || context->cluster->leads ();
  const auto finish = [&] {
    for (auto &node : context->net.nodes)
      if (places || !node.is_sink ())
        naming (node, [&] { node.task->finish (); });
  };
  if (!context->cluster)
    return finish ();
  // Each node that writes has a line; the first rank combines the lines of all ranks.
  std::vector<Task *> sinks;
  std::string own;
  for (const auto &node : context->net.nodes) {
    if (!node.is_sink ())
      continue;
    sinks.push_back (node.task.get ());
    if (!places)
      naming (node, [&] { own += facet<Writes> (*node.task).part_finished () + "\n"; });
  }
  std::vector<std::vector<std::string>> parts (sinks.size ());
  context->cluster->agree (own, context->monitor, [&] (const std::vector<std::string> &said) {
    for (size_t rank = 1; rank < said.size (); rank++) {
      const auto lines = split (said[rank], '\n');
      for (size_t s = 0; s < sinks.size (); s++)
        parts[s].push_back (lines.at (s));
    }
    return std::string ();
  });
  context->cluster->drop_made ();
  for (size_t s = 0; places && s < sinks.size (); s++)
    facet<Writes> (*sinks[s]).others_finished (parts[s]);
  finish ();
  tell_others ();
  meet (); // the results are complete
  tell_others ();
  gather_messages ();
  end_turn ();
}

// People read only the first rank's messages.
void RunState::gather_messages ()
{
  constexpr size_t most = 6000; // bytes
  std::string own;
  for (size_t n = 0; n < context->meters.nodes.size () && !context->cluster->leads (); n++) {
    const auto &messages = context->meters.nodes[n].messages;
    const auto texts = messages.read ();
    for (size_t i = 0; i < texts.size (); i++)
      if (const auto said = escaped (texts[i]); own.size () + said.size () < most)
        own += text ("%zu %d ", n, messages.level (i) == Messages::Level::warning) + said + '\n';
  }
  context->cluster->agree (own, context->monitor, [this] (const std::vector<std::string> &said) {
    for (const auto &each : said)
      for (const auto &line : split (each, '\n')) {
        const auto words = split (line, ' ');
        int64_t node = 0;
        if (words.size () > 2 && parse_integer (words[0], node))
          context->meters.nodes.at (static_cast<size_t> (node))
              .messages.add (unescaped (join (std::span (words).subspan (2), " ")),
                             words[1] == "1" ? Messages::Level::warning : Messages::Level::info);
      }
    return std::string ();
  });
}

} // namespace sino
