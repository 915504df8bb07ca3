// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/template/template.h"

#include <memory>
#include <optional>

namespace hw {

/// What a template makes at given parameters, counted without making it. All counts equal those of
/// `instantiate` exactly; only `sampleLinks` is a sample.
struct TemplateCount {
    struct Devices { std::string type; DeviceRole role = DeviceRole::Active; std::int64_t count = 0; bool operator==(const Devices&) const = default; };
    /// A port group of a tier: logical ports after splitting, and the sockets behind them.
    struct PortGroup {
        std::string name, network;
        PortRole role = PortRole::Down;
        Medium medium = Medium::Data;
        Gbps rate;
        int split = 1;
        std::string cageType;            ///< interface slug of its sockets
        std::vector<std::string> interfaces; ///< names of one device's sockets, of server tiers only
        std::int64_t perDevice = 0;      ///< ports of one device
        std::int64_t total = 0, used = 0;
    };
    struct Tier {
        std::string name, label, network; ///< network empty: servers, power and cooling equipment
        TierKind kind = TierKind::Switch;
        int level = 0;
        bool inPod = true;               ///< stands in a pod building, not in one for the network
        std::vector<Devices> devices;    ///< by type, then role
        std::vector<PortGroup> ports;
        [[nodiscard]] std::int64_t total() const;
        [[nodiscard]] std::int64_t total(DeviceRole role) const;
    };
    struct Rule {
        std::string name, network;
        std::size_t from = 0, to = 0;            ///< tiers
        std::size_t fromGroup = 0, toGroup = 0;  ///< their port groups
        Medium medium = Medium::Data;
        LinkRole role = LinkRole::Active;
        Gbps rate;
        std::int64_t links = 0;
        std::int64_t cables = 0, fromCages = 0, toCages = 0; ///< physical cables and the sockets that they use
    };
    struct Network { std::string name, label; NetworkKind kind = NetworkKind::Backend; int planes = 1, rails = 1; bool railsApart = false; }; ///< apart: no switch joins two rails

    ParameterValues parameters;
    std::vector<Network> networks;
    std::vector<Tier> tiers;             ///< in the template's order
    std::vector<Rule> rules;
    std::map<std::string, std::int64_t> racks;   ///< by part type
    std::map<std::string, std::int64_t> traysM;  ///< metres by part type, rounded up as in the bill of materials
    bool laidOut = false;                ///< the template has no places: racks and trays follow from the automatic layout
    std::int64_t podBuildings = 0;
    Milliwatts podLimit;                 ///< IT limits of all pod buildings
    std::int64_t activeAccelerators = 0, backupAccelerators = 0;

    [[nodiscard]] std::int64_t dataLinks() const;
    [[nodiscard]] std::int64_t dataCables() const;
    [[nodiscard]] std::int64_t servers(DeviceRole role) const;
};

/// Where one end of a sampled link stands on the campus, in mm.
struct LinkEndPlace {
    std::int32_t x = 0, y = 0;           ///< of the rack's corner
    int unit = 0, halfUnits = 0;         ///< lowest rack unit from 1, height of the device
    std::uint64_t rack = 0, row = 0, hall = 0; ///< equal numbers: the same one
    std::size_t hallSet = 0;
    std::int32_t hallX = 0, hallY = 0;   ///< of the hall's corner
};
struct LinkSample { std::size_t fromMember = 0, toMember = 0; std::int64_t fromIndex = -1, toIndex = -1; std::optional<LinkEndPlace> from, to; };

/// A straight spine tray in the frame of its hall, mm.
struct SpineLine { std::int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0; };

/// A template bound to variables once, to be counted many times at different parameters. Works from
/// products of coordinates and walks only those that an expression reads, so a count takes about a
/// millisecond however large the design is. Not for two threads at once; each makes its own.
class TemplateCounter {
public:
    /// Errors: Unreadable where an expression or a part name is wrong.
    [[nodiscard]] static Result<TemplateCounter> bind(const Template& design, const Catalogue& catalogue);
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
    /// All links of the last count that start at one device: its first member that is present.
    [[nodiscard]] std::vector<LinkSample> linksOfFirst(std::size_t rule);
    /// Spine trays of a hall set (`LinkEndPlace::hallSet`) as they are in its first hall.
    [[nodiscard]] std::vector<SpineLine> spines(std::size_t hallSet);

private:
    struct Bound;
    explicit TemplateCounter(std::unique_ptr<Bound> bound);
    std::unique_ptr<Bound> m_bound;
};

} // namespace hw
