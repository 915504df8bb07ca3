// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/model/snapshot.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

/// The built hall against the design: what captures say, how it differs, what to do about it.
namespace hw::asbuilt {

/// A cable as one witness saw it from one end, in the witness's own words. Without `toDevice`: the witness looked at `fromDevice` and saw nothing.
struct Sighting {
    Witness witness = Witness::Lldp;
    std::string fromDevice, fromPort, toDevice, toPort;
    int rateGbps = 0, lanes = 0; ///< in use, 0 = not stated
    std::string label;           ///< of the cable
    std::string source, date;    ///< "leaf1.json:12", and the day on which it was read (ISO 8601)
    std::string toId{};          ///< number burned into the far device, where the capture has it beside the name; not stored
    friend bool operator==(const Sighting&, const Sighting&) = default;
};

/// Whether a list of cables speaks for both ends of a row (an inventory), or for the first alone (what looked around from there).
[[nodiscard]] constexpr bool speaksForBoth(Witness witness) { return witness == Witness::NetBox; }

/// Something of a capture that could not be used, with its place.
struct CaptureIssue {
    std::string where;
    Text what;
};

/// What one import read.
struct Capture {
    Witness witness = Witness::Lldp;
    std::vector<Sighting> sightings;
    std::vector<std::pair<std::string, std::string>> ids; ///< name of a device, and a number burned into it
    std::vector<CaptureIssue> doubts;
    std::vector<Text> facts;        ///< what was read and what was left out, a line each
    std::size_t read = 0, left = 0; ///< rows, neighbors or lines of all files
};

/// The observations of a project, in the order of their rows.
[[nodiscard]] std::vector<Sighting> sightingsOf(const Snapshot& snapshot);

struct Stored {
    std::size_t added = 0, replaced = 0, learned = 0; ///< observations, those that they stand for, hardware ids
    std::vector<CaptureIssue> doubts;
};
/// Puts a capture into the tables: the observations of the same witness and device go, whatever is planned stays as it is. A burned-in number
/// is learned where its device's name is one of the design.
Stored store(Snapshot& snapshot, const Capture& capture);
/// Takes all observations away, for a comparison with one capture alone.
void forgetObservations(Snapshot& snapshot);

/// "AA-BB-CC-DD-EE-FF", "aabb.ccdd.eeff" → "aa:bb:cc:dd:ee:ff"; "0xE8EBD3…", "S-e8ebd3…" → "0xe8ebd3…" (16 digits); empty for anything else.
[[nodiscard]] std::string hardwareId(std::string_view text);
[[nodiscard]] std::string lowerCase(std::string_view text);

} // namespace hw::asbuilt
