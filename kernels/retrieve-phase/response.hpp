// SPDX-License-Identifier: LGPL-3.0-or-later
// Responses of the phase retrieval methods: factors for the spectrum of 1 - I / I0.
//
// Propagation by a distance z turns the phase of spatial frequency f (in cycles) by u = pi lambda z f^2. With r, the
// ratio of delta to beta:
//
//   paganin  1 / (1 + r u)               Paganin et al. (2002), where k = 2 pi f: 1 + r lambda z k^2 / (4 pi)
//   tie      1 / (2 (u + 1 / r))         the same for weak objects, as phase: r / 2 times paganin
//   ctf      +-1 / (2 (|sin u| + 1 / r)) Cloetens et al. (1999), with the sign of sin u
//   qp, qp2  Moosmann et al. (2011): ctf; beyond u = pi / 2, values near a zero of sin u are 0 (qp) or limited (qp2)
#pragma once

namespace sino::retrieve_phase {

enum class Method { paganin, bronnikov_aided, tie, ctf, qp, qp2 };

struct Optics {
  Method method;
  double turn;      // u at one cycle per pixel
  double ratio;     // delta / beta
  double threshold; // threshold of |sin u|, for qp and qp2

  // `squared`: squared frequency in cycles per pixel.
  double response (double squared) const;
  // Length in pixels over which the filter of paganin and tie blurs: its point spread falls as e^(-r / length).
  double blur () const;
  bool gives_phase () const { return method != Method::paganin && method != Method::bronnikov_aided; }
  bool oscillates () const { return method == Method::ctf || method == Method::qp || method == Method::qp2; }
};

} // namespace sino::retrieve_phase
