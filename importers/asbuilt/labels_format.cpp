// SPDX-License-Identifier: GPL-3.0-or-later
// Labels as somebody scanned them: what stands on a cable end, and where that end was found.
#include "core/derived/cabling/cable_label.h"
#include "core/derived/figures/figures.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/asbuilt/names.h"
#include "importers/asbuilt/capture_columns.h"
#include "importers/asbuilt/capture_reader.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <set>
#include <tuple>

namespace hw::importers {

namespace {

/// A cable end as its label says it: the links of the cable that leave through it.
struct LabeledEnd {
    CableId cable{};
    std::vector<std::pair<PortId, PortId>> ends; ///< near and far port of each link, that of the label first
    std::vector<std::pair<PortId, PortId>> back; ///< the same of the connector at its other end
    [[nodiscard]] LabeledEnd turned() const { return {cable, back, ends}; }
};

/// Every label that the design prints, on either end.
class Labels {
public:
    explicit Labels(const Figures& f) : m_f(f), m_s(*f.snapshot)
    {
        const CablePlugs plugs(m_s, *f.parts, *f.cabling);
        const CableLabels labels(m_s);
        m_s.cables.forEach([&](CableId id) {
            if (f.cabling->linksOf(id).empty()) return;
            if (m_s.cables.medium[id] != Medium::Data) {
                for (const auto& leg : plugs.pairs(id))
                    m_besides.insert(labels.of(id, leg.from, leg.to)), m_besides.insert(labels.of(id, leg.to, leg.from));
                return;
            }
            const auto ends = plugs.of(id);
            std::set<std::string> own;
            const auto put = [&](const CablePlug& near, const CablePlug& far) {
                std::string label = labels.of(id, near, far);
                if (own.insert(label).second) add(std::move(label), id, near, far);
            };
            for (const auto& from : ends.from)
                for (const auto& to : ends.to) put(from, to), put(to, from);
            for (const auto& leg : plugs.pairs(id)) put(leg.from, leg.to), put(leg.to, leg.from); // as printed for each leg of a breakout
        });
        m_s.links.forEach([&](LinkId id) { // the schedule's label: "device:port > device:port"
            const PortId from = m_s.links.from[id], to = m_s.links.to[id];
            if (m_s.ports.medium[from] != Medium::Data || !m_s.links.cable[id]) return;
            m_ends[name(from) + " > " + name(to)].push_back({*m_s.links.cable[id], {{from, to}}, {{to, from}}});
        });
        std::map<std::string, std::vector<LabeledEnd>> turned; // the same, printed for the other end
        m_s.links.forEach([&](LinkId id) {
            const PortId from = m_s.links.from[id], to = m_s.links.to[id];
            if (m_s.ports.medium[from] != Medium::Data || !m_s.links.cable[id]) return;
            const std::string label = name(to) + " > " + name(from);
            if (!m_ends.contains(label)) turned[label].push_back({*m_s.links.cable[id], {{to, from}}, {{from, to}}});
        });
        m_ends.merge(turned);
    }
    [[nodiscard]] const std::vector<LabeledEnd>* find(const std::string& label) const
    {
        const auto found = m_ends.find(label);
        return found == m_ends.end() ? nullptr : &found->second;
    }
    [[nodiscard]] bool isBeside(const std::string& label) const { return m_besides.contains(label); } ///< of a power cable or pipe

