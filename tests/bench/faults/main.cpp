// SPDX-License-Identifier: GPL-3.0-or-later
// Faults in emulated halls of ten designs, and what the watch tells of them, with sensors missing and meters read in three ways.
// usage: hallwright-faults-bench [--designs A,B] [--kinds TEXT] [--missing 5,20] [--read change,second,polls] [--healthy S] [--most N] [--verbose]
#include "tests/bench/faults/fault_trial.h"

#include "core/design/template/template.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>

#include <fmt/format.h>

using namespace hw;
using namespace hw::bench;

namespace {

struct Design {
    const char* name;
    const char* base;
    std::map<std::string, std::string> values;
    std::map<std::string, std::string> settings{};
    const char* layout = ""; ///< of a template that extends `base`
};

const std::vector<Design>& designs()
{
    static const std::vector<Design> all{
        {"nvl72", "nvl72", {{"segments", "1"}, {"networks", "backend"}}},
        {"nvl72, water-cooled chillers",
         "nvl72",
         {{"segments", "1"}, {"networks", "backend"}},
         {},
         "chiller: chiller-water-1500kw, valve: valve-dn150"},
        {"nvl72, exchangers and towers",
         "nvl72",
         {{"segments", "2"}, {"networks", "backend"}},
         {{"cooling.coolant_supply_c", "40"}},
         "chiller: exchanger-2000kw, facility_supply_c: 33, valve: valve-dn150"},
        {"rail-optimised-2", "rail-optimised-2", {}},
        {"fat-tree-2", "fat-tree-2", {}},
        {"xingmai-1", "xingmai-1", {}},
        {"hpn", "hpn", {{"segments", "1"}, {"networks", "backend"}}},
        {"rail-only", "rail-only", {}},
        {"multi-plane", "multi-plane", {}},
        {"rail-optimised-3", "rail-optimised-3", {{"pods", "2"}, {"segments", "2"}}},
    };
    return all;
}

FiguresPtr figuresOf(const Design& design)
{
    if (!*design.layout && design.settings.empty()) return designOf(design.base, design.values);
    static const Catalogue catalogue = Catalogue::load(HW_RESOURCES "/catalogue").value();
    const auto made = Template::parse(fmt::format("template: bench\nextends: {}\ntitle: Bench\nlayout: {{{}}}\n", design.base, design.layout),
                                      "bench", HW_RESOURCES "/templates");
    Snapshot s(*instantiate(made.value(), made.value().complete(design.values).value(), catalogue).value());
    for (const auto& [key, value] : design.settings) s.putSetting(key, value);
    return computeFigures(std::make_shared<const Snapshot>(std::move(s))).value();
}

struct Wanted {
    std::string designs, kinds;
    std::vector<double> missing{5};
    std::vector<ReadBy> read{ReadBy::Change};
    int healthyS = 600, warmUpS = 130;
    std::size_t most = 1000;
    bool verbose = false;
};

std::vector<std::string> parts(const std::string& text)
{
    std::vector<std::string> out(1);
    for (const char c : text)
        if (c == ',')
            out.emplace_back();
        else
            out.back() += c;
    return out;
}

const char* wordFor(ReadBy by) { return by == ReadBy::Change ? "on change" : by == ReadBy::Second ? "every 1 s" : "every 10-60 s"; }

/// In a process of its own, so that each begins with the same hall.
template <class Work>
std::string apart(Work&& work)
{
    int ends[2];
    if (::pipe(ends) != 0) return {};
    std::cout.flush();
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        const std::string said = work();
        for (std::size_t at = 0; at < said.size();) {
            const ssize_t n = ::write(ends[1], said.data() + at, said.size() - at);
            if (n <= 0) break;
            at += std::size_t(n);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string all;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) all.append(buffer, std::size_t(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return all;
}

struct Sums {
    int faults = 0, found = 0, named = 0, alike = 0, wrong = 0, others = 0;
    std::vector<int> seconds;
    int healthyS = 0, causes = 0, deviations = 0;
    void add(const Sums& o)
    {
        faults += o.faults, found += o.found, named += o.named, alike += o.alike, wrong += o.wrong, others += o.others;
        seconds.insert(seconds.end(), o.seconds.begin(), o.seconds.end());
        healthyS += o.healthyS, causes += o.causes, deviations += o.deviations;
    }
    [[nodiscard]] std::string row(const std::string& name) const
    {
        std::vector<int> sorted = seconds;
        std::ranges::sort(sorted);
        const auto at = [&](double share) {
            return sorted.empty() ? 0 : sorted[std::min(sorted.size() - 1, std::size_t(share * double(sorted.size())))];
        };
        const double good = faults > 0 ? 100.0 * (named + alike) / faults : 0;
        return fmt::format("| {} | {} | {} | {} | {} | {:.0f} % | {} | {} | {} | {:.1f} | {} | {} |\n", name, faults, found, named, alike, good,
                           wrong, at(0.5), at(0.95), faults > 0 ? double(others) / faults : 0.0, causes, deviations);
    }
};

Sums tryDesign(const Design& design, double missing, ReadBy by, const Wanted& wanted)
{
    Sums sums;
    const FiguresPtr figures = figuresOf(design);
    emulation::Options options;
    options.pollS = 10, options.seed = 11, options.startMs = 1'800'000'000'000;
    ReadHall hall(figures, options, by, missing);
    monitoring::Monitor monitor;
    monitor.design(figures, hall.hall().bound());
    const HealthyResult warm = watchHealthy(hall, monitor, wanted.warmUpS * (by == ReadBy::Polls ? 2 : 1));
    sums.healthyS = warm.seconds, sums.causes = warm.causes, sums.deviations = warm.deviations;
    if (!warm.text.empty()) std::cout << "    healthy:\n" << warm.text;
    const impact::ModelPtr model = impact::Model::of(figures).value();
    std::size_t tried = 0;
    for (const Trial& trial : trialsOf(*model, options.seed)) {
        if (!wanted.kinds.empty() && trial.kind.find(wanted.kinds) == std::string::npos) continue;
        if (tried++ >= wanted.most) break;
        const std::string said = apart([&] {
            const TrialResult r = tryIt(*model, hall, monitor, trial, by == ReadBy::Polls ? 3 : 1);
            return fmt::format("{} {} {} {} {} {}\n{}", int(r.found), int(r.named), int(r.alike), r.seconds, r.wrong, r.others, r.text);
        });
        int found = 0, named = 0, alike = 0, seconds = -1, wrong = 0, others = 0;
        const bool ran = std::sscanf(said.c_str(), "%d %d %d %d %d %d", &found, &named, &alike, &seconds, &wrong, &others) == 6;
        ++sums.faults, sums.found += found, sums.named += named, sums.alike += alike && !named, sums.wrong += wrong, sums.others += others;
        if (alike && seconds >= 0) sums.seconds.push_back(seconds);
        std::string names;
        for (const std::string& name : trial.names) names += (names.empty() ? "" : ", ") + name;
        const char* how = !ran ? "STOPPED" : named ? "named" : alike ? "alike" : found ? "found" : "SILENT";
        std::cout << fmt::format("  {:<44} {:<60} {:<7} {:>4} s{}{}\n", trial.kind, names, how, seconds,
                                 wrong > 0 ? fmt::format(", {} that are none", wrong) : "", others > 0 ? fmt::format(", {} others", others) : "");
        if (wanted.verbose || (!alike && ran) || wrong > 0) std::cout << said.substr(std::min(said.size(), said.find('\n') + 1)).substr(0, 2500);
        std::cout << std::flush;
    }
    if (wanted.healthyS > 0) {
        const HealthyResult healthy = watchHealthy(hall, monitor, wanted.healthyS);
        sums.healthyS += healthy.seconds, sums.causes += healthy.causes, sums.deviations += healthy.deviations;
        if (!healthy.text.empty()) std::cout << "    healthy:\n" << healthy.text.substr(0, 3000);
    }
    return sums;
}

} // namespace

int main(int argc, char** argv)
{
    Wanted wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        if (option == "--verbose") {
            wanted.verbose = true;
            continue;
        }
        ++i;
        if (option == "--designs")
            wanted.designs = value;
        else if (option == "--kinds")
            wanted.kinds = value;
        else if (option == "--healthy")
            wanted.healthyS = std::atoi(value.c_str());
        else if (option == "--most")
            wanted.most = std::size_t(std::atoi(value.c_str()));
        else if (option == "--missing") {
            wanted.missing.clear();
            for (const std::string& part : parts(value)) wanted.missing.push_back(std::atof(part.c_str()));
        } else if (option == "--read") {
            wanted.read.clear();
            for (const std::string& part : parts(value))
                wanted.read.push_back(part == "second" ? ReadBy::Second : part == "polls" ? ReadBy::Polls : ReadBy::Change);
        } else {
            std::cerr << "unknown option " << option << '\n';
            return 2;
        }
    }
    std::string table =
        "| design | faults | found | named | alike | named or alike | false causes | median s | 95 % s | other things said | healthy: causes | "
        "healthy: deviations |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    bool any = false;
    for (const double missing : wanted.missing)
        for (const ReadBy by : wanted.read) {
            Sums all;
            table += fmt::format("| **{:.0f} % missing, read {}** | | | | | | | | | | | |\n", missing, wordFor(by));
            for (const Design& design : designs()) {
                const auto names = parts(wanted.designs);
                if (!wanted.designs.empty() &&
                    std::ranges::find(names, std::string(design.name).substr(0, std::string(design.name).find(','))) == names.end())
                    continue;
                std::cout << fmt::format("{}, {:.0f} % missing, read {}\n", design.name, missing, wordFor(by)) << std::flush;
                const Sums sums = tryDesign(design, missing, by, wanted);
                any = any || sums.faults > 0;
                table += sums.row(design.name), all.add(sums);
                std::cout << sums.row(design.name) << std::flush;
            }
            table += all.row(fmt::format("all ({} min healthy)", all.healthyS / 60));
        }
    std::cout << '\n' << table;
    return any ? 0 : 1;
}
