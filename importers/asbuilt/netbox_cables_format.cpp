// SPDX-License-Identifier: GPL-3.0-or-later
// Cables as NetBox exports and imports them: one row each.
#include "core/foundation/base/trim.h"
#include "core/foundation/files/csv_table.h"
#include "importers/asbuilt/capture_columns.h"
#include "importers/asbuilt/capture_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

namespace hw::importers {

namespace {

/// As the import names the columns, and as the list of cables is exported ("Device A", "Termination A").
struct NetboxColumns {
    explicit NetboxColumns(const CsvTable& table) : columns(table) {}
    static const char* listName(std::string_view name)
    {
        return name == "side_a_device"   ? "device a"
               : name == "side_a_name"   ? "termination a"
               : name == "side_b_device" ? "device b"
                                         : "termination b";
    }
    [[nodiscard]] bool has(const char* name) const { return columns.has(name) || columns.has(listName(name)); }
    [[nodiscard]] std::string end(const CsvTable::Row& row, const char* name) const
    {
        return columns.cell(row, columns.has(name) ? name : listName(name));
    }
    CaptureColumns columns;
};

/// An end of a cable: a port of a device, or a connector of a panel in front or behind.
struct CableSide {
    enum class Kind : std::uint8_t { Port, Front, Rear, Panel }; ///< Panel: front or rear, the list does not tell
    std::string device, port;
    Kind kind = Kind::Port;
    [[nodiscard]] bool ofPanel() const { return kind != Kind::Port; }
};
struct ListedCable {
    std::array<CableSide, 2> ends;
    std::string label, where;
};

bool isOf(const std::string& type, std::string_view what) { return type.ends_with(what); }

/// "7" of "Front 07"; the whole name where it has no number at its end.
std::string positionOf(const std::string& port)
{
    auto digits = port.find_last_not_of("0123456789");
    digits = digits == port.npos ? 0 : digits + 1;
    if (digits == port.size()) return asbuilt::lowerCase(port);
    return port.substr(std::min(port.find_first_not_of('0', digits), port.size() - 1));
}

std::vector<std::string> partsOf(const std::string& cell)
{
    std::vector<std::string> out;
    for (std::size_t at = 0; at <= cell.size();) {
        const auto end = std::min(cell.find_first_of(",\n", at), cell.size());
        out.emplace_back(trimmed(std::string_view(cell).substr(at, end - at)));
        at = end + 1;
    }
    return out;
}

/// What a list of cables says of data links: rows that say nothing of them are counted by reason, cables to panels are followed to whole links.
class CableList {
public:
    CableList(const Snapshot& s, const ProjectParts& parts)
    {
        s.devices.forEach([&](DeviceId id) {
            if (const PanelSpec& panel = parts.device(s.devices.type[id]).panel; panel.positions > 0)
                m_perRear.emplace(asbuilt::lowerCase(s.devices.name[id]), panel.perRear);
        });
    }

    Result<void> read(const exchange::ImportSource& source, asbuilt::Capture& capture)
    {
        const std::string file = source.path.string();
        const auto table = readCsv(source.content, file);
        if (!table) return tl::unexpected(table.error());
        const NetboxColumns columns(*table);
        for (const char* need : {"side_a_device", "side_a_name", "side_b_device", "side_b_name"})
            if (!columns.has(need))
                return fail(ErrorCode::Unreadable, file + ":" + std::to_string(table->headerLine),
                            i18n("column {} or {} is missing", need, NetboxColumns::listName(need)),
                            i18n("export the cable list with Device A, Termination A, Device B and Termination B"));
        std::size_t used = 0, rows = 0;
        for (auto& lines : m_left) lines.clear();
        for (const auto& row : table->rows) ++rows, used += take(columns, row, file);
        if (used == 0 && !m_left[kNoPort].empty())
            return fail(ErrorCode::Unreadable, file + ":" + std::to_string(m_left[kNoPort].front()),
                        i18n("cable without a device or port at one end"), i18n("fill in both ends, or remove the row"));
        capture.facts.push_back(
            i18np(rows, "{:L} row in {}: {:L} read, {:L} skipped", "{:L} rows in {}: {:L} read, {:L} skipped", file, used, rows - used));
        capture.read += used, capture.left += rows - used;
        tellLeft(file, capture);
        return {};
    }