    /// The other ports of the connector of a shuffle that is planned at a port.
    [[nodiscard]] std::vector<PortId> withIn(PortId port) const
    {
        std::vector<PortId> others;
        const auto link = m_f.get<IndexNode>().linkOf(port);
        const auto cable = link ? m_s.links.cable[*link] : Maybe<CableId>();
        if (!cable || !isShuffle(*cable)) return others;
        for (const LinkId one : m_f.cabling->linksOf(*cable))
            for (const PortId end : {m_s.links.from[one], m_s.links.to[one]})
                if (end != port && m_s.ports.cage[end] == m_s.ports.cage[port]) others.push_back(end);
        return others;
    }

private:
    [[nodiscard]] std::string name(PortId port) const { return entityName(m_s, *m_f.parts, ref(port)); }
    [[nodiscard]] bool isAt(PortId port, const CablePlug& plug) const
    {
        if (m_s.ports.device[port] != plug.device) return false;
        if (portName(m_s, *m_f.parts, port) == plug.port) return true;
        const CageId cage = m_s.ports.cage[port]; // a plug of several ports has the name of one of them
        for (const LinkId link : m_f.cabling->linksOf(m_cable))
            for (const PortId other : {m_s.links.from[link], m_s.links.to[link]})
                if (m_s.ports.cage[other] == cage && portName(m_s, *m_f.parts, other) == plug.port) return true;
        return false;
    }
    /// Whether connectors at both ends of a cable carry several links.
    [[nodiscard]] bool isShuffle(CableId cable) const
    {
        std::map<CageId, int> from, to;
        for (const LinkId link : m_f.cabling->linksOf(cable)) ++from[m_s.ports.cage[m_s.links.from[link]]], ++to[m_s.ports.cage[m_s.links.to[link]]];
        const auto several = [](const auto& cages) {
            return cages.size() > 1 && std::ranges::all_of(cages, [](const auto& one) { return one.second > 1; });
        };
        return several(from) && several(to);
    }
    void add(std::string label, CableId id, const CablePlug& near, const CablePlug& far)
    {
        m_cable = id;
        LabeledEnd end{id, {}, {}};
        std::vector<std::pair<PortId, PortId>> others; // of a shuffle, through one of the two connectors
        for (const LinkId link : m_f.cabling->linksOf(id))
            for (const auto& [a, b] : {std::pair(m_s.links.from[link], m_s.links.to[link]), std::pair(m_s.links.to[link], m_s.links.from[link])}) {
                const bool here = isAt(a, near), there = isAt(b, far);
                if (here && there) end.ends.emplace_back(a, b), end.back.emplace_back(b, a);
                if (here != there) others.emplace_back(a, b);
            }
        if (end.ends.empty() || !isShuffle(id)) others.clear(); // of a shuffle each connector has one label, for all its links
        for (const auto& [a, b] : others) {
            if (isAt(a, near))
                end.ends.emplace_back(a, b);
            else
                end.back.emplace_back(b, a);
        }
        m_ends[std::move(label)].push_back(std::move(end));
    }
    const Figures& m_f;
    const Snapshot& m_s;
    CableId m_cable{};
    std::map<std::string, std::vector<LabeledEnd>> m_ends;
    std::set<std::string> m_besides; ///< labels of power cables and pipes
};

/// One scan: an end, and where it was found.
struct Scan {
    const LabeledEnd* end = nullptr;
    std::string device, port; ///< empty: where the label says
    std::string label, where;
    int rate = 0, lanes = 0;
};

class LabelReader {
public:
    LabelReader(const Figures& f, asbuilt::NameRules rules, asbuilt::Capture& capture)
        : m_f(f), m_s(*f.snapshot), m_labels(f), m_devices(m_s, rules.devices), m_ports(m_s, *f.parts, rules.ports), m_capture(capture)
    {
    }

    Result<void> read(const exchange::ImportSource& source)
    {
        const std::string file = source.path.string();
        const auto table = readCsv(source.content, file);
        if (!table) return tl::unexpected(table.error());
        const CaptureColumns columns(*table);
        const bool both = columns.has("from_device") && columns.has("from_port") && columns.has("to_device") && columns.has("to_port");
        if (!columns.has("label") && !both)
            return fail(ErrorCode::Unreadable, file + ":" + std::to_string(table->headerLine),
                        i18n("has neither the column label nor the columns from_device, from_port, to_device, to_port"),
                        i18n("put the column names in the first line"));
        std::vector<Error> left;
        for (const auto& row : table->rows)
            if (auto done = take(columns, row, file + ":" + std::to_string(row.line)); !done) left.push_back(done.error());
        m_capture.facts.push_back(
            i18np(table->rows.size(), "{:L} row in {}, {:L} skipped", "{:L} rows in {}, {:L} skipped", file, left.size() + m_notFound));
        if (m_besides > 0)
            m_capture.facts.push_back(i18np(m_besides, "{:L} row is of a power cable or pipe, which is not compared",
                                            "{:L} rows are of power cables and pipes, which are not compared"));
        m_besides = 0;
        m_capture.left += left.size() + m_notFound, m_capture.read += table->rows.size() - left.size() - m_notFound;
        m_notFound = 0;
        return tellLeftOut(left, left.size() < table->rows.size(), m_capture);
    }

