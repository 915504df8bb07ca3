// SPDX-License-Identifier: GPL-3.0-or-later
// What every host and switch should be set to.
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/files/csv.h"
#include "core/foundation/model/setting_values.h"
#include "importers/configuration/config_files.h"

#include <array>

#include <nlohmann/json.hpp>

namespace hw::importers {

namespace {

class ExpectedConfigExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"config-expected",
                i18n("expected configuration of every host and switch by profile: MTU, PFC, ECN, PCIe, firmware, NCCL; .json or .csv")};
    }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"only", "NAME", i18n("this device only")},
                {"profiles", "PATH", i18n("profiles file instead of the shipped one (docs/configuration.md)")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const auto profiles = profilesOf(job);
        if (!profiles) return tl::unexpected(profiles.error());
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        auto expected = configuration::expectedOf(**figures, *profiles);
        if (!expected) return tl::unexpected(expected.error());
        const Snapshot& s = *(*figures)->snapshot;
        if (const std::string only = job.option("only"); !only.empty()) {
            std::erase_if(*expected, [&](const configuration::Expected& e) { return s.devices.name[e.device] != only; });
            if (expected->empty())
                return fail(ErrorCode::Usage, "--only " + only, i18n("no host or switch with this name"), i18n("specify a device of the design"));
        }
        if (expected->empty())
            return fail(ErrorCode::Refused, job.project.string(), i18n("no host or switch with expected values"), i18n("see the profiles"));
        return writeFile(job.output, job.output.extension() == ".csv" ? csv(s, *expected) : json(s, *expected));
    }

private:
    static Result<std::vector<configuration::Profile>> profilesOf(const exchange::ExportJob& job)
    {
        const std::string path = job.option("profiles");
        if (path.empty()) return configuration::shippedProfiles();
        const auto source = exchange::readSource(path);
        if (!source) return tl::unexpected(source.error());
        return configuration::readProfiles(source->content, path);
    }
    static std::string csv(const Snapshot& s, const std::vector<configuration::Expected>& all)
    {
        std::string out = "device,port,item,match,expected,unit,set,profile,confidence,source\r\n";
        for (const auto& e : all) {
            const std::array<std::string, 10> row{
                s.devices.name[e.device],     e.portName, e.item, std::string(wordOf(e.match)), e.value, e.unit, e.set, e.profile,
                std::string(1, e.confidence), e.source};
            for (std::size_t c = 0; c < row.size(); ++c) {
                if (c) out += ',';
                appendCsv(out, row[c]);
            }
            out += "\r\n";
        }
        return out;
    }
    static std::string json(const Snapshot& s, const std::vector<configuration::Expected>& all)
    {
        using Json = nlohmann::ordered_json;
        Json whole{{"schema", "hallwright.config-expected/1"}, {"business", settingOf(s, "config.business")}, {"devices", Json::array()}};
        const configuration::Expected* last = nullptr;
        for (const auto& e : all) {
            if (!last || last->device != e.device) whole["devices"].push_back({{"device", s.devices.name[e.device]}, {"items", Json::array()}});
            last = &e;
            Json one = Json::object();
            if (e.port) one["port"] = e.portName;
            one["item"] = e.item, one["match"] = wordOf(e.match);
            if (e.match != configuration::Match::Same) one["expected"] = e.value;
            if (!e.unit.empty()) one["unit"] = e.unit;
            one["set"] = e.set, one["profile"] = e.profile, one["confidence"] = std::string(1, e.confidence), one["source"] = e.source;
            whole["devices"].back()["items"].push_back(std::move(one));
        }
        return whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> expectedConfigExporter() { return std::make_unique<ExpectedConfigExporter>(); }

} // namespace hw::importers
