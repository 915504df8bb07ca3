// SPDX-License-Identifier: GPL-3.0-or-later
// Neighbors as XML: lldpd (lldpctl -f xml), Junos (show lldp neighbors | display xml).
#include "core/operations/asbuilt/sighting.h"
#include "importers/captures/lldp_file.h"
#include "importers/captures/xml_elements.h"

#include <algorithm>

namespace hw::importers {

namespace {

using Element = XmlElements::Element;

bool onlyDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Junos names the unit of an interface: et-0/0/4.0.
std::string withoutUnit(std::string name)
{
    if (name.ends_with(".0")) name.resize(name.size() - 2);
    return name;
}

class LldpXml {
public:
    LldpXml(const XmlElements& xml, const std::string& file, LldpFile& out) : m_xml(xml), m_file(file), m_out(out) {}

    void run()
    {
        for (const Element& one : m_xml.all) {
            if (one.name == "local-chassis") localChassis(one);
            const bool lldpd = one.name == "interface" && one.parent != XmlElements::kNone && m_xml.all[one.parent].name == "lldp";
            if (!one.closed) {
                m_out.mayGoOn = m_out.mayGoOn || lldpd || one.name == "lldp-neighbor-information";
                continue;
            }
            if (lldpd) ofLldpd(one);
            if (one.name == "lldp-neighbor-information") ofJunos(one);
        }
        m_out.mayGoOn = m_out.mayGoOn || m_xml.cut;
    }

private:
    [[nodiscard]] std::string where(const Element& one) const { return m_file + ":" + std::to_string(one.line); }

    void localChassis(const Element& one)
    {
        const Element* chassis = m_xml.child(one, "chassis");
        if (!chassis || !chassis->closed) return;
        m_out.localName = m_xml.textOf(*chassis, "name");
        m_out.localId = asbuilt::hardwareId(m_xml.textOf(*chassis, "id"));
    }

    void put(const Element& one, LldpNeighbor n)
    {
        if (n.localPort.empty()) return m_out.left.push_back(leftOut(where(one), i18n("neighbor without a local port")));
        if (n.name.empty() && n.id.empty() && n.port.empty())
            return m_out.left.push_back(leftOut(where(one), i18n("neither a name nor an ID nor a port")));
        m_out.neighbors.push_back(std::move(n));
    }

    void ofLldpd(const Element& one)
    {
        if (const auto via = XmlElements::attribute(one, "via"); !via.empty() && !sameWord(via, "LLDP"))
            return m_out.left.push_back(leftOut(where(one), i18n("neighbor by {}, not LLDP", via)));
        LldpNeighbor n;
        n.localPort = XmlElements::attribute(one, "name");
        if (const Element* chassis = m_xml.child(one, "chassis")) {
            n.name = m_xml.textOf(*chassis, "name");
            const std::string id = m_xml.textOf(*chassis, "id");
            n.id = asbuilt::hardwareId(id);
            if (n.name.empty() && n.id.empty()) n.name = id;
        }
        if (const Element* port = m_xml.child(one, "port")) {
            const Element* id = m_xml.child(*port, "id");
            if (!id) return m_out.left.push_back(leftOut(where(one), i18n("neighbor without a port ID")));
            n.port = lldpPort(XmlElements::attribute(*id, "type"), id->text, m_xml.textOf(*port, "descr"));
        }
        put(one, std::move(n));
    }

    void ofJunos(const Element& one)
    {
        LldpNeighbor n;
        n.localPort = m_xml.textOf(one, "lldp-local-interface");
        if (const auto id = m_xml.textOf(one, "lldp-local-port-id"); n.localPort.empty() && !onlyDigits(id)) n.localPort = id; // in detail a number
        n.localPort = withoutUnit(n.localPort);
        n.name = m_xml.textOf(one, "lldp-remote-system-name");
        const std::string chassis = m_xml.textOf(one, "lldp-remote-chassis-id");
        n.id = asbuilt::hardwareId(chassis);
        if (n.name.empty() && n.id.empty()) n.name = chassis;
        const std::string type = lldpKey(m_xml.textOf(one, "lldp-remote-port-id-subtype")), id = m_xml.textOf(one, "lldp-remote-port-id"),
                          description = m_xml.textOf(one, "lldp-remote-port-description");
        n.port = type == "interface_name" || description.empty() ? id : description;
        if (type != "interface_name" && onlyDigits(n.port)) n.port = "ifIndex " + n.port; // no text; no number of a socket
        if (n.port.empty()) n.port = description;
        n.port = withoutUnit(n.port);
        put(one, std::move(n));
    }

    const XmlElements& m_xml;
    const std::string& m_file;
    LldpFile& m_out;
};

} // namespace

bool isLldpXml(std::string_view text)
{
    return text.find("<lldp ") != text.npos || text.find("<lldp>") != text.npos || text.find("lldp-neighbors-information") != text.npos;
}

Result<void> readLldpXml(std::string_view text, const std::string& file, LldpFile& out)
{
    const auto xml = readXmlElements(text, file);
    if (!xml) return tl::unexpected(xml.error());
    LldpXml(*xml, file, out).run();
    return {};
}

} // namespace hw::importers