    /// Both ends of a cable may have been scanned.
    void finish()
    {
        std::set<std::tuple<std::string, std::string, std::string>> scanned;
        std::erase_if(m_scans, [&](const Scan& scan) { return !scanned.emplace(scan.label, scan.device, scan.port).second; });
        turnAround();
        std::map<Way, std::size_t> first; // scans by the way that their label names
        for (std::size_t i = 0; i < m_scans.size(); ++i) {
            const auto [at, fresh] = first.emplace(wayOf(m_scans[i]), i);
            const Scan &one = m_scans[at->second], &again = m_scans[i];
            if (!fresh && !again.device.empty() && (one.device != again.device || one.port != again.port))
                m_capture.doubts.push_back(
                    {again.where, i18n("'{}' was also found at {}:{} ({}): skipped", again.label, one.device, one.port, one.where)});
        }
        std::map<std::pair<CableId, PortId>, std::size_t> scanOf; // by what is plugged
        for (const auto& [way, i] : first)
            for (const auto& end : m_scans[i].end->ends) scanOf.emplace(std::pair(std::get<0>(way), end.first), i);
        std::set<Way> done;
        for (std::size_t i = 0; i < m_scans.size(); ++i) {
            if (first.at(wayOf(m_scans[i])) != i) continue; // a label that was scanned twice counts once
            const CableId cable = m_scans[i].end->cable;
            for (const auto& [near, far] : m_scans[i].end->ends) {
                if (!done.emplace(cable, near, far).second || !done.emplace(cable, far, near).second) continue;
                const auto other = scanOf.find({cable, far});
                put(m_scans[i], other == scanOf.end() ? nullptr : &m_scans[other->second], near, far);
            }
        }
    }

private:
    static Result<int> wholeNumber(const std::string& text, const std::string& where, const char* column)
    {
        int value = 0;
        if (text.empty()) return 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && value >= 0) return value;
        return fail(ErrorCode::Unreadable, where, i18n("'{}' is not a {}", text, column), i18n("use a whole number, or leave it empty"));
    }

    Result<void> take(const CaptureColumns& columns, const CsvTable::Row& row, const std::string& where)
    {
        const auto cell = [&](const char* name) { return columns.cell(row, name); };
        const auto rate = wholeNumber(cell("rate_gbps"), where, "rate_gbps"), lanes = wholeNumber(cell("lanes"), where, "lanes");
        if (!rate) return tl::unexpected(rate.error());
        if (!lanes) return tl::unexpected(lanes.error());
        if (const std::string medium = cell("medium"); medium == wordOf(Medium::Power) || medium == wordOf(Medium::Coolant)) { // an exported list
            ++m_besides;
            return {};
        }
        if (!cell("from_device").empty() || !cell("to_device").empty()) {
            if (cell("from_device").empty() || cell("to_device").empty())
                return fail(ErrorCode::Unreadable, where, i18n("specifies only one end of the cable"), i18n("fill in both ends, or the label"));
            m_capture.sightings.push_back({Witness::Label,
                                           cell("from_device"),
                                           cell("from_port"),
                                           cell("to_device"),
                                           cell("to_port"),
                                           *rate,
                                           *lanes,
                                           cell("label"),
                                           where,
                                           {},
                                           {}});
            return {};
        }
        const auto* ends = m_labels.find(cell("label"));
        if (!ends && m_labels.isBeside(cell("label"))) {
            ++m_besides;
            return {};
        }
        const bool placed = !cell("device").empty() && !cell("port").empty();
        if (placed && (!ends || ends->size() > 1)) { // something is plugged there
            notReadable(cell("device"), cell("port"), cell("label"), where);
            ++m_notFound;
            return {};
        }
        if (cell("label").empty()) return fail(ErrorCode::Unreadable, where, i18n("label is missing"), i18n("scan it again, or specify both ends"));
        if (!ends) {
            m_capture.doubts.push_back({where, i18n("'{}' is not a label of this design: skipped", cell("label"))}), ++m_notFound;
            return {};
        }
        if (ends->size() > 1) {
            m_capture.doubts.push_back({where, i18n("{} cables share the label '{}': skipped", std::int64_t(ends->size()), cell("label"))}),
                ++m_notFound;
            return {};
        }
        if (ends->front().ends.empty()) {
            if (placed)
                m_capture.sightings.push_back(
                    {Witness::Label, cell("device"), cell("port"), {}, "panel", 0, 0, cell("label"), where, {}, {}}); // no text
            m_capture.doubts.push_back({where, i18n("'{}' ends at a patch panel and is not a complete link: skipped", cell("label"))}), ++m_notFound;
            return {};
        }
        if (cell("device").empty() != cell("port").empty())
            return fail(ErrorCode::Unreadable, where, i18n("only one of device and port specified"),
                        i18n("specify both for the end that was found, or neither"));
        m_scans.push_back({&ends->front(), cell("device"), cell("port"), cell("label"), where, *rate, *lanes});
        return {};
    }

    /// A plug of which no more is known; of a shuffle it has all the ports of its socket.
    void notReadable(const std::string& device, const std::string& port, const std::string& label, const std::string& where)
    {
        const auto put = [&](const std::string& name) {
            m_capture.sightings.push_back({Witness::Label, device, name, {}, {}, 0, 0, label, where, {}, {}});
        };
        Text why;
        const auto id = m_devices.find(device);
        const auto at = id ? m_ports.find(*id, port, why) : std::nullopt;
        put(at ? portName(m_s, *m_f.parts, *at) : port);
        if (!at) return;
        for (const PortId other : m_labels.withIn(*at)) put(portName(m_s, *m_f.parts, other));
    }

