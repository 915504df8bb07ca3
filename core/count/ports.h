// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/rules.h"

namespace hw::count {

/// Port groups of tiers as the generator binds them, remembered by the numbers that they follow from, so
/// that the generator is asked once for each combination. Refuses what it refuses.
class PortTable {
public:
    PortTable(const TemplateSpec& spec, const Constants& constants, const Catalogue& catalogue)
        : m_spec(spec), m_constants(constants), m_catalogue(catalogue)
    {
    }
    struct Entry {
        TemplateCount::PortGroup ports;
        bool absent = false;
    };
    /// `numbers` are the values of the tier's port expressions and the networks' `when`.
    [[nodiscard]] const std::vector<Entry>& of(const SetSpec& tier, const ExpressionText& type, const std::vector<std::int64_t>& numbers,
                                               const ParameterValues& values);

private:
    [[nodiscard]] std::vector<Entry> bind(const SetSpec& tier, const ExpressionText& type, const ParameterValues& values);
    const TemplateSpec& m_spec;
    const Constants& m_constants;
    const Catalogue& m_catalogue;
    std::unique_ptr<Generator> m_generator; ///< with the constants and networks of `m_values`
    ParameterValues m_values;
    Progress m_progress;
    std::map<std::tuple<std::string, std::string, std::vector<std::int64_t>>, std::vector<Entry>> m_known;
};

} // namespace hw::count
