// SPDX-License-Identifier: GPL-3.0-or-later
// LLDP neighbours: lldpd (json, json0), Arista EOS, NVUE, SONiC.
#include "importers/asbuilt/capture_reader.h"
#include "importers/asbuilt/lldp_dialects.h"
#include "importers/asbuilt/prompts.h"

#include <algorithm>
#include <map>

namespace hw::importers {

namespace {

/// A neighbour that tells nothing of itself is there all the same.
const std::string kUnnamed = "(unnamed)"; // no text

Result<void> readOne(const exchange::ImportSource& source, const std::string& local, asbuilt::Capture& capture)
{
    const std::string file = source.path.string();
    LldpFile found;
    if (isSonicTable(source.content)) {
        if (auto read = readSonicTable(source.content, file, found); !read) return read;
    } else {
        const auto json = parseJson(source.content, file);
        if (!json) return tl::unexpected(json.error());
        if (auto read = readLldpJson(*json, file, found); !read) return read;
    }
    if (!found.localName.empty() && !found.localId.empty()) capture.ids.emplace_back(found.localName, found.localId);
    if (found.onlyChassis) return {};
    if (auto told = tellLeftOut(found.left, !found.neighbours.empty(), capture); !told) return told;
    capture.read += found.neighbours.size(), capture.left += found.left.size();
    const std::string device = !source.option("local").empty() ? source.option("local")
                               : !local.empty()                ? local
                               : !found.localName.empty()      ? found.localName
                                                               : stemOf(source.path);
    for (const LldpNeighbour& n : found.neighbours) {
        if (!n.name.empty() && !n.id.empty()) capture.ids.emplace_back(n.name, n.id);
        capture.sightings.push_back({Witness::Lldp,
                                     device,
                                     n.localPort,
                                     n.name.empty() && n.id.empty() ? kUnnamed : n.name,
                                     n.port,
                                     0,
                                     0,
                                     {},
                                     file + ": " + n.localPort,
                                     {},
                                     n.id});
    }
    if (found.mayGoOn) capture.doubts.push_back({file, i18n("last line does not match the number of rows: the capture may be truncated")});
    if (found.neighbours.empty()) capture.sightings.push_back({Witness::Lldp, device, {}, {}, {}, 0, 0, {}, file, {}, {}});
    return {};
}

Result<asbuilt::Capture> readLldp(Sources sources, const SnapshotPtr&, const Progress& progress)
{
    asbuilt::Capture capture;
    capture.witness = Witness::Lldp;
    if (sources.size() > 1 && !sources.front().option("local").empty())
        return fail(ErrorCode::Usage, "--local", i18n("applies to a single file only"), i18n("name each file after its device"));
    std::map<std::string, std::string> names; // of files that only say whose they are
    for (const auto& source : sources) {
        const auto json = nlohmann::json::parse(withoutPrompts(source.content), nullptr, false);
        LldpFile found;
        if (!json.is_discarded() && readLldpJson(json, source.path.string(), found) && found.onlyChassis)
            names[stemOf(source.path)] = found.localName;
    }
    for (const auto& source : sources) {
        if (progress.stopRequested()) return fail(ErrorCode::Cancelled, source.path.string(), i18n("stopped"));
        const auto named = names.find(stemOf(source.path));
        if (const auto read = readOne(source, named == names.end() ? std::string() : named->second, capture); !read)
            return tl::unexpected(read.error());
    }
    return capture;
}

bool looksLikeLldp(const exchange::ImportSource& source)
{
    const auto& text = source.content;
    return isSonicTable(text) || text.find("\"lldp\"") != text.npos || text.find("lldpNeighbors") != text.npos;
}

} // namespace

CaptureFormat lldpFormat()
{
    return {"lldp",
            TextId("LLDP neighbors as JSON (lldpcli, Arista, NVUE) or SONiC table; a file, or a folder of files named after their devices"),
            {{"local", "NAME", i18n("device that a single file belongs to, if neither the file nor its name identifies it")}},
            looksLikeLldp,
            readLldp};
}

} // namespace hw::importers
