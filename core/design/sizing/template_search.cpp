// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/template_search.h"

#include "core/design/sizing/largest_fit.h"
#include "core/design/template/spec.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

/// Looks at all variants of one template.
class TemplateSearch {
public:
    TemplateSearch(const SizeRequest& request, const Template& design, const Catalog& catalog, const CableParts& parts, const Progress& progress)
        : m_request(request), m_design(design), m_catalog(catalog), m_parts(parts), m_progress(progress)
    {
    }

    Findings run()
    {
        auto bound = TemplateCounter::bind(m_design, m_catalog);
        if (!bound) {
            const Error& error = bound.error();
            refuse("", 0, 0, error.todo.empty() ? i18n("{}: {}", error.where, error.what) : i18n("{}: {}; {}", error.where, error.what, error.todo),
                   Refusal::Wiring);
            return std::move(m_out);
        }
        for (const Variant& variant : variantsOf(m_design, {m_request.server, m_request.switches, m_request.planes, m_request.split})) {
            if (m_progress.stopRequested()) break;
            (void)lookWithAndWithout(*bound, variant);
        }
        for (const Variant& variant : otherServers())
            if (!m_progress.stopRequested()) (void)lookWithAndWithout(*bound, variant);
        mergeRefusals();
        return std::move(m_out);
    }

private:
    void refuse(const std::string& variant, std::int64_t reach, int tiers, Text reason, Refusal kind)
    {
        m_out.refused.push_back({m_design.name(), m_design.title(), variant, reach, tiers, std::move(reason), kind});
    }

    /// The variant without its other networks, which may end a design before the sized network does: by a
    /// parameter `networks` with the choice `backend`, where templates have one.
    [[nodiscard]] std::optional<Variant> backendAlone(const Variant& variant) const
    {
        for (const auto& p : m_design.parameters()) {
            const auto choice = std::find(p.choices.begin(), p.choices.end(), "backend");
            if (p.name != "networks" || choice == p.choices.end() || variant.fixed.contains(p.name)) continue;
            Variant alone = variant;
            alone.fixed[p.name] = choice - p.choices.begin();
            return alone;
        }
        return std::nullopt;
    }

    /// The variant, and where it ends too early the back end of it alone.
    bool lookWithAndWithout(TemplateCounter& counter, const Variant& variant)
    {
        if (look(counter, variant)) return true;
        const auto alone = backendAlone(variant);
        return alone && look(counter, *alone);
    }

    /// Where planes are asked for that the NICs of the template's own server do not have: the variants of its other servers.
    [[nodiscard]] std::vector<Variant> otherServers() const
    {
        std::vector<Variant> variants;
        if (!m_request.planes || !m_request.server.empty() || !m_out.designs.empty() || !planesParameter(m_design)) return variants;
        std::set<std::string> servers;
        for (const auto& tier : m_design.spec().tiers)
            if (const auto* kind = tier.field("kind"); kind && kind->text == "server" && tier.field("type_index"))
                for (const auto& type : tier.types) servers.insert(type.text);
        for (const auto& server : servers)
            for (auto& variant : variantsOf(m_design, {server, m_request.switches, m_request.planes, m_request.split}))
                variants.push_back(std::move(variant));
        return variants;
    }

    /// A variant without what breaks its uplinks out. Where one with coarser uplinks answers, finer ones are not told: they are for what needs
    /// them, unless asked for.
    [[nodiscard]] ParameterValues withoutSplit(const Variant& variant) const
    {
        auto rest = variant.fixed;
        if (m_request.split.empty())
            for (const auto& [tier, parameter] : m_design.spec().sizing.split) rest.erase(parameter);
        return rest;
    }

