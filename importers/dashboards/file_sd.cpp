// SPDX-License-Identifier: GPL-3.0-or-later
// Targets for file_sd_configs and http_sd_configs of Prometheus: those of equal labels together.
#include "core/foundation/files/atomic_file.h"
#include "importers/dashboards/dashboard_files.h"
#include "importers/dashboards/scrape_targets.h"

#include <nlohmann/json.hpp>

namespace hw::importers {

namespace {

class PrometheusSdExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"prometheus-sd", TextId("scrape targets with hall, row, rack and feed as labels, for file_sd_configs of Prometheus; .json")};
    }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"target", "name|address", i18n("target by device name (default) or by management address of the addressing plan")},
                {"job", "JOB", i18n("only this job: dcgm, node, ipmi, snmp-switch, snmp-pdu, snmp-ups, snmp-power, snmp-cooling"), true}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const std::string target = job.option("target");
        if (!target.empty() && target != "name" && target != "address")
            return fail(ErrorCode::Refused, "--target " + target, i18n("unknown target"), i18n("use name or address"));
        const auto jobs = wanted(job.option("job"));
        if (!jobs) return tl::unexpected(jobs.error());
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        const auto targets = scrapeTargets(**figures, target == "address", progress);
        if (!targets) return tl::unexpected(targets.error());
        std::map<std::map<std::string, std::string>, std::vector<std::string>> groups;
        for (const ScrapeTarget& one : *targets) {
            if (!jobs->empty() && std::ranges::find(*jobs, one.job) == jobs->end()) continue;
            auto labels = one.labels;
            labels.emplace("job", one.job);
            groups[std::move(labels)].push_back(one.address);
        }
        auto all = nlohmann::ordered_json::array();
        for (const auto& [labels, addresses] : groups) all.push_back({{"targets", addresses}, {"labels", labels}});
        return writeFile(job.output, all.dump(1) + "\n");
    }

private:
    static Result<std::vector<std::string>> wanted(const std::string& given)
    {
        static const std::vector<std::string> kJobs = {"dcgm", "node", "ipmi", "snmp-switch", "snmp-pdu", "snmp-ups", "snmp-power", "snmp-cooling"};
        std::vector<std::string> jobs;
        for (std::size_t at = 0; at < given.size();) {
            const auto end = std::min(given.find('\n', at), given.size());
            jobs.push_back(given.substr(at, end - at));
            at = end + 1;
            if (std::ranges::find(kJobs, jobs.back()) == kJobs.end())
                return fail(ErrorCode::Refused, "--job " + jobs.back(), i18n("unknown job"), i18n("choose from {}", listedNames(kJobs)));
        }
        return jobs;
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> prometheusSdExporter() { return std::make_unique<PrometheusSdExporter>(); }

} // namespace hw::importers
