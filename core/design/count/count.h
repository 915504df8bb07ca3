// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/layout.h"
#include "core/design/template/template.h"

#include <memory>
#include <optional>

namespace hw {

/// What a template makes at given parameters, counted without making it. All counts equal those of
/// `instantiate` exactly; only `sampleLinks` is a sample.
struct TemplateCount {
    struct Devices {
        std::string type;
        DeviceRole role = DeviceRole::Active;
        std::int64_t count = 0;
        bool operator==(const Devices&) const = default;
    };
    /// A port group of a tier: logical ports after splitting, and the sockets behind them.
    struct PortGroup {
        std::string name, network;
        PortRole role = PortRole::Down;
        Medium medium = Medium::Data;
        Gbps rate;
        int split = 1;
        Interface interface;                 ///< what its interfaces are like
        int connectors = 1;                  ///< of one interface at its split: how many cables may leave it
        std::vector<std::uint16_t> sockets;  ///< of one device, by interface: two of a twin-port socket share one
        bool sharesSockets = false;          ///< a twin-port socket has its other interface in another group
        std::vector<std::string> interfaces; ///< names of one device's sockets, of server tiers only
        std::int64_t perDevice = 0;          ///< ports of one device
        std::int64_t total = 0, used = 0;
        /// Ports of one connector; the connector and the socket of a port. Sockets count through the device where the
        /// group knows them, else through the group.
        [[nodiscard]] int portsPerJack() const { return split / (connectors > 1 ? connectors : 1); }
        [[nodiscard]] std::int64_t jackOf(std::int64_t port) const { return port / portsPerJack(); }
        [[nodiscard]] std::int64_t socketOf(std::int64_t port) const
        {
            const auto interface = std::size_t(port / split);
            return interface < sockets.size() ? sockets[interface] : std::int64_t(interface);
        }
    };
    struct Tier {
        std::string name, label, network; ///< network empty: servers, power and cooling equipment
        TierKind kind = TierKind::Switch;
        int level = 0;
        bool inPod = true;            ///< stands in a pod building, not in one for the network
        std::vector<Devices> devices; ///< by type, then role
        std::vector<PortGroup> ports;
        [[nodiscard]] std::int64_t total() const;
        [[nodiscard]] std::int64_t total(DeviceRole role) const;
    };
    struct Rule {
        std::string name, network;
        std::size_t from = 0, to = 0;           ///< tiers
        std::size_t fromGroup = 0, toGroup = 0; ///< their port groups
        Medium medium = Medium::Data;
        LinkRole role = LinkRole::Active;
        Gbps rate;
        std::int64_t links = 0;
        std::int64_t cables = 0;                     ///< physical cables
        std::int64_t fromSockets = 0, toSockets = 0; ///< that get a module for this rule's cables
        std::int64_t fromJacks = 0, toJacks = 0;     ///< connectors that its cables are plugged into
        /// That its links go over; `cables` are those of direct links.
        struct Panels {
            std::string panel, trunk; ///< part types; no trunk: one panel in the way
            bool byRow = true;        ///< shared by the links between two rows, else between two racks
        };
        std::optional<Panels> panels{};
    };
    struct Network {
        std::string name, label;
        NetworkKind kind = NetworkKind::Backend;
        int planes = 1, rails = 1;
        bool railsApart = false;
    }; ///< apart: no switch joins two rails

    ParameterValues parameters;
    std::vector<Network> networks;
    std::vector<Tier> tiers; ///< in the template's order
    std::vector<Rule> rules;
    std::map<std::string, std::int64_t> racks;  ///< by part type
    std::map<std::string, std::int64_t> traysM; ///< meters by part type, rounded up as in the bill of materials
    bool laidOut = false;                       ///< the template has no places: racks and trays follow from the automatic layout
    std::int64_t podBuildings = 0;
    Milliwatts podLimit; ///< IT limits of all pod buildings
    std::int64_t activeAccelerators = 0, backupAccelerators = 0;

