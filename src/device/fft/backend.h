/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What a module gives that brings Fourier transforms. Such modules lie in the folder fft/ beside the modules of nodes,
 * named sinograph-fft-NAME.so. The mark is read from the file before it is loaded. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SINO_FFT_MARK "sinograph-fft-api:"
#define SINO_FFT_API "1"

typedef struct {
  /* A plan for complex transforms of `length` floats pairs, the same in every process; null when there is none. */
  void *(*plan) (int64_t length);
  void (*drop) (void *plan);
  /* Unnormalised. `from` and `to` differ, are aligned to 64 bytes, and `from` keeps its values. Any thread. */
  void (*forward) (const void *plan, const float *from, float *to);
  void (*backward) (const void *plan, const float *from, float *to);
} SinoFftBackend;

/* The module's one symbol, `sino_fft_backend`. */
typedef const SinoFftBackend *(*SinoFftBackendFunction) (void);