    /// False where the variant ends before what is wanted.
    bool look(TemplateCounter& counter, const Variant& variant)
    {
        const GrowthPath path(m_design, variant, counter);
        const std::string fixedText = path.text(path.at(0));
        const GrowthStep last = furthest(counter, path);
        if (!last.step) {
            refuse(fixedText, 0, 0, last.reason, Refusal::Wiring);
            return false;
        }
        const auto most = counter.count(path.at(*last.step));
        if (!most) return false;
        const std::string lastText = path.text(path.at(*last.step)), network = sizedNetwork(m_design, *most);
        const int tiers = tiersOf(*most, network);
        if (!m_seen.insert(makeUp(*most)).second) return true; // another variant is the same design
        if (const auto mismatch = wrongParts(*most, network); !mismatch.empty()) {
            refuse(lastText, last.accelerators, tiers, mismatch, Refusal::Requirement);
            return true;
        }
        if (last.accelerators == 0) {
            refuse(lastText, 0, tiers, i18n("contains no servers with accelerators"), Refusal::Requirement);
            return true;
        }
        const auto ends = tierEnds(counter, path, network, last, tiers);
        for (const auto& end : ends) m_out.reaches.push_back(end);
        if (m_request.accelerators == 0) {
            takeLargest(counter, path, withoutSplit(variant), fixedText, last, ends);
            return true;
        }
        if (last.accelerators < m_request.accelerators) {
            refuse(lastText, last.accelerators, tiers,
                   last.reason.empty() ? i18n("limited to {:L} accelerators by its parameter ranges", last.accelerators)
                                       : i18np(tiers + 1, "{} tier required above {:L} accelerators: {}",
                                               "{} tiers required above {:L} accelerators: {}", last.accelerators, last.reason),
                   Refusal::Scale);
            return false;
        }
        const GrownDesign first = smallestReaching(counter, path, m_request.accelerators);
        if (!first.values)
            refuse(fixedText, last.accelerators, tiers, first.reason, Refusal::Wiring);
        else if (m_answered.contains(withoutSplit(variant)))
            return true;
        else if (auto design = made(counter, path, *first.values, last, ends); !design)
            refuse(path.text(*first.values), last.accelerators, tiers, reasonOf(design.error()), Refusal::Wiring);
        else if (take(std::move(*design), last))
            m_answered.insert(withoutSplit(variant));
        return first.values.has_value();
    }

    /// How far the path goes with each number of tiers; templates add a tier where one more pod needs it.
    [[nodiscard]] std::vector<TierLimit> tierEnds(TemplateCounter& counter, const GrowthPath& path, const std::string& network,
                                                  const GrowthStep& last, int tiers) const
    {
        std::vector<TierLimit> ends{{tiers, last.accelerators, m_design.name(), path.text(path.at(*last.step))}};
        const auto at = [&](std::int64_t step) {
            const auto counted = counter.countDevices(path.at(step));
            return counted ? tiersOf(*counted, network) : tiers;
        };
        for (int fewer = tiers - 1; fewer >= 1 && at(0) <= fewer; --fewer) {
            std::int64_t low = 0, high = *last.step;
            while (high - low > 1) {
                const std::int64_t middle = low + (high - low) / 2;
                (at(middle) <= fewer ? low : high) = middle;
            }
            const auto reached = counter.accelerators(path.at(low));
            if (reached && at(low) == fewer) ends.push_back({fewer, *reached, m_design.name(), path.text(path.at(low))});
        }
        return ends;
    }

    /// The design with what it takes of the limits, and its growth.
    Result<SizedDesign> made(TemplateCounter& counter, const GrowthPath& path, const ParameterValues& values, const GrowthStep& last,
                             const std::vector<TierLimit>& ends)
    {
        const auto counted = counter.count(values);
        if (!counted) return tl::unexpected(counted.error());
        auto described = describe(m_design, counter, *counted, m_catalog, m_parts, roomOf(m_request.limits));
        if (!described) return described;
        SizedDesign& design = *described;
        if (const auto pue = m_request.limits.pueOf.find(m_design.name()); pue != m_request.limits.pueOf.end()) design.pue = pue->second;
        design.limits = limitUses(m_request.limits, design);
        design.variant = path.text(design.parameters);
        design.reach = last.accelerators;
        design.reachParameters = path.at(*last.step);
        design.reachLimit = last.reason;
        const double asked = double(m_request.accelerators);
        design.sizeObjective = asked > 0 ? std::floor(100 * (double(design.accelerators) - asked) / asked) : -double(design.accelerators);
        const int tiers = tiersOf(*counted, design.network);
        for (const auto& end : ends)
            if (end.tiers == tiers - 1)
                design.tierNote = i18np(tiers, "{} tier required above {:L} accelerators", "{} tiers required above {:L} accelerators", end.reach);
        return described;
    }

