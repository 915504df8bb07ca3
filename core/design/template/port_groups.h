// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/bound_parts.h"

namespace hw {

/// Where a port group's ports are among a device's.
struct PortGroupLayout {
    std::string name;
    std::uint32_t offset = 0, count = 0;
    Maybe<NetworkId> network;
    bool absent = false;
};

/// The port groups of a tier: what the template says of them, and which cages of a device type they are.
class PortBinder {
public:
    /// Numbers of the groups are evaluated here. Throws TemplateFailure.
    PortBinder(Scope& constants, const bound::Networks& networks, const Catalog& catalog, const SetSpec& spec);

    /// One group on one device type.
    struct Bound {
        std::vector<std::uint16_t> cages; ///< interface numbers, one after the other
        std::uint16_t firstNumber = 0;    ///< of its first port within (device, role, network)
        std::uint8_t split = 1;
        Gbps rate; ///< of a logical port
        PortRole role = PortRole::Down;
        Maybe<NetworkId> network;
        Medium medium = Medium::Data;
    };
    /// Groups in the order of the file. Throws (Refused) for splits, cages or capacity that the type has not.
    [[nodiscard]] std::vector<Bound> bind(const ExpressionText& slug) const;
    /// The same for all types.
    [[nodiscard]] std::vector<PortGroupLayout> layout() const;
    [[nodiscard]] std::int64_t portsPerDevice() const;

private:
    struct Need {
        std::string name, where, interfaces;
        std::optional<std::int64_t> first;
        std::int64_t cages = 0, split = 1;
        PortRole role = PortRole::Down;
        Maybe<NetworkId> network;
        bool absent = false;
        Medium medium = Medium::Data;
        [[nodiscard]] std::int64_t ports() const { return absent ? 0 : cages * split; }
    };
    class Cages;
    [[nodiscard]] Need readGroup(Scope& constants, const SetSpec& spec, const SetSpec::PortGroup& group) const;
    [[nodiscard]] Gbps rateOf(const Need& need, const Part& part, const std::vector<std::uint16_t>& cages) const;
    void checkCapacity(const std::vector<Bound>& groups, const Part& part) const;

    const bound::Networks& m_networks;
    const Catalog& m_catalog;
    std::string m_where;
    std::vector<Need> m_needs;
};

} // namespace hw
