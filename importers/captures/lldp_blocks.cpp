// SPDX-License-Identifier: GPL-3.0-or-later
// Neighbors as blocks of lines: NX-OS and EOS in detail, lldpd's text (also of SONiC and NVUE), lldpd's keys and values.
#include "core/foundation/base/trim.h"
#include "core/operations/asbuilt/sighting.h"
#include "importers/captures/lldp_file.h"

#include <algorithm>
#include <optional>

namespace hw::importers {

namespace {

bool beginsWith(std::string_view text, std::string_view start)
{
    return text.size() >= start.size() && sameWord(text.substr(0, start.size()), start);
}

/// "Port ID     : "Ethernet7/1"" → port id, "Ethernet7/1"; without the mark of a list in front.
std::optional<std::pair<std::string, std::string>> keyAndValue(std::string_view line)
{
    line = trimmed(line);
    if (line.starts_with("- ")) line = trimmed(line.substr(2));
    const auto colon = line.find(':');
    if (colon == line.npos || colon == 0) return std::nullopt;
    return std::pair(lldpKey(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1))));
}

std::string withoutQuotes(std::string_view text)
{
    text = trimmed(text);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    return std::string(text);
}

/// One neighbor as it is being read. A field that is there twice, as in a description of several lines, makes it doubtful.
struct LldpRecord {
    std::size_t line = 0;
    std::string local, via;
    std::optional<std::string> chassis, portType, portId, description, name;
    bool doubtful = false, ttlBehindPort = false;

    void set(std::optional<std::string>& field, std::string value)
    {
        if (field) doubtful = true;
        field = std::move(value);
    }
    /// Whether nothing that may follow would change its answer.
    [[nodiscard]] bool isTold() const { return portId && (portType.value_or("") == "ifname" || description || ttlBehindPort); }
};

std::string notSaid(std::optional<std::string> text)
{
    if (!text || lldpKey(*text) == "not_advertised" || lldpKey(*text) == "null") return {};
    return *text;
}

class Blocks {
public:
    Blocks(const TerminalPart& part, const std::string& file, LldpFile& out) : m_part(part), m_file(file), m_out(out) {}

protected:
    /// `whole`: something follows that shows its end, or nothing that may follow changes it.
    void put(std::optional<LldpRecord>& given, bool whole)
    {
        if (!given) return;
        const LldpRecord record = std::move(*given);
        given.reset();
        if (!whole) {
            m_out.mayGoOn = true;
            return;
        }
        const std::string where = m_file + ":" + std::to_string(record.line);
        if (record.doubtful) return m_out.left.push_back(leftOut(where, i18n("duplicate field")));
        if (record.local.empty()) return m_out.left.push_back(leftOut(where, i18n("neighbor without a local port")));
        if (!record.via.empty() && !beginsWith(record.via, "lldp"))
            return m_out.left.push_back(leftOut(where, i18n("neighbor by {}, not LLDP", record.via)));
        if (!record.portId) return m_out.left.push_back(leftOut(where, i18n("neighbor without a port ID")));
        LldpNeighbor n;
        n.device = m_part.device, n.localPort = record.local, n.name = notSaid(record.name);
        const std::string chassis = notSaid(record.chassis), port = notSaid(record.portId);
        n.id = asbuilt::hardwareId(chassis);
        if (n.name.empty() && n.id.empty()) n.name = chassis; // an address, a serial number
        n.port = lldpPort(record.portType.value_or(asbuilt::hardwareId(port).empty() ? "ifname" : "mac"), port, notSaid(record.description));
        if (n.name.empty() && n.id.empty() && n.port.empty())
            return m_out.left.push_back(leftOut(where, i18n("neither a name nor an ID nor a port")));
        m_out.neighbors.push_back(std::move(n));
    }
    const TerminalPart& m_part;
    const std::string& m_file;
    LldpFile& m_out;
};

/// Chassis id: 5c5a.c701.0a10 / Port id: … / Local Port id: … / Port Description: … / System Name: … / … / Vlan ID: …
class NxosDetail final : public Blocks {
    using Blocks::Blocks;

public:
    void run()
    {
        std::size_t records = 0;
        std::optional<std::string> total;
        for (std::size_t i = 0; i < m_part.lines.size(); ++i) {
            const TerminalLine& line = m_part.lines[i];
            if (!line.whole && !m_part.ended) {
                if (!beginsWith(trimmed(line.text), "total")) m_out.mayGoOn = m_out.mayGoOn || !line.text.empty();
                break;
            }
            const auto found = keyAndValue(line.text);
            if (!found) continue;
            const auto& [key, value] = *found;
            if (key == "chassis_id" && nextIsPort(i)) {
                put(m_record, true);
                m_record.emplace(), m_record->line = line.number, m_record->chassis = value, ++records, m_described = false;
                continue;
            }
            if (key == "total_entries_displayed") put(m_record, true), total = value;
            if (!m_record || m_described) {
                if (m_record && key == "vlan_id") put(m_record, true);
                continue;
            }
            if (key == "port_id") m_record->set(m_record->portId, value);
            if (key == "local_port_id") m_record->local.empty() ? void(m_record->local = value) : void(m_record->doubtful = true);
            if (key == "port_description") m_record->set(m_record->description, value);
            if (key == "system_name") m_record->set(m_record->name, value);
            if (key == "system_description") m_described = true; // may say anything, in many lines
            if (key == "vlan_id") put(m_record, true);
        }
        const bool named = m_record && m_record->name.has_value();
        put(m_record, named || m_part.ended);
        if (total && *total != std::to_string(records)) m_out.mayGoOn = true;
    }

private:
    /// In a description the words may stand too.
    [[nodiscard]] bool nextIsPort(std::size_t i) const
    {
        while (++i < m_part.lines.size() && m_part.lines[i].text.empty()) {}
        return i < m_part.lines.size() && lldpKey(m_part.lines[i].text).starts_with("port_id:");
    }
    std::optional<LldpRecord> m_record;
    bool m_described = false;
};

