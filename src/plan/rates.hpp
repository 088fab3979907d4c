// SPDX-License-Identifier: LGPL-3.0-or-later
// What moving bytes costs on machines that were measured. Plans compare sizes of work items and blocks by these: what
// counts is how they relate to each other, and a machine that is three times as fast gets the same plans.
#pragma once

namespace sino {

struct Rates {
  // Storage: files in memory, pread and pwrite, beside an H200 (16 cores). Disks are slower; that a piece costs more
  // there is in `piece_wait`, which lies between a copy in memory (3 us) and a fetch by an SSD that is asked for one
  // piece at a time (100 us).
  static constexpr double read_one = 7.3e9, read_most = 34e9;   // bytes/s: with one request in flight, and with many
  static constexpr double write_one = 3.2e9, write_most = 19e9; // of files that are new
  static constexpr double piece_work = 4e-6,
                          piece_wait = 20e-6; // seconds per piece: of a processor, and of the storage

  // Bus to a device with memory of its own, pinned, one way: the same machine.
  static constexpr double bus = 55e9;

  // A task that does not say how long it takes: bytes of its output per second, by one thread (a ramp filter of 1024
  // columns has 424e6), and by a device with memory of its own (that of 2048 columns on an H100: 228e9).
  static constexpr double values = 400e6, device_values = 100e9;

  // Fresh pages, per byte and thread: the first touch of 4 KiB pages (2 virtual cores: 0.25 to 0.4).
  static constexpr double touch = 0.25e-9;

  // Values that have left the cache before they are wanted again, bytes/s and thread.
  static constexpr double memory = 10e9;

  // Handing on a block from thread to thread, seconds per stage: 9 us of a processor, measured with blocks of one row.
  // A work item begins and ends like a block. On a device, launches come to that, and a queue that runs empty when a
  // work item ends; these two are estimates.
  static constexpr double block = 10e-6, item = 20e-6;
  static constexpr double device_block = 100e-6, device_item = 1e-3;
};

} // namespace sino
