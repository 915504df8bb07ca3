// SPDX-License-Identifier: GPL-3.0-or-later
// EPANET: a coolant loop goes out; a network comes in, is solved, and brings lengths of coolant pipes that were changed in it.
#include "core/derived/cooling/chain.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/files/atomic_file.h"
#include "core/physics/hydraulics/balance.h"
#include "importers/simulators/epanet_reader.h"
#include "importers/simulators/epanet_writer.h"
#include "importers/simulators/simulators.h"

#include <cmath>

namespace hw::importers {

namespace {

constexpr double kSameMm = 1;       ///< lengths nearer than this are the same
constexpr double kMostHours = 8784; ///< of a leap year

class EpanetImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"epanet", i18n("EPANET network (.inp): solved in the preview; lengths of pipes exported from this project are imported")};
    }
    std::vector<exchange::FormatOption> options() const override { return {{"hour", "H", i18n("hour of demand and head patterns (default: 0)")}}; }
    bool probe(const exchange::ImportSource& source) const override { return looksLikeEpanet(source.content); }

    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress& progress) const override
    {
        const auto hour = hourOf(source.option("hour"));
        if (!hour) return tl::unexpected(hour.error());
        const auto& library = coolant::shippedLibrary();
        if (!library) return tl::unexpected(library.error());
        const std::string file = source.path.string();
        const auto read = readEpanet(source.content, file, *library, *hour);
        if (!read) return tl::unexpected(read.error());
        exchange::ImportPlan plan;
        plan.name = i18n("EPANET network {}", source.path.filename().string());
        plan.base = base;
        plan.issues = read->issues;
        if (!read->title.empty()) plan.facts.push_back(verbatim(read->title));
        plan.facts.push_back(i18n("{:L} junctions, {:L} reservoirs, {:L} tanks; {:L} pipes, {:L} pumps, {:L} valves", read->junctions,
                                  read->reservoirs, read->tanks, read->pipes, read->pumps, read->valves));
        plan.facts.push_back(i18n("flows in {}, head loss {}, pressures in {}", read->flowUnit, read->headLoss, read->pressureUnit));
        solve(*read, file, plan, progress);
        if (const auto brought = bringLengths(*read, file, base, plan); !brought) return tl::unexpected(brought.error());
        return plan;
    }

private:
    static Result<double> hourOf(const std::string& given)
    {
        if (given.empty()) return 0.0;
        char* end = nullptr;
        const double hour = std::strtod(given.c_str(), &end);
        if (end == given.c_str() || *end != 0 || !(hour >= 0 && hour <= kMostHours))
            return fail(ErrorCode::Refused, "--hour " + given, i18n("not between 0 and {:.0f}", kMostHours), i18n("specify an hour"));
        return hour;
    }

    static void solve(const EpanetFile& read, const std::string& file, exchange::ImportPlan& plan, const Progress& progress)
    {
        hydraulics::Network network = read.network.network;
        if (hydraulics::wantsBalance(network)) {
            auto set = hydraulics::balanced(network, progress.stop);
            if (!set) return plan.issues.push_back({file, i18n("{}; {}", set.error().what, set.error().todo)});
            network = std::move(*set);
        }
        const auto solution = hydraulics::solve(network, progress.stop);
        if (!solution) return plan.issues.push_back({file, i18n("{}; {}", solution.error().what, solution.error().todo)});
        std::string text = hydraulics::answerText(read.network, network, *solution);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            plan.facts.push_back(verbatim(text.substr(at, end - at)));
            at = end + 1;
        }
    }

    /// Pipes that carry a coolant cable's name as their tag set its length. Supply and return have one length: the longer counts.
    static Result<void> bringLengths(const EpanetFile& read, const std::string& file, const SnapshotPtr& base, exchange::ImportPlan& plan)
    {
        if (read.tags.empty()) return {};
        const auto parts = ProjectParts::of(base->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        std::map<CableId, double> meters;
        for (const auto& link : read.network.network.links) {
            const auto tag = read.tags.find(link.id);
            if (link.kind != hydraulics::LinkKind::Pipe || tag == read.tags.end()) continue;
            const auto entity = findEntity(*base, **parts, tag->second);
            if (!entity || entity->kind != EntityKind::Cable || base->cables.medium[CableId{entity->id}] != Medium::Coolant) {
                ++plan.left;
                plan.issues.push_back({file, i18n("pipe {}: the project has no coolant pipe \"{}\"", link.id, tag->second)});
                continue;
            }
            double& most = meters[CableId{entity->id}];
            most = std::max(most, link.lengthM);
        }
        if (meters.empty()) return {};
        const Figures figures(base, *parts);
        std::map<CableId, double> now;
        for (const auto& way : figures.get<CoolingChainNode>().ways)
            if (way.link && base->links.cable[*way.link]) now[*base->links.cable[*way.link]] = way.lengthM;
        auto after = std::make_shared<Snapshot>(*base);
        std::int64_t changed = 0;
        for (const auto& [cable, length] : meters) {
            ++plan.read;
            const auto known = now.find(cable);
            if (known != now.end() && std::abs(known->second - length) * 1000 <= kSameMm) continue;
            after->cables.length.set(cable, Millimeters(std::int32_t(std::lround(length * 1000))));
            ++changed;
        }
        plan.facts.push_back(i18np(changed, "{:L} coolant pipe with a changed length", "{:L} coolant pipes with a changed length"));
        plan.after = std::move(after);
        return {};
    }
};

class EpanetExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override { return {"epanet", i18n("EPANET network (.inp) of a coolant loop: --loop NAME")}; }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"loop", "NAME", i18n("coolant loop, as in 'report --json' under cooling.loops")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const std::string loop = job.option("loop");
        if (loop.empty()) return fail(ErrorCode::Usage, "--loop", i18n("missing"), i18n("specify the coolant loop, as the report names it"));
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        const auto text = epanetText(**figures, loop);
        if (!text) return tl::unexpected(text.error());
        return writeFile(job.output, *text);
    }
};

} // namespace

std::unique_ptr<exchange::Importer> epanetImporter() { return std::make_unique<EpanetImporter>(); }
std::unique_ptr<exchange::Exporter> epanetExporter() { return std::make_unique<EpanetExporter>(); }

} // namespace hw::importers