    /// True where the design answers the request.
    bool take(SizedDesign design, const GrowthStep& last)
    {
        const int tiers = tiersOf(design);
        if (const auto mismatch = mismatchOf(design, tiers); !mismatch.empty()) {
            refuse(design.variant, last.accelerators, tiers, mismatch, tooMuch(design).empty() ? Refusal::Requirement : Refusal::Limit);
            return false;
        }
        m_out.designs.push_back(std::move(design));
        return true;
    }

    /// The largest design within the limits. Where a limit ends coarser uplinks, finer ones are reported instead only if they reach more:
    /// they may, because fewer switches do where a tier would have ports left over.
    void takeLargest(TemplateCounter& counter, const GrowthPath& path, const ParameterValues& whole, const std::string& fixedText,
                     const GrowthStep& last, const std::vector<TierLimit>& ends)
    {
        const auto coarser = m_largest.find(whole);
        auto fit =
            largestFit(counter, path, last.accelerators, [&](const ParameterValues& values) { return made(counter, path, values, last, ends); });
        if (!fit.design) {
            if (coarser == m_largest.end()) refuse(fixedText, last.accelerators, 0, fit.reason, fit.tooLarge ? Refusal::Limit : Refusal::Wiring);
            return;
        }
        if (coarser != m_largest.end()) {
            auto& best = m_out.designs[coarser->second];
            if (fit.design->accelerators <= best.accelerators || !mismatchOf(*fit.design, tiersOf(*fit.design)).empty()) return;
            if (fit.design->binding.empty()) fit.design->binding = endOf(last);
            best = std::move(*fit.design);
            return;
        }
        const bool limited = !fit.design->binding.empty();
        if (!limited) fit.design->binding = endOf(last);
        if (take(std::move(*fit.design), last) && limited) m_largest[whole] = m_out.designs.size() - 1;
    }

    static Text endOf(const GrowthStep& last) { return last.reason.empty() ? i18n("parameter ranges exhausted") : last.reason; }

    static int tiersOf(const SizedDesign& design)
    {
        std::set<int> levels;
        for (const auto& tier : design.tiers) levels.insert(tier.level);
        return int(levels.size());
    }

    static int tiersOf(const TemplateCount& count, const std::string& network)
    {
        std::set<int> levels;
        for (const auto& tier : count.tiers)
            if (tier.kind == TierKind::Switch && tier.network == network && tier.total() > 0) levels.insert(tier.level);
        return int(levels.size());
    }

    /// Tells designs apart that two variants make: uplinks broken out "as fine as the ports below" may be whole ones.
    static std::string makeUp(const TemplateCount& count)
    {
        std::string text;
        for (const auto& tier : count.tiers)
            for (const auto& devices : tier.devices) text += fmt::format("{} {} {} {};", tier.name, devices.type, int(devices.role), devices.count);
        for (const auto& rule : count.rules) text += fmt::format("{} {} {}G;", rule.name, rule.links, rule.rate.count());
        return text;
    }

    /// Why the uplinks of the sized network are not broken out as asked; empty where they are.
    [[nodiscard]] Text wrongSplit(const TemplateCount& count, const std::string& network) const
    {
        for (const auto& [name, ports] : m_request.split) {
            bool any = false;
            for (const auto& tier : count.tiers)
                for (const auto& group : tier.ports) {
                    if (tier.kind != TierKind::Switch || tier.network != network || group.network != network || group.role != PortRole::Up ||
                        group.total == 0)
                        continue;
                    if (!name.empty() && tier.name != name) continue;
                    any = true;
                    if (group.split != ports)
                        return i18np(group.split, "uplink cages of {1} provide {0} port each, not {2}",
                                     "uplink cages of {1} provide {0} ports each, not {2}", resourceText(tier.label), ports);
                }
            if (!any) return name.empty() ? i18n("has no uplinks") : i18n("has no switch tier '{}' with uplinks", name);
        }
        return {};
    }