    /// The schedule's label is the same on either end, and a cable may lie the other way round: a scan at the device where the other end belongs
    /// is one of that end, unless that end was found elsewhere.
    void turnAround()
    {
        std::map<Way, int> scanned;
        for (const Scan& scan : m_scans) ++scanned[wayOf(scan)];
        for (Scan& scan : m_scans) {
            if (scan.device.empty()) continue;
            const auto device = m_devices.find(scan.device);
            const auto [cable, near, far] = wayOf(scan);
            if (!device || *device == m_s.ports.device[near]) continue;
            const bool twice = scanned[{cable, near, far}] > 1, taken = scanned[{cable, far, near}] > 0;
            if (taken || (*device != m_s.ports.device[far] && !twice)) continue;
            --scanned[{cable, near, far}], ++scanned[{cable, far, near}];
            m_turned.push_back(scan.end->turned());
            scan.end = &m_turned.back();
        }
    }

    using Way = std::tuple<CableId, PortId, PortId>; ///< near and far
    [[nodiscard]] static Way wayOf(const Scan& scan) { return {scan.end->cable, scan.end->ends.front().first, scan.end->ends.front().second}; }

    struct Found {
        std::string device, port;
    };
    /// Where the plug's port for a link is: as found, on the lane that it has in its plug.
    [[nodiscard]] Found found(const Scan& scan, PortId planned)
    {
        if (scan.device.empty()) return {m_s.devices.name[m_s.ports.device[planned]], portName(m_s, *m_f.parts, planned)};
        if (scan.end->ends.size() == 1) return {scan.device, scan.port};
        Text why;
        const auto device = m_devices.find(scan.device);
        const auto port = device ? m_ports.find(*device, scan.port, why) : std::nullopt;
        if (!port) return {scan.device, scan.port};
        const CageId cage = m_s.ports.cage[*port];
        Found out{scan.device, scan.port};
        m_s.ports.forEach([&](PortId id) {
            if (m_s.ports.cage[id] == cage && m_s.ports.lane[id] == m_s.ports.lane[planned]) out.port = portName(m_s, *m_f.parts, id);
        });
        return out;
    }

    void put(const Scan& one, const Scan* other, PortId near, PortId far)
    {
        const Found a = found(one, near);
        const Found b = other ? found(*other, far) : Found{m_s.devices.name[m_s.ports.device[far]], portName(m_s, *m_f.parts, far)};
        m_capture.sightings.push_back({Witness::Label, a.device, a.port, b.device, b.port, one.rate, one.lanes, one.label, one.where, {}, {}});
        if (other)
            m_capture.sightings.push_back(
                {Witness::Label, b.device, b.port, a.device, a.port, other->rate, other->lanes, other->label, other->where, {}, {}});
    }

    const Figures& m_f;
    const Snapshot& m_s;
    Labels m_labels;
    asbuilt::DeviceNames m_devices;
    asbuilt::PortNames m_ports;
    asbuilt::Capture& m_capture;
    std::size_t m_besides = 0;  ///< rows of power cables and pipes
    std::size_t m_notFound = 0; ///< rows of a list that were left out with a doubt
    std::vector<Scan> m_scans;
    std::deque<LabeledEnd> m_turned;
};

Result<asbuilt::Capture> readLabels(Sources sources, const SnapshotPtr& base, const Progress& progress)
{
    const auto figures = figuresOf(base);
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<CablingNode>(progress); !made) return tl::unexpected(made.error());
    const auto rules = asbuilt::NameRules::of(*base);
    if (!rules) return tl::unexpected(rules.error());
    asbuilt::Capture capture;
    capture.witness = Witness::Label;
    LabelReader reader(**figures, *rules, capture);
    for (const auto& source : sources)
        if (const auto done = reader.read(source); !done) return tl::unexpected(done.error());
    reader.finish();
    return capture;
}

bool looksLikeLabels(const exchange::ImportSource& source)
{
    const auto table = readCsv(source.content, source.path.string());
    if (!table) return false;
    const CaptureColumns columns(*table);
    return columns.has("label") && !columns.has("side_a_device");
}

} // namespace

CaptureFormat labelsFormat()
{
    return {"labels",
            TextId("scanned labels (CSV): label, plus device and port of the scanned end; or from_device, from_port, to_device, to_port"),
            {},
            looksLikeLabels,
            readLabels};
}

} // namespace hw::importers