    /// Cables from port to port, and those over panels as whole links.
    void finish(asbuilt::Capture& capture)
    {
        for (std::size_t i = 0; i < m_cables.size(); ++i)
            for (const int end : {0, 1}) {
                const CableSide& side = m_cables[i].ends[std::size_t(end)];
                if (!side.ofPanel()) continue;
                const std::string panel = asbuilt::lowerCase(side.device), position = positionOf(side.port);
                m_at[{panel, side.kind, position}].push_back({i, end});
                (side.kind == CableSide::Kind::Front ? m_fronts : m_rears)[panel].insert(position);
            }
        std::size_t followed = 0, open = 0;
        for (std::size_t i = 0; i < m_cables.size(); ++i) {
            const ListedCable& one = m_cables[i];
            const bool a = one.ends[0].ofPanel(), b = one.ends[1].ofPanel();
            if (a && b) continue; // between panels: part of the links that cross it
            if (!a && !b) {
                tell(one, one.ends[0], one.ends[1], capture);
                continue;
            }
            const auto far = follow({i, a ? 0 : 1});
            if (!far) {
                ++open;
                continue;
            }
            if (far->cable < i) continue; // told from its other end
            tell(one, one.ends[a ? 1 : 0], m_cables[far->cable].ends[std::size_t(far->end)], capture), ++followed;
        }
        if (followed > 0) capture.facts.push_back(i18np(followed, "{:L} link over patch panels followed", "{:L} links over patch panels followed"));
        if (open > 0)
            capture.doubts.push_back(
                {"", i18np(open,
                           "{:L} cable to a patch panel skipped: the list has no cable at its rear, or does not state which rear "
                           "port belongs to its front port",
                           "{:L} cables to patch panels skipped: the list has no cable at their rear, or does not state which "
                           "rear port belongs to the front port")});
    }

private:
    enum Reason : std::uint8_t { kPower, kNotThere, kNoPort, kUneven, kReasons };
    struct PlugAt {
        std::size_t cable = 0;
        int end = 0;
    };
    using Place = std::tuple<std::string, CableSide::Kind, std::string>;

    void leave(Reason reason, std::size_t line) { m_left[reason].push_back(line); }
    void tellLeft(const std::string& file, asbuilt::Capture& capture) const
    {
        const auto lines = [](const std::vector<std::size_t>& all) {
            std::vector<std::string> names;
            for (const std::size_t line : all)
                if (names.size() < 10) names.push_back(std::to_string(line));
            return all.size() > names.size() ? i18n("lines {} and {} more", listedNames(names), all.size() - names.size())
                   : all.size() == 1         ? i18n("line {}", names.front())
                                             : i18n("lines {}", listedNames(names));
        };
        const auto say = [&](Reason reason, Text text) {
            if (!m_left[reason].empty()) capture.doubts.push_back({file, i18n("{} ({})", std::move(text), lines(m_left[reason]))});
        };
        const auto n = [&](Reason reason) { return m_left[reason].size(); };
        say(kNoPort, i18np(n(kNoPort), "{:L} cable skipped: one of its ends is not a port of a device (power feed, circuit, empty)",
                           "{:L} cables skipped: one of their ends is not a port of a device (power feed, circuit, empty)"));
        say(kPower, i18np(n(kPower), "{:L} power cable skipped", "{:L} power cables skipped"));
        say(kUneven, i18np(n(kUneven), "{:L} cable skipped: its ends have different numbers of terminations, and neither has one",
                           "{:L} cables skipped: their ends have different numbers of terminations, and neither has one"));
        say(kNotThere, i18np(n(kNotThere), "{:L} cable skipped: planned or decommissioning", "{:L} cables skipped: planned or decommissioning"));
    }