/// Interface Ethernet1/1 detected 1 LLDP neighbors: /   Neighbor 9c63.c0bb.1100/"ens1f0np0", age 7 seconds / … /   - System Name: "…"
class EosDetail final : public Blocks {
    using Blocks::Blocks;

public:
    static std::string interfaceOf(std::string_view line)
    {
        if (!beginsWith(line, "interface ")) return {};
        line.remove_prefix(10);
        const auto end = line.find(' ');
        if (end == line.npos || !beginsWith(line.substr(end + 1), "detected ") || lldpKey(line).find("lldp_neighbors") == line.npos) return {};
        return std::string(line.substr(0, end));
    }

    void run()
    {
        std::string local;
        for (const TerminalLine& line : m_part.lines) {
            if (!line.whole && !m_part.ended) {
                m_out.mayGoOn = m_out.mayGoOn || !line.text.empty();
                break;
            }
            const std::string_view text = trimmed(line.text);
            if (const auto found = interfaceOf(oneBlank(text)); !found.empty()) {
                put(m_record, true);
                local = found;
                continue;
            }
            if (local.empty()) continue;
            if (beginsWith(text, "neighbor ")) {
                put(m_record, true);
                begin(trimmed(text.substr(9)), local, line.number);
                continue;
            }
            const auto found = m_record && !m_described ? keyAndValue(text) : std::nullopt;
            if (!found) continue;
            if (found->first == "port_description") m_record->set(m_record->description, withoutQuotes(found->second));
            if (found->first == "system_name") m_record->set(m_record->name, withoutQuotes(found->second));
            if (found->first == "system_description") m_described = true;
        }
        const bool named = m_record && m_record->name.has_value();
        put(m_record, named || m_part.ended);
    }

private:
    /// 9c63.c0bb.1100/"ens1f0np0", age 7 seconds
    void begin(std::string_view rest, const std::string& local, std::size_t number)
    {
        m_described = false;
        const bool quoted = rest.starts_with('"');
        const auto closing = quoted ? rest.find('"', 1) : 0;
        const auto slash = closing == rest.npos ? closing : rest.find('/', closing), age = asbuilt::lowerCase(rest).rfind(", ");
        m_record.emplace();
        m_record->line = number, m_record->local = local;
        if (slash == rest.npos || age == rest.npos || age < slash) {
            m_record->doubtful = true;
            return;
        }
        m_record->chassis = withoutQuotes(rest.substr(0, slash));
        m_record->portId = withoutQuotes(rest.substr(slash + 1, age - slash - 1));
    }
    std::optional<LldpRecord> m_record;
    bool m_described = false;
};

/// Interface:    ens1f0np0, via: LLDP, RID: 2, … / ChassisID: mac … / SysName: … / PortID: ifname … / PortDescr: … / dashes
class LldpdText final : public Blocks {
    using Blocks::Blocks;

public:
    static bool begins(std::string_view line) { return beginsWith(line, "interface:") && asbuilt::lowerCase(line).find(", via:") != line.npos; }

    void run()
    {
        for (const TerminalLine& line : m_part.lines) {
            if (!line.whole && !m_part.ended) {
                m_out.mayGoOn = m_out.mayGoOn || trimmed(line.text).find_first_not_of('-') != std::string_view::npos;
                break;
            }
            const std::string_view text = trimmed(line.text);
            if (text.starts_with("-----")) put(m_record, true);
            if (begins(text)) {
                put(m_record, true);
                begin(text, line.number);
                continue;
            }
            const auto found = m_record ? keyAndValue(text) : std::nullopt;
            if (!found) continue;
            const auto& [key, value] = *found;
            if (key == "chassisid") m_record->set(m_record->chassis, typed(value).second);
            if (key == "sysname") m_record->set(m_record->name, value);
            if (key == "portid") {
                const auto [type, id] = typed(value);
                m_record->set(m_record->portId, id);
                m_record->portType = type;
            }
            if (key == "portdescr") m_record->set(m_record->description, value);
            if (key == "ttl" && m_record->portId) m_record->ttlBehindPort = true;
        }
        const bool told = m_record && m_record->isTold();
        put(m_record, told || m_part.ended);
    }

private:
    static std::pair<std::string, std::string> typed(std::string_view value)
    {
        const auto blank = value.find(' ');
        if (blank == value.npos) return {{}, std::string(value)};
        return {asbuilt::lowerCase(value.substr(0, blank)), std::string(trimmed(value.substr(blank)))};
    }
    void begin(std::string_view text, std::size_t number)
    {
        m_record.emplace();
        m_record->line = number;
        text.remove_prefix(10);
        const auto comma = asbuilt::lowerCase(text).find(", via:");
        m_record->local = trimmed(text.substr(0, comma));
        text.remove_prefix(comma + 6);
        m_record->via = trimmed(text.substr(0, text.find(',')));
    }
    std::optional<LldpRecord> m_record;
};

