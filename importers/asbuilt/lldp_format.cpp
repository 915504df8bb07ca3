// SPDX-License-Identifier: GPL-3.0-or-later
// LLDP neighbors of one device or many, in the dialects of importers/captures.
#include "core/operations/asbuilt/names.h"
#include "importers/asbuilt/capture_reader.h"
#include "importers/captures/lldp_file.h"
#include "importers/captures/prompts.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::importers {

namespace {

/// A neighbor that tells nothing of itself is there all the same.
const std::string kUnnamed = "(unnamed)"; // no text

/// Names of the design, for files of which prompt and name say different things.
class WhoseFile {
public:
    static Result<WhoseFile> of(const Snapshot& base)
    {
        auto rules = asbuilt::NameRules::of(base);
        if (!rules) return tl::unexpected(rules.error());
        return WhoseFile(asbuilt::DeviceNames(base, rules->devices));
    }
    /// Whether both are devices of the design, and not the same one.
    [[nodiscard]] bool contradict(const std::string& a, const std::string& b) const
    {
        const auto one = m_names.byName(a), other = m_names.byName(b);
        return one && other && *one != *other;
    }

private:
    explicit WhoseFile(asbuilt::DeviceNames names) : m_names(std::move(names)) {}
    asbuilt::DeviceNames m_names;
};

Result<void> readOne(const exchange::ImportSource& source, const std::string& local, const WhoseFile& whose, asbuilt::Capture& capture)
{
    const std::string file = source.path.string(), stem = stemOf(source.path);
    LldpFile found;
    if (auto read = readLldp(source.content, file, found); !read) return read;
    if (!found.localName.empty() && !found.localId.empty()) capture.ids.emplace_back(found.localName, found.localId);
    if (found.onlyChassis) return {};
    if (auto told = tellLeftOut(found.left, !found.neighbors.empty(), capture); !told) return told;
    capture.read += found.neighbors.size(), capture.left += found.left.size();
    const std::string given = !source.option("local").empty() ? source.option("local") : local;
    const auto deviceOf = [&](const std::string& prompt) {
        return !given.empty() ? given : !prompt.empty() ? prompt : !found.localName.empty() ? found.localName : stem;
    };
    const bool oneDevice = !found.looked.empty() && std::ranges::count(found.looked, found.looked.front()) == std::ssize(found.looked);
    if (oneDevice && given.empty() && whose.contradict(found.looked.front(), stem))
        return fail(ErrorCode::Unreadable, file, i18n("the prompt names device {}, the file name {}", found.looked.front(), stem),
                    i18n("rename the file, or specify the device with --local"));
    std::set<std::string> heard;
    for (const LldpNeighbor& n : found.neighbors) {
        if (n.inRow && !source.option("local").empty())
            return fail(ErrorCode::Usage, "--local", i18n("the rows of {} already identify their devices", file), i18n("omit it"));
        const std::string device = n.inRow ? n.device : deviceOf(n.device);
        heard.insert(device);
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
    if (found.mayGoOn) capture.doubts.push_back({file, i18n("has no end marker: the capture may be truncated")});
    const bool rows = std::ranges::any_of(found.neighbors, &LldpNeighbor::inRow);
    for (const auto& prompt : found.looked)
        if (!rows && heard.insert(deviceOf(prompt)).second)
            capture.sightings.push_back({Witness::Lldp, deviceOf(prompt), {}, {}, {}, 0, 0, {}, file, {}, {}});
    return {};
}

Result<asbuilt::Capture> readLldpFiles(Sources sources, const SnapshotPtr& base, const Progress& progress)
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
    const auto whose = WhoseFile::of(*base);
    if (!whose) return tl::unexpected(whose.error());
    std::size_t taken = 0;
    for (const auto& source : sources) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, source.path.string(), i18n("stopped"));
        if (sources.size() > 1 && !isLldp(source.content)) {
            skipForeign(source, i18n("not an LLDP capture"), capture);
            continue;
        }
        const auto named = names.find(stemOf(source.path));
        if (const auto read = readOne(source, named == names.end() ? std::string() : named->second, *whose, capture); !read)
            return tl::unexpected(read.error());
        ++taken;
    }
    if (const auto any = noneTaken(taken, sources); !any) return tl::unexpected(any.error());
    return capture;
}

bool looksLikeLldp(const exchange::ImportSource& source) { return isLldp(source.content); }

} // namespace

CaptureFormat lldpFormat()
{
    return {"lldp",
            TextId("LLDP neighbors of lldpd, NX-OS, EOS, Junos, SONiC, NVUE, NetQ or SuzieQ; a file, or a folder of files by device"),
            {{"local", "NAME", i18n("device that a single file belongs to, if neither the file nor its name identifies it")}},
            looksLikeLldp,
            readLldpFiles};
}

} // namespace hw::importers