    [[nodiscard]] CableSide sideOf(const std::string& device, const std::string& port, const std::string& type) const
    {
        using Kind = CableSide::Kind;
        if (isOf(type, "frontport")) return {device, port, Kind::Front};
        if (isOf(type, "rearport")) return {device, port, Kind::Rear};
        if (!type.empty() || !m_perRear.contains(asbuilt::lowerCase(device))) return {device, port, Kind::Port};
        const std::string name = asbuilt::lowerCase(port);
        const bool rear = name.find("rear") != name.npos || name.find("back") != name.npos;
        return {device, port, rear ? Kind::Rear : name.find("front") != name.npos ? Kind::Front : Kind::Panel};
    }

    /// Whether a row is used.
    bool take(const NetboxColumns& columns, const CsvTable::Row& row, const std::string& file)
    {
        const auto cell = [&](const char* name) { return columns.columns.cell(row, name); };
        const std::array types{cell("side_a_type"), cell("side_b_type")};
        for (const auto& type : types)
            for (const char* power : {"powerport", "poweroutlet", "powerfeed"})
                if (isOf(type, power)) return leave(kPower, row.line), false;
        std::array devices{partsOf(columns.end(row, "side_a_device")), partsOf(columns.end(row, "side_b_device"))};
        const std::array ports{partsOf(columns.end(row, "side_a_name")), partsOf(columns.end(row, "side_b_name"))};
        for (std::size_t e = 0; e < 2; ++e) {
            if (isOf(types[e], "circuittermination")) return leave(kNoPort, row.line), false;
            if (devices[e].size() == 1) devices[e].resize(ports[e].size(), devices[e].front());
            const auto empty = [](const std::vector<std::string>& all) { return std::ranges::find(all, "") != all.end(); };
            if (empty(devices[e]) || empty(ports[e])) return leave(kNoPort, row.line), false;
            if (devices[e].size() != ports[e].size()) return leave(kUneven, row.line), false;
        }
        if (asbuilt::lowerCase(cell("type")) == "power") return leave(kPower, row.line), false;
        const std::string status = asbuilt::lowerCase(cell("status"));
        if (status == "planned" || status == "decommissioning") return leave(kNotThere, row.line), false;
        const std::size_t links = std::max(ports[0].size(), ports[1].size());
        if (ports[0].size() != ports[1].size() && ports[0].size() != 1 && ports[1].size() != 1) return leave(kUneven, row.line), false;
        for (std::size_t i = 0; i < links; ++i) {
            ListedCable one{{}, cell("label"), file + ":" + std::to_string(row.line)};
            for (std::size_t e = 0; e < 2; ++e) {
                const bool trunk = ports[e].size() < links; // the end that is broken out: its ports in the order of the others
                const std::size_t at = trunk ? 0 : i;
                const bool fromZero = asbuilt::lowerCase(ports[e][0]).starts_with("swp"); // as Cumulus counts sub-ports
                const std::string port = trunk ? ports[e][0] + "s" + std::to_string(fromZero ? i : i + 1) : ports[e][i];
                one.ends[e] = sideOf(devices[e][at], port, types[e]);
            }
            m_cables.push_back(std::move(one));
        }
        return true;
    }

