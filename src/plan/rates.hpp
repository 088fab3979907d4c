// SPDX-License-Identifier: LGPL-3.0-or-later
// Costs of moving bytes, measured on some machines. Plans compare sizes of work items and blocks by them. Only the
// ratios matter: a machine that is three times as fast gets the same plans.
#pragma once

namespace sino {

struct Rates {
  // Storage: files in the page cache, pread and pwrite, on the host of an H200 (16 cores). Disks are slower. Their
  // higher cost per piece is in `piece_wait`, which lies between a copy in memory (3 us) and a read from an SSD with
  // one request at a time (100 us).
  static constexpr double read_one = 7.3e9, read_most = 34e9; // bytes/s: with one request in flight, and with many
  // Bytes/s for writing new files: with one request in flight, and with many.
  static constexpr double write_one = 3.2e9, write_most = 19e9;
  static constexpr double piece_work = 4e-6,
                          piece_wait = 20e-6; // seconds per piece: of a processor, and of the storage

  // Bus to a device with its own memory, pinned, one direction; the same machine.
  static constexpr double bus = 55e9;

  // For tasks that do not estimate their time: output bytes per second. `values`: of one thread (a ramp filter of 1024
  // columns has 424e6); `device_values`: of a device with its own memory (a ramp filter of 2048 columns on an H100:
  // 228e9).
  static constexpr double values = 400e6, device_values = 100e9;

  // First touch of new pages, seconds per byte and thread: pages of 4 KiB (2 virtual cores: 0.25 to 0.4 ns).
  static constexpr double touch = 0.25e-9;

  // Values that have left the cache before they are used again, bytes/s and thread.
  static constexpr double memory = 10e9;

  // Seconds per stage for passing a block to another thread: 9 us of a processor, measured with blocks of one row. The
  // begin and the end of a work item cost as much as a block. A device also needs time for launches, and its queue runs
  // empty at the end of a work item; both values for devices are estimates.
  static constexpr double block = 10e-6, item = 20e-6;
  static constexpr double device_block = 100e-6, device_item = 1e-3;
};

} // namespace sino