    /// Servers and switches are the same however far a variant grows.
    [[nodiscard]] Text wrongParts(const TemplateCount& count, const std::string& network) const
    {
        for (const auto& tier : count.tiers)
            for (const auto& devices : tier.devices) {
                if (tier.kind == TierKind::Switch && tier.network == network && !m_request.switches.empty() &&
                    std::find(m_request.switches.begin(), m_request.switches.end(), devices.type) == m_request.switches.end())
                    return i18n("uses {} as {}", devices.type, resourceText(tier.label));
                const auto& spec = std::get<DeviceSpec>(m_catalog.find(devices.type)->spec);
                if (tier.kind == TierKind::Server && spec.accelerators > 0 && !m_request.acceleratorClass.empty() &&
                    spec.acceleratorClass != m_request.acceleratorClass)
                    return i18n("its accelerators are {}, not {}", className(spec.acceleratorClass), className(m_request.acceleratorClass));
                if (tier.kind == TierKind::Server && spec.accelerators > 0 && !m_request.server.empty() && devices.type != m_request.server)
                    return i18n("uses server {}, not {}", devices.type, m_request.server);
            }
        return wrongSplit(count, network);
    }

    [[nodiscard]] Text wrongPlanes(int planes) const
    {
        const Parameter* p = planesParameter(m_design);
        return p ? i18np(planes, "has {} plane; supported range: {} to {}", "has {} planes; supported range: {} to {}", p->minimum, p->maximum)
                 : i18np(planes, "has {} plane", "has {} planes");
    }

    [[nodiscard]] Text mismatchOf(const SizedDesign& design, int tiers) const
    {
        if (const auto much = tooMuch(design); !much.empty()) return i18n("does not fit: {}", much);
        if (m_request.planes && design.planes != *m_request.planes) return wrongPlanes(design.planes);
        if (m_request.tiers && tiers != *m_request.tiers)
            return design.tierNote.empty()
                       ? i18np(tiers, "has {} switch tier at this size", "has {} switch tiers at this size")
                       : i18np(tiers, "has {} switch tier at this size: {}", "has {} switch tiers at this size: {}", design.tierNote);
        if (m_request.maxOversubscription && design.oversubscription > *m_request.maxOversubscription * (1 + 1e-9))
            return i18n("end-to-end oversubscription {:.4g}:1 exceeds {:.4g}:1", design.oversubscription, *m_request.maxOversubscription);
        if (m_request.growTo && design.reach < *m_request.growTo)
            return design.reachLimit.empty()
                       ? i18n("can grow to {:L} accelerators only; {:L} requested", design.reach, *m_request.growTo)
                       : i18n("can grow to {:L} accelerators only; {:L} requested: {}", design.reach, *m_request.growTo, design.reachLimit);
        return {};
    }

    /// Variants that are refused for one reason are reported once.
    void mergeRefusals()
    {
        std::vector<RefusedDesign> merged;
        for (auto& one : m_out.refused) {
            const auto same =
                std::find_if(merged.begin(), merged.end(), [&](const auto& other) { return other.reason == one.reason && other.tiers == one.tiers; });
            if (same == merged.end())
                merged.push_back(std::move(one));
            else if (one.reach > same->reach)
                *same = std::move(one);
        }
        m_out.refused = std::move(merged);
    }

    const SizeRequest& m_request;
    const Template& m_design;
    const Catalog& m_catalog;
    const CableParts& m_parts;
    const Progress& m_progress;
    std::set<std::string> m_seen;                     ///< what the variants so far make
    std::set<ParameterValues> m_answered;             ///< variants that answer, without what breaks uplinks out
    std::map<ParameterValues, std::size_t> m_largest; ///< the largest design of each such variant that a limit ends
    Findings m_out;
};

} // namespace

Findings searchTemplate(const SizeRequest& request, const Template& design, const Catalog& catalog, const CableParts& parts, const Progress& progress)
{
    return TemplateSearch(request, design, catalog, parts, progress).run();
}

} // namespace hw::sizing