    [[nodiscard]] std::int64_t dataLinks() const;
    [[nodiscard]] std::int64_t dataCables() const;
    [[nodiscard]] std::int64_t servers(DeviceRole role) const;
};

/// One link of a rule: members of both tiers' sets, and the port numbers where the rule gives them.
struct LinkSample {
    std::size_t fromMember = 0, toMember = 0;
    std::int64_t fromIndex = -1, toIndex = -1;
};

/// Where everything of a counted design stands: buildings, halls, rows, racks and trays as in the whole design, and no
/// device. Where the engine lays the design out it is the layout's own plan, on devices and links as they were counted.
struct SitePlan {
    SnapshotPtr places;
    /// Racks by member of a rack set, of templates with places of their own.
    std::vector<std::vector<std::uint32_t>> rackRows;
    /// By tier and member, of an automatic layout; rack `kNowhere`: it stands in none.
    struct Stand {
        std::uint32_t rack = kNowhere;
        std::int16_t unit = 0;
    };
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFFu;
    std::vector<std::vector<Stand>> stands;
};

/// A device in its rack.
struct DeviceSpot {
    RackId rack;
    int unit = 0, halfUnits = 0;
    std::int16_t plane = -1;
};

/// A template bound to variables once, to be counted many times at different parameters. Works from
/// products of coordinates and walks only those that an expression reads, so a count takes about a
/// millisecond however large the design is. Not for two threads at once; each makes its own.
class TemplateCounter {
public:
    /// Errors: Unreadable where an expression or a part name is wrong.
    [[nodiscard]] static Result<TemplateCounter> bind(const Template& design, const Catalog& catalog);
    TemplateCounter(TemplateCounter&&) noexcept;
    TemplateCounter& operator=(TemplateCounter&&) noexcept;
    ~TemplateCounter();

    /// Values must be complete (`Template::complete`). Refuses what the constraints refuse, a set or port
    /// index out of range and more links than ports, each with instantiate's words.
    [[nodiscard]] Result<TemplateCount> count(const ParameterValues& values);
    /// Devices by tier alone, without links, ports in use, racks and trays; cheaper. The links of `count` stay
    /// what samples are taken of.
    [[nodiscard]] Result<TemplateCount> countDevices(const ParameterValues& values);
    /// Active accelerators alone; much cheaper. Refuses what the constraints refuse.
    [[nodiscard]] Result<std::int64_t> accelerators(const ParameterValues& values);
    /// The same where the constraints would refuse, too.
    [[nodiscard]] Result<std::int64_t> acceleratorsUnchecked(const ParameterValues& values);

    /// Links of a rule of the last count spread evenly over it, always the same ones; all of them where
    /// it has no more than `most`.
    [[nodiscard]] std::vector<LinkSample> sampleLinks(std::size_t rule, std::size_t most);
    /// Every link of a rule of the last count with its port numbers, in the order of the design. Nothing where there are
    /// more than `most`, or where another rule takes ports of the same groups in turn.
    [[nodiscard]] std::vector<LinkSample> allLinks(std::size_t rule, std::int64_t most);
    /// All links of the last count that start at one device: its first member that is present.
    [[nodiscard]] std::vector<LinkSample> linksOfFirst(std::size_t rule);
    /// Where the last count's design stands; `room` is for automatic layouts only. Error: Refused, as instantiate.
    [[nodiscard]] Result<SitePlan> sitePlan(const std::optional<HallRoom>& room = {});
    /// Where a device of the last count stands; nothing where it is in no rack.
    [[nodiscard]] std::optional<DeviceSpot> spot(const SitePlan& plan, std::size_t tier, std::size_t member);

private:
    struct Bound;
    explicit TemplateCounter(std::unique_ptr<Bound> bound);
    std::unique_ptr<Bound> m_bound;
};

} // namespace hw
