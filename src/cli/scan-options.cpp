// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/scan-options.hpp"

namespace sino::cli {

std::vector<GOptionEntry> scan_entries (scan::Wishes &wishes)
{
  const auto file = [] (const char *name, const char **to, const char *about, const char *value) {
    return GOptionEntry{name, 0, 0, G_OPTION_ARG_FILENAME, to, about, value};
  };
  return {
      file ("angles", &wishes.angles, "Degrees as start:stop, or a file with one per projection, if the scan has none",
            "ANGLES"),
      file ("darks", &wishes.darks, "Dark frames, if the scan has none", "PATH"),
      file ("flats", &wishes.flats, "Flat frames, if the scan has none", "PATH"),
      file ("flats-after", &wishes.flats_after, "Flat frames taken after the projections", "PATH"),
      file ("projections", &wishes.projections, "Projections to use, as begin:end:step", "PROJECTIONS"),
      file ("raw", &wishes.raw, "Pixels of a file without a header, as type:columnsxrows+offset", "LAYOUT"),
      file ("geometry", &wishes.geometry, "Geometry of every projection: a file of RTK, TIGRE or ASTRA", "FILE"),
      file ("source-origin", &wishes.source_origin, "Distance from the source to the axis, for a fan or cone beam",
            "LENGTH"),
      file ("origin-detector", &wishes.origin_detector, "Distance from the axis to the detector", "LENGTH"),
      file ("pixel-size", &wishes.pixel_size,
            "Detector pitch: distance of neighbouring columns, in the unit of the other lengths", "LENGTH"),
      file ("phase", &wishes.phase,
            "Retrieve phase: properties of retrieve-phase, as 'energy=20 distance=0.1 delta-beta=300'", "WORDS"),
      file ("beam-hardening", &wishes.beam_hardening,
            "Correct beam hardening: auto to find the correction from slices, or properties of correct-beam-hardening, "
            "as 'material=Al voltage=100'",
            "WORDS"),
      file ("tilt", &wishes.tilt,
            "Degrees by which projections are turned clockwise, because the axis leans in them: what find-axis reports",
            "DEGREES"),
      {"values", 0, 0, G_OPTION_ARG_STRING, &wishes.values,
       "Meaning of the values, if it is not recognized: counts, transmission, attenuation or emission", "WORD"},
      {"missing", 0, 0, G_OPTION_ARG_STRING, &wishes.missing,
       "If projections were never written, or files of a sequence are missing: fail, zero or skip", "WORD"},
      {"rings", 0, 0, G_OPTION_ARG_NONE, &wishes.rings,
       "Remove stripes from sinograms, which are rings in slices; circles of the object around the axis lose contrast, "
       "too",
       nullptr},
      {"find-geometry", 0, 0, G_OPTION_ARG_NONE, &wishes.find_geometry,
       "Find the place of the detector of a cone beam from the projections; the scan may give it roughly or not at all",
       nullptr},
      {"drift", 0, 0, G_OPTION_ARG_NONE, &wishes.drift,
       "Correct the drift of source, stage or sample: move projections onto those of a first reconstruction", nullptr},
      {"metal", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_FILENAME, &wishes.metal,
       "Reduce the streaks of metal, which has slice values above the threshold; without one it is found", "THRESHOLD"},
      {"sinograms", 0, 0, G_OPTION_ARG_NONE, &wishes.sinograms,
       "The images of the scan are sinograms, one for each detector row; their rows are angles", nullptr}};
}

} // namespace sino::cli
