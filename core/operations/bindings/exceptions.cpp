// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/exceptions.h"

#include "core/foundation/model/setting_values.h"

namespace hw::bindings {

namespace {

/// Every chunk of every column is the same object: nothing changed in between.
template <class TableT>
bool sameTable(const TableT& a, const TableT& b)
{
    const auto x = a.columnList(), y = b.columnList();
    for (std::size_t c = 0; c < x.size(); ++c) {
        if (x[c]->chunkCount() != y[c]->chunkCount()) return false;
        for (std::uint32_t i = 0; i < x[c]->chunkCount(); ++i)
            if (x[c]->chunkIdentity(i) != y[c]->chunkIdentity(i)) return false;
    }
    return true;
}

} // namespace

EntityRef boundEntity(const Bindings& b, BindingId id)
{
    if (b.device[id]) return ref(*b.device[id]);
    if (b.rack[id]) return ref(*b.rack[id]);
    if (b.row[id]) return ref(*b.row[id]);
    if (b.hall[id]) return ref(*b.hall[id]);
    if (b.port[id]) return ref(*b.port[id]);
    return {};
}

Exceptions::Exceptions(const Snapshot& s)
{
    const Bindings& b = s.bindings;
    b.forEach([&](BindingId id) { m_rows[b.channel[id]] = {boundEntity(b, id), b.element[id], b.measure[id], b.unit[id]}; });
}

const Exceptions::Row* Exceptions::find(std::string_view channel) const
{
    if (m_rows.empty()) return nullptr;
    const auto found = m_rows.find(std::string(channel));
    return found == m_rows.end() ? nullptr : &found->second;
}

bool sameRules(const Snapshot& a, const Snapshot& b)
{
    return sameTable(a.bindingRules, b.bindingRules) && sameTable(a.bindings, b.bindings) &&
           settingOf(a, "telemetry.rule_sets") == settingOf(b, "telemetry.rule_sets");
}

} // namespace hw::bindings
