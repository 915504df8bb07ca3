// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/growth.h"

#include <algorithm>
#include <tuple>

namespace hw::sizing {

namespace {

constexpr std::int64_t kMostUnits = 64; ///< numbers of units that are tried for one size

/// Finds the shapes of a design whose path step takes more than one unit of an outer parameter.
class ShapeSearch {
public:
    ShapeSearch(TemplateCounter& counter, const GrowthPath& path, std::int64_t wanted, ParameterValues full)
        : m_counter(counter), m_path(path), m_inner(path.growing().front()), m_wanted(wanted), m_full(std::move(full))
    {
        for (std::size_t i = 1; i < path.growing().size(); ++i)
            if (const auto& g = path.growing()[i]; m_full.at(g.parameter->name) > g.parameter->minimum) m_outer = &g;
    }

    /// The smallest shapes first. Without an outer parameter in use the step itself is the smallest.
    std::vector<GrownDesign> run(Shapes shapes)
    {
        add(m_full, false);
        if (m_outer && shapes == Shapes::All) addEqualUnits();
        if (m_outer && m_path.lastUnit() && m_outer == &m_path.growing()[1]) addSmallerLast();
        std::stable_sort(m_found.begin(), m_found.end(), [](const Found& a, const Found& b) {
            return std::tuple(a.design.accelerators, a.units, a.mixed) < std::tuple(b.design.accelerators, b.units, b.mixed);
        });
        std::vector<GrownDesign> designs;
        for (auto& found : m_found) designs.push_back(std::move(found.design));
        return designs;
    }

private:
    struct Found {
        GrownDesign design;
        std::int64_t units = 0;
        bool mixed = false;
    };

    std::int64_t reached(const ParameterValues& values)
    {
        const auto n = m_counter.acceleratorsUnchecked(values);
        return n ? *n : INT64_MAX; // what cannot be counted is too large
    }

    void add(const ParameterValues& values, bool mixed)
    {
        const std::int64_t n = reached(values);
        if (n < m_wanted || n == INT64_MAX) return;
        m_found.push_back({{values, n, {}}, m_outer ? values.at(m_outer->parameter->name) : 1, mixed});
    }

    /// Sets the parameter to its smallest value in [low, high] that is large enough.
    void shrink(ParameterValues& values, const std::string& name, std::int64_t low, std::int64_t high)
    {
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            values[name] = middle;
            if (reached(values) < m_wanted)
                low = middle + 1;
            else
                high = middle;
        }
        values[name] = low;
    }

    void addEqualUnits()
    {
        const auto& outer = *m_outer;
        const std::int64_t fewest = m_full.at(outer.parameter->name), most = std::min({outer.last, 2 * fewest, fewest + kMostUnits - 1});
        for (std::int64_t units = fewest; units <= most; ++units) {
            ParameterValues values = m_full;
            values[outer.parameter->name] = units;
            shrink(values, m_inner.parameter->name, m_inner.parameter->minimum, m_inner.last);
            add(values, false);
            if (!m_found.empty() && m_found.back().design.accelerators == m_wanted) return; // none is smaller
        }
    }

    void addSmallerLast()
    {
        ParameterValues values = m_full;
        shrink(values, m_path.lastUnit()->name, 1, values.at(m_inner.parameter->name));
        if (values.at(m_path.lastUnit()->name) < values.at(m_inner.parameter->name)) add(values, true);
    }

    TemplateCounter& m_counter;
    const GrowthPath& m_path;
    const GrowthPath::Growing& m_inner;
    const GrowthPath::Growing* m_outer = nullptr;
    std::int64_t m_wanted;
    ParameterValues m_full;
    std::vector<Found> m_found;
};

} // namespace

GrownDesign smallestReaching(TemplateCounter& counter, const GrowthPath& path, std::int64_t accelerators, Shapes shapes)
{
    const GrowthStep step = firstReaching(counter, path, accelerators);
    if (!step.step) return {std::nullopt, 0, step.reason};
    if (path.growing().size() < 2) return {path.at(*step.step), step.accelerators, {}};
    for (const auto& shape : ShapeSearch(counter, path, accelerators, path.at(*step.step)).run(shapes))
        if (const auto counted = counter.count(*shape.values); counted && counted->activeAccelerators >= accelerators) return shape;
    return {path.at(*step.step), step.accelerators, {}};
}

} // namespace hw::sizing
