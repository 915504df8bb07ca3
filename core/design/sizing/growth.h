// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/count/count.h"

#include <optional>

namespace hw::sizing {

/// A choice of the parameters under `vary`; everything that does not grow.
struct Variant {
    ParameterValues fixed;
};

/// What somebody asks of a design that parameters decide.
struct Asked {
    std::string server;                ///< part slug; empty: any
    std::vector<std::string> switches; ///< part slugs; empty: any
    std::optional<int> planes;
    std::map<std::string, int> split; ///< ports out of an uplink's socket by switch tier; "": of all tiers
};

/// The variants of a template: every combination of its `vary` lists, and of the values of those parameters that decide what is asked
/// for: that pick such servers and switches (`type_index`), that are the number of planes of a network, that break out the uplinks of a tier
/// (`sizing.split`). At most 256; the first ones win.
[[nodiscard]] std::vector<Variant> variantsOf(const Template& design, const Asked& asked);
/// The parameter that is the number of planes of a network; null where none is.
[[nodiscard]] const Parameter* planesParameter(const Template& design);

/// What does not grow of a design with these parameters.
[[nodiscard]] Variant variantOf(const Template& design, const ParameterValues& values);

/// The designs of one variant in the order of growth: the first parameter under `grow` runs from its
/// minimum to the last value that the constraints allow with the others at their minimum, then the second
/// one with the first there, and so on.
class GrowthPath {
public:
    GrowthPath(const Template& design, const Variant& variant, TemplateCounter& counter);
    [[nodiscard]] std::int64_t steps() const { return m_steps; }
    [[nodiscard]] ParameterValues at(std::int64_t step) const;
    /// Why the path ends: the constraint that the last parameter meets, or its `limit`; empty where it
    /// just has no larger value.
    [[nodiscard]] const Text& end() const { return m_end; }
    /// "pods 7, segments 15": the parameters that grow or vary.
    [[nodiscard]] std::string text(const ParameterValues& values) const;
    struct Growing {
        const Parameter* parameter;
        std::int64_t last;
    };
    [[nodiscard]] const std::vector<Growing>& growing() const { return m_growing; }
    /// The parameter `last` of the template's sizing: how many of the first growing one the last of the second has; null = there is none.
    [[nodiscard]] const Parameter* lastUnit() const { return m_lastUnit; }

private:
    const Template& m_design;
    ParameterValues m_base;
    std::vector<Growing> m_growing;
    const Parameter* m_lastUnit = nullptr;
    std::vector<std::string> m_named;
    std::int64_t m_steps = 1;
    Text m_end;
};

/// A place on the path, or why there is none.
struct GrowthStep {
    std::optional<std::int64_t> step;
    std::int64_t accelerators = 0;
    Text reason;
};

/// Why a count was refused, in one line, without its place in the file.
[[nodiscard]] Text reasonOf(const Error& error);

/// The first feasible step with at least so many active accelerators. Accelerators must not fall along
/// the path; where a step is refused (say, because a tier does not divide) the next ones are tried.
[[nodiscard]] GrowthStep firstReaching(TemplateCounter& counter, const GrowthPath& path, std::int64_t accelerators);
/// The last feasible step, with the reason why the next one is refused.
[[nodiscard]] GrowthStep furthest(TemplateCounter& counter, const GrowthPath& path);

/// A design that is large enough, or why there is none.
struct GrownDesign {
    std::optional<ParameterValues> values;
    std::int64_t accelerators = 0;
    Text reason;
};

/// Shapes of a design that is larger than one unit of the second growing parameter: units of one size, or also full
/// units with a smaller last one.
enum class Shapes : std::uint8_t { All, FullUnits };

/// The smallest feasible design of the variant with at least so many active accelerators. Beyond one full unit of the
/// second growing parameter (say, a pod) units are not all full: as many as needed, at most twice as many, of one smaller
/// size, or full ones and a smaller last one where the template has a parameter for it. The fewest accelerators win, then
/// the fewest units, then units of one size. `FullUnits`: what is built stays as it is, only the last unit is smaller.
[[nodiscard]] GrownDesign smallestReaching(TemplateCounter& counter, const GrowthPath& path, std::int64_t accelerators, Shapes shapes = Shapes::All);

} // namespace hw::sizing
