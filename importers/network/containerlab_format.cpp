// SPDX-License-Identifier: GPL-3.0-or-later
// A topology file of containerlab: nodes and links of a design, or of one of its segments.
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/model/text_values.h"
#include "importers/network/network_formats.h"
#include "importers/network/wiring.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr std::size_t kLongestInterface = 15; ///< of Linux (IFNAMSIZ)

/// What runs a switch in a laboratory, and how its container names ports.
struct LabKind {
    const char* name;
    const char* image; ///< usual one; empty: the user has to obtain and name it
    PortNaming naming;
};
constexpr std::array<LabKind, 5> kLabKinds{{{"nvidia_cumulusvx", "networkop/cx:5.3.0", PortNaming::Cumulus},
                                            {"sonic-vs", "", PortNaming::Sonic},
                                            {"arista_ceos", "", PortNaming::Eos},
                                            {"nokia_srlinux", "ghcr.io/nokia/srlinux", PortNaming::Design},
                                            {"linux", "alpine:3", PortNaming::Design}}};

bool isInterfaceName(const std::string& name)
{
    return !name.empty() && name.size() <= kLongestInterface && name.find_first_of("/ :\"\\") == name.npos && name != "eth0";
}

/// "pod2-seg03" of an option: segments are numbered from 1 in each pod.
struct LabScope {
    int segment = -1, pod = -1;
    [[nodiscard]] bool holds(const Snapshot& s, DeviceId device) const
    {
        if (segment < 0) return true;
        return s.devices.segment[device] == segment && (pod < 0 || s.devices.pod[device] == pod);
    }
};

Result<int> labNumber(const exchange::ExportJob& job, const char* option)
{
    const std::string text = job.option(option);
    int value = 0;
    if (text.empty()) return -1;
    if (!text::fromText(text, value) || value < 1)
        return fail(ErrorCode::Usage, fmt::format("--{} {}", option, text), i18n("not a positive whole number"), i18n("use 1 or more"));
    return value - 1;
}

class ContainerlabExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"containerlab",
                i18n("topology file for containerlab, with switches and hosts of the network or of one segment as containers; .clab.yml")};
    }
    bool oneFile() const override { return true; }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"kind", "KIND", i18n("containerlab kind of switches: nvidia_cumulusvx (default), sonic-vs, arista_ceos, nokia_srlinux, linux")},
                {"image", "IMAGE", i18n("container image of switches")},
                {"segment", "N", i18n("hosts of segment N with their switches and the tiers above")},
                {"pod", "N", i18n("pod of the segment")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const std::string word = job.option("kind");
        const auto kind = std::ranges::find_if(kLabKinds, [&](const LabKind& k) { return word.empty() || word == k.name; });
        if (kind == kLabKinds.end()) {
            std::vector<std::string> known;
            for (const auto& one : kLabKinds) known.emplace_back(one.name);
            return fail(ErrorCode::Usage, "--kind " + word, i18n("unknown containerlab kind"), i18n("choose from {}", listedNames(known)));
        }
        const std::string image = job.option("image").empty() ? kind->image : job.option("image");
        if (image.empty())
            return fail(ErrorCode::Usage, "--image", i18n("missing: {} has no public image", kind->name),
                        i18n("specify the image, for example {}", "ceos:4.32.0F"));
        const auto segment = labNumber(job, "segment"), pod = labNumber(job, "pod");
        if (!segment) return tl::unexpected(segment.error());
        if (!pod) return tl::unexpected(pod.error());
        if (*pod >= 0 && *segment < 0) return fail(ErrorCode::Usage, "--pod", i18n("requires --segment"), i18n("specify the segment, or omit it"));
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const auto wiring = Wiring::of(*design, job.network, kind->naming);
        if (!wiring) return tl::unexpected(wiring.error());
        const LabScope scope{*segment, *pod};
        const auto text = topology(**wiring, scope, *kind, image);
        return text ? writeFile(job.output, *text) : tl::unexpected(text.error());
    }

