// SPDX-License-Identifier: LGPL-3.0-or-later
// What the methods of phase retrieval multiply the spectrum of 1 - I / I0 by.
//
// Free space of length z turns the phase of the spatial frequency f (in cycles) by u = pi lambda z f^2; with a ratio of
// delta to beta of r:
//
//   paganin  1 / (1 + r u)               Paganin et al. (2002), where k = 2 pi f: 1 + r lambda z k^2 / (4 pi)
//   tie      1 / (2 (u + 1 / r))         the same for weak objects, as phase: r / 2 of it
//   ctf      +-1 / (2 (|sin u| + 1 / r)) Cloetens et al. (1999), with the sign of sin u
//   qp, qp2  Moosmann et al. (2011): ctf, beyond u = pi / 2 without what is near a zero of sin u, or limited there
#pragma once
#include <cstdint>

namespace sino::retrieve_phase {

enum class Method { paganin, bronnikov_aided, tie, ctf, qp, qp2 };

struct Optics {
  Method method;
  double turn;      // u of one cycle per pixel
  double ratio;     // delta / beta
  double threshold; // of |sin u|, for qp and qp2

  // `squared`: of the frequency in cycles per pixel.
  double response (double squared) const;
  // The length, in pixels, that the filter of paganin and tie blurs over: its point spread falls as e^(-r / length).
  double blur () const;
  bool gives_phase () const { return method != Method::paganin && method != Method::bronnikov_aided; }
  bool oscillates () const { return method == Method::ctf || method == Method::qp || method == Method::qp2; }
};

} // namespace sino::retrieve_phase
