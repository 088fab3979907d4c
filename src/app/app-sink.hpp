// SPDX-License-Identifier: LGPL-3.0-or-later
// The node 'app-sink': passes the blocks of a stream to the program that embeds the library.
#pragma once
#include "app/block-queue.hpp"
#include "glue/binding.hpp"
#include "glue/facets.hpp"
#include "glue/program/signals.hpp"
#include "glue/shapes.hpp"

namespace sino::app {

class AppSink final : public Sink, public Embedded
{
public:
  static constexpr Info info{"app-sink", "Pass the blocks of a stream to the program that runs the graph"};
  static constexpr Signature signature{.takes = {any_kind, any_element}};

  AppSink () = default;
  AppSink (const AppSink &) = default;
  AppSink &operator= (const AppSink &) = default;
  ~AppSink () override
  {
    queue_->leave (this);
    if (programs)
      queue_->forsake ();
  }

  BlockQueue &queue () { return *queue_; }

  bool needs_program () const override { return true; }
  Format negotiate (std::span<const Format *const> inputs) override;
  void announce () override { queue_->expect (); }
  // Blocks come in the order of their rows, even from several devices.
  bool serial () const override { return true; }
  void shared_memory (Bill &bill) const override;
  bool lends () const override { return true; }
  std::shared_ptr<Buffer> lend (const Region &region, size_t bytes, const std::shared_ptr<Buffer> &place) override;
  std::unique_ptr<Worker> start (const Replica &replica) override;
  void finish () override;
  void unlock () override { queue_->unlock (this); }
  bool waits_outside () const override { return true; }
  void abandon (const std::string &why) override { queue_->close (this, why); }

private:
  Live<double> max_bytes = 256 << 20;
  Live<int> max_buffers = 0;
  bool whole = false;

  std::shared_ptr<BlockQueue> queue_ = std::make_shared<BlockQueue> ();
  std::shared_ptr<const Format> format;
  Block all; // the whole stream in one block, if `whole`
  Programs programs;

public:
  static constexpr Property properties[] = {
      prop<&AppSink::max_bytes> ("max-bytes", "Bytes that may wait for the program or be held by it; 0: any number",
                                 {0, 1e15}),
      prop<&AppSink::max_buffers> ("max-buffers", "Blocks that may wait for the program; 0: any number", {0, 1 << 30}),
      prop<&AppSink::whole> ("whole", "Pass the whole stream as one block, at its end"),
  };

  static void add_signals (GType type);
  void made (GObject *object);
};

} // namespace sino::app