private:
    /// Interface names of a node: those of the design or NOS where Linux takes them, else numbered in the order of links.
    class LabPorts {
    public:
        LabPorts(const Wiring& wiring, const LabKind& kind) : m_w(wiring), m_kind(kind) {}
        struct Name {
            std::string name, instead; ///< instead: the port that it stands for, where that has another name
        };
        Name of(PortId port)
        {
            const DeviceId device = m_w.deviceOf(port);
            const std::string own = m_w.names.of(port);
            const bool isSwitch = m_w.isSwitch(device);
            if (isSwitch && m_kind.naming == PortNaming::Eos && own.starts_with("Ethernet")) { // "eth1_1" is Ethernet1/1
                std::string name = "eth" + own.substr(8);
                std::ranges::replace(name, '/', '_');
                if (name.size() <= kLongestInterface) return {name, own};
            }
            const bool numbered = isSwitch && (m_kind.naming == PortNaming::Sonic || std::string_view(m_kind.name) == "nokia_srlinux");
            if (!numbered && isInterfaceName(own)) return {own, {}};
            const int number = ++m_next[device];
            return {isSwitch && std::string_view(m_kind.name) == "nokia_srlinux" ? fmt::format("e1-{}", number) : fmt::format("eth{}", number), own};
        }

    private:
        const Wiring& m_w;
        const LabKind& m_kind;
        std::map<DeviceId, int> m_next;
    };

    static Result<std::string> topology(const Wiring& w, const LabScope& scope, const LabKind& kind, const std::string& image)
    {
        const Snapshot& s = w.s();
        std::vector<const WiredLink*> links;
        std::set<DeviceId> access; // switches of the hosts, whose links go on
        for (const auto& link : w.links) {
            const DeviceId lower = w.deviceOf(link.lower);
            if (!w.isSwitch(lower) && scope.holds(s, lower)) access.insert(w.deviceOf(link.upper));
        }
        std::set<DeviceId> nodes;
        for (const auto& link : w.links) {
            const DeviceId lower = w.deviceOf(link.lower), upper = w.deviceOf(link.upper);
            if (w.isSwitch(lower) ? scope.segment >= 0 && !access.contains(lower) : !scope.holds(s, lower)) continue;
            links.push_back(&link);
            nodes.insert(lower), nodes.insert(upper);
        }
        if (links.empty())
            return fail(ErrorCode::Refused, fmt::format("--segment {}", scope.segment + 1), i18n("no links in this segment"),
                        i18n("choose another segment, pod or network"));
        const std::vector<DeviceId> ordered(nodes.begin(), nodes.end());
        if (const auto checked = checkHostNames(s, ordered); !checked) return tl::unexpected(checked.error());
        bool hosts = false, switches = false;
        for (const DeviceId device : ordered) (w.isSwitch(device) ? switches : hosts) = true;
        const bool one = std::string_view(kind.name) == "linux";
        std::string out = fmt::format("# {}\n", words(i18n("{} nodes, {} links; one container each: check the memory of the machine before deploying",
                                                           ordered.size(), links.size())));
        out += fmt::format("name: {}\ntopology:\n  kinds:\n", yamlText(groupName(s.setting("project.name", "design"))));
        if (switches) out += fmt::format("    {}:\n      image: {}\n", kind.name, yamlText(image));
        if (hosts && !(one && switches)) out += "    linux:\n      image: \"alpine:3\"\n";
        out += "  nodes:\n";
        for (const DeviceId device : ordered) {
            out += fmt::format("    {}:\n      kind: {}\n", yamlText(s.devices.name[device]), w.isSwitch(device) ? kind.name : "linux");
            const RackPlace place = rackPlace(s, device);
            if (!place.rack.empty()) out += fmt::format("      labels: {{rack: {}, u: \"{}\"}}\n", yamlText(place.rack), place.u);
        }
        out += "  links:\n";
        LabPorts ports(w, kind);
        for (const WiredLink* link : links) {
            const auto upper = ports.of(link->upper), lower = ports.of(link->lower);
            out +=
                fmt::format("    - endpoints: [\"{}:{}\", \"{}:{}\"]", w.deviceName(link->upper), upper.name, w.deviceName(link->lower), lower.name);
            if (!upper.instead.empty() || !lower.instead.empty())
                out +=
                    fmt::format(" # {} - {}", upper.instead.empty() ? upper.name : upper.instead, lower.instead.empty() ? lower.name : lower.instead);
            out += '\n';
        }
        return out;
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> containerlabExporter() { return std::make_unique<ContainerlabExporter>(); }

} // namespace hw::importers
