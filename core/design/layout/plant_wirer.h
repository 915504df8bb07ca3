// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/plan.h"
#include "core/physics/power/network.h"

namespace hw::layout {

/// Writes equipment of one medium, power or coolant, with its ports and links.
class Wirer {
public:
    Wirer(DesignBuilder& builder, Parts& parts, Medium medium = Medium::Power)
        : m_builder(builder), m_out(builder.design()), m_parts(parts), m_medium(medium)
    {
        read();
    }

    [[nodiscard]] bool isFed(DeviceId id) const { return id.value < m_fed.size() && m_fed[id.value]; }
    [[nodiscard]] std::int64_t& mw(DeviceId id)
    {
        if (m_mw.size() <= id.value) m_mw.resize(id.value + 1u, 0);
        return m_mw[id.value];
    }
    /// The same as designed: what UPS and generator sets are sized by.
    [[nodiscard]] std::int64_t& designMw(DeviceId id)
    {
        if (m_designMw.size() <= id.value) m_designMw.resize(id.value + 1u, 0);
        return m_designMw[id.value];
    }
    /// What depends on a consumer then depends on its supplier, with what the consumer loses.
    void carry(DeviceId supplier, DeviceId consumer) { mw(supplier) += intakeOf(consumer), designMw(supplier) += designIntakeOf(consumer); }

    /// The tier of this key, made where there is none; its label stays English in the design, as those of templates do.
    TierId tier(const std::string& key, TextId label, std::int16_t level);

    /// `side`: 0 = A, 1 = B …, -1 = none.
    DeviceId device(TierId tier, const std::string& slug, const std::string& key, std::string name, int side);

    /// A power link, from a free inlet to a free outlet; ports are made where there are none left. What the consumer takes, its own loss
    /// included, then depends on the supplier.
    void feed(DeviceId consumer, DeviceId supplier);
    /// A way for the case that others are lost: nothing depends on the supplier yet.
    void feedInReserve(DeviceId consumer, DeviceId supplier) { (void)join(consumer, supplier); }
    /// The bare link; `ordinal` counts those of one pair.
    LinkId join(DeviceId consumer, DeviceId supplier, int ordinal = 0);
    /// Links that take from a device made here.
    [[nodiscard]] std::size_t waysOf(DeviceId id) { return m_sockets[{id.value, PortRole::Down}].next; }
    /// Whether something took from it when this began.
    [[nodiscard]] bool feeds(DeviceId id) const { return id.value < m_feeds.size() && m_feeds[id.value]; }
    /// What equipment of this type loses when so much depends on it.
    [[nodiscard]] std::int64_t lossAt(const std::string& slug, std::int64_t mw);
    [[nodiscard]] std::int64_t intakeOf(DeviceId id) { return mw(id) + lossAt(m_parts.slug(m_out.devices.type[id]), mw(id)); }
    [[nodiscard]] std::int64_t designIntakeOf(DeviceId id) { return designMw(id) + lossAt(m_parts.slug(m_out.devices.type[id]), designMw(id)); }

private:
    struct Sockets {
        std::vector<PortId> free; ///< last first
        std::uint16_t next = 0;   ///< number of the next port
    };

    void read();

    PortId port(DeviceId device, PortRole role);

    DesignBuilder& m_builder;
    Snapshot& m_out;
    Parts& m_parts;
    Medium m_medium;
    std::vector<char> m_fed, m_feeds;
    std::vector<std::int64_t> m_mw, m_designMw; ///< that depends on a device, at nameplate and as designed
    std::vector<std::uint16_t> m_cages;
    std::map<std::pair<std::uint32_t, PortRole>, Sockets> m_sockets;
    std::map<std::pair<TierId, TierId>, LinkRuleId> m_rules;
    std::map<std::uint32_t, std::int32_t> m_running; ///< next index by tier
    std::map<std::string, power::Loss> m_losses;     ///< by slug
};

} // namespace hw::layout