    /// The other connector of a panel's way: what is plugged there. A front belongs to the rear of the same number, or of its group where the
    /// panel's type divides rears; nothing where the list cannot tell.
    [[nodiscard]] std::optional<PlugAt> through(const PlugAt& in, std::size_t& lane) const
    {
        using Kind = CableSide::Kind;
        const CableSide& side = m_cables[in.cable].ends[std::size_t(in.end)];
        const std::string panel = asbuilt::lowerCase(side.device), position = positionOf(side.port);
        const auto at = [&](Kind kind, const std::string& where) -> std::optional<PlugAt> {
            const auto found = m_at.find({panel, kind, where});
            if (found == m_at.end()) return std::nullopt;
            const auto other = std::ranges::find_if(found->second, [&](const PlugAt& plug) { return plug.cable != in.cable; });
            return found->second.size() > (kind == Kind::Panel ? 2U : 1U) || other == found->second.end() ? std::nullopt : std::optional(*other);
        };
        if (side.kind == Kind::Panel) return at(Kind::Panel, position);
        const auto known = m_perRear.find(panel);
        const std::size_t group = known == m_perRear.end() ? 1 : std::size_t(known->second);
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(position.data(), position.data() + position.size(), number);
        const bool counted = error == std::errc() && end == position.data() + position.size() && number > 0;
        if (group > 1) {
            if (!counted) return std::nullopt;
            if (side.kind == Kind::Front) return lane = (number - 1) % group, at(Kind::Rear, std::to_string((number - 1) / group + 1));
            return at(Kind::Front, std::to_string((number - 1) * group + lane + 1));
        }
        const auto fronts = m_fronts.find(panel), rears = m_rears.find(panel);
        if (fronts == m_fronts.end() || rears == m_rears.end() || !std::ranges::includes(rears->second, fronts->second)) return std::nullopt;
        return at(side.kind == Kind::Front ? Kind::Rear : Kind::Front, position);
    }

    /// From a panel's connector to the port at the end of the way.
    [[nodiscard]] std::optional<PlugAt> follow(PlugAt at) const
    {
        constexpr int kMostPanels = 16;
        std::size_t lane = 0;
        for (int i = 0; i < kMostPanels; ++i) {
            const auto beyond = through(at, lane);
            if (!beyond) return std::nullopt;
            at = {beyond->cable, 1 - beyond->end};
            if (!m_cables[at.cable].ends[std::size_t(at.end)].ofPanel()) return at;
        }
        return std::nullopt;
    }

    static void tell(const ListedCable& cable, const CableSide& from, const CableSide& to, asbuilt::Capture& capture)
    {
        capture.sightings.push_back({Witness::NetBox, from.device, from.port, to.device, to.port, 0, 0, cable.label, cable.where, {}, {}});
    }

    std::map<std::string, int> m_perRear; ///< panels of the design, by name
    std::vector<ListedCable> m_cables;
    std::array<std::vector<std::size_t>, kReasons> m_left; ///< lines of one file
    std::map<Place, std::vector<PlugAt>> m_at;
    std::map<std::string, std::set<std::string>> m_fronts, m_rears; ///< positions that the list has, by panel
};

Result<asbuilt::Capture> readNetboxCables(Sources sources, const SnapshotPtr& base, const Progress&)
{
    const auto parts = ProjectParts::of(base->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    asbuilt::Capture capture;
    capture.witness = Witness::NetBox;
    CableList list(*base, **parts);
    for (const auto& source : sources)
        if (const auto done = list.read(source, capture); !done) return tl::unexpected(done.error());
    list.finish(capture);
    if (!capture.doubts.empty() && capture.doubts.back().where.empty()) capture.doubts.back().where = sources.front().path.string();
    return capture;
}

bool looksLikeCables(const exchange::ImportSource& source)
{
    const std::string head = asbuilt::lowerCase(std::string_view(source.content).substr(0, 4096));
    return head.find("side_a_device") != head.npos || (head.find("termination a") != head.npos && head.find("device a") != head.npos);
}

} // namespace

CaptureFormat netboxCablesFormat()
{
    return {"netbox-cables",
            TextId("NetBox cables (CSV: side_a_device, side_a_name, side_b_device, side_b_name, or the exported list), "
                   "lowest precedence of all captures"),
            {},
            looksLikeCables,
            readNetboxCables};
}

} // namespace hw::importers
