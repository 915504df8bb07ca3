// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/count/rules.h"

namespace hw::count {

/// Port groups of tiers as they are bound for the generator, remembered by the numbers that they follow from.
class PortTable {
public:
    PortTable(Scope& constants, const bound::Networks& networks, const Catalog& catalog)
        : m_constants(constants), m_networks(networks), m_catalog(catalog)
    {
    }
    struct Entry {
        TemplateCount::PortGroup ports;
        bool absent = false;
    };
    /// `numbers` are the values of the tier's port expressions and the networks' `when`.
    [[nodiscard]] const std::vector<Entry>& of(const SetSpec& tier, const ExpressionText& type, const std::vector<std::int64_t>& numbers);

private:
    [[nodiscard]] std::vector<Entry> bind(const SetSpec& tier, const ExpressionText& type) const;
    Scope& m_constants;
    const bound::Networks& m_networks;
    const Catalog& m_catalog;
    std::map<std::tuple<std::string, std::string, std::vector<std::int64_t>>, std::vector<Entry>> m_known;
};

} // namespace hw::count