/// lldp.eth0.via=LLDP / lldp.eth0.chassis.mac=… / lldp.eth0.port.ifname=…; the names of interfaces may have points. A new one begins at each "via".
class LldpdKeys final : public Blocks {
    using Blocks::Blocks;

public:
    static std::string interfaceOf(std::string_view key) // of "lldp.IF.via"
    {
        return beginsWith(key, "lldp.") && key.size() > 9 && sameWord(key.substr(key.size() - 4), ".via") ? std::string(key.substr(5, key.size() - 9))
                                                                                                          : std::string();
    }

    void run()
    {
        for (const TerminalLine& line : m_part.lines) {
            if (!line.whole && !m_part.ended) {
                m_out.mayGoOn = m_out.mayGoOn || !line.text.empty();
                break;
            }
            const std::string_view text = trimmed(line.text);
            const auto equals = text.find('=');
            if (equals == text.npos || !beginsWith(text, "lldp.")) continue;
            const std::string_view key = text.substr(0, equals);
            const std::string value(trimmed(text.substr(equals + 1)));
            if (const auto local = interfaceOf(key); !local.empty()) {
                put(m_record, true);
                m_record.emplace();
                m_record->line = line.number, m_record->local = local, m_record->via = value;
                continue;
            }
            if (!m_record || !beginsWith(key.substr(5), m_record->local + ".")) { // its beginning is missing
                put(m_record, m_record && m_record->isTold());
                continue;
            }
            field(asbuilt::lowerCase(key.substr(6 + m_record->local.size())), value);
        }
        const bool told = m_record && m_record->isTold();
        put(m_record, told || m_part.ended);
    }

private:
    void field(const std::string& name, const std::string& value)
    {
        constexpr std::string_view kChassis = "chassis.", kPort = "port.";
        if (name.starts_with(kChassis)) {
            const std::string part = name.substr(kChassis.size());
            if (part == "name") m_record->set(m_record->name, value);
            if (part == "mac" || part == "ifname" || part == "local" || part == "ip" || part == "ifalias") m_record->set(m_record->chassis, value);
        }
        if (!name.starts_with(kPort)) return;
        const std::string part = name.substr(kPort.size());
        if (part == "mac" || part == "ifname" || part == "local" || part == "ip" || part == "ifalias") {
            m_record->set(m_record->portId, value);
            m_record->portType = part;
        }
        if (part == "descr") m_record->set(m_record->description, value);
        if (part == "ttl" && m_record->portId) m_record->ttlBehindPort = true;
    }
    std::optional<LldpRecord> m_record;
};

enum class BlockDialect { None, NxosDetail, EosDetail, LldpdText, LldpdKeys };

BlockDialect blockDialect(const TerminalPart& part)
{
    bool chassis = false;
    for (const TerminalLine& line : part.lines) {
        const std::string_view text = trimmed(line.text);
        const std::string plain = oneBlank(text), key = lldpKey(text);
        chassis = chassis || key.starts_with("chassis_id:");
        if (chassis && key.starts_with("local_port_id:")) return BlockDialect::NxosDetail;
        if (!EosDetail::interfaceOf(plain).empty()) return BlockDialect::EosDetail;
        if (LldpdText::begins(text)) return BlockDialect::LldpdText;
        if (!LldpdKeys::interfaceOf(text.substr(0, text.find('='))).empty()) return BlockDialect::LldpdKeys;
    }
    return BlockDialect::None;
}

} // namespace

bool isLldpBlocks(const TerminalPart& part) { return blockDialect(part) != BlockDialect::None; }

void readLldpBlocks(const TerminalPart& part, const std::string& file, LldpFile& out)
{
    switch (blockDialect(part)) {
    case BlockDialect::NxosDetail: return NxosDetail(part, file, out).run();
    case BlockDialect::EosDetail: return EosDetail(part, file, out).run();
    case BlockDialect::LldpdText: return LldpdText(part, file, out).run();
    case BlockDialect::LldpdKeys: return LldpdKeys(part, file, out).run();
    case BlockDialect::None: return;
    }
}

} // namespace hw::importers
