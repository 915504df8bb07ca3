// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/edit_bench.h"

#include "core/design/edit/script.h"
#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/storage/project_file.h"

#include <chrono>
#include <filesystem>
#include <ostream>

#include <fmt/ostream.h>
#include <unistd.h>

namespace hw::bench {

namespace {

constexpr std::size_t kEdits = 100'000;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Racks get limits, servers serial numbers and other names, cables lengths, links are cut and made again: in turns, all over the design.
std::string scriptFor(const Snapshot& s, const ProjectParts& parts)
{
    const auto racks = s.racks.ids();
    const auto links = s.links.ids();
    std::vector<DeviceId> devices;
    std::vector<std::pair<std::string, std::string>> ends;
    s.devices.forEach([&](DeviceId id) { devices.push_back(id); });
    for (std::size_t i = 0; i < links.size() && ends.size() < kEdits / 2; ++i) {
        const LinkId link = links[i * 7919 % links.size()];
        const PortId from = s.links.from[link], to = s.links.to[link];
        if (s.ports.medium[from] == Medium::Data && s.cages.split[s.ports.cage[from]] <= 1)
            ends.emplace_back(entityName(s, parts, ref(from)), entityName(s, parts, ref(to)));
    }
    std::string script;
    std::size_t count = 0;
    const auto add = [&](const std::string& edit) {
        if (count < kEdits) script += (count++ ? ",\n" : "") + edit;
    };
    for (std::size_t i = 0; count < kEdits; ++i) {
        const auto& [from, to] = ends[i % ends.size()];
        const std::string& device = s.devices.name[devices[i % devices.size()]];
        add(fmt::format(R"({{"do": "set", "entity": "{}", "column": "power_limit_mw", "value": "{} kW"}})", s.racks.name[racks[i % racks.size()]],
                        10 + i % 30));
        add(fmt::format(R"({{"do": "set", "entity": "{}", "column": "serial", "value": "SN{}"}})", device, i));
        add(fmt::format(R"({{"do": "rename", "entity": "{0}", "name": "{0}-new"}})", device));
        add(fmt::format(R"({{"do": "rename", "entity": "{0}-new", "name": "{0}"}})", device));
        add(fmt::format(R"({{"do": "disconnect", "from": "{}", "to": "{}"}})", from, to));
        add(fmt::format(R"({{"do": "connect", "from": "{}", "to": "{}"}})", from, to));
        add(fmt::format(R"({{"do": "set-cable-length", "from": "{}", "length_mm": {}}})", from, 5000 + i % 1000));
    }
    return "{\"edits\": [" + script + "]}";
}

} // namespace

void benchEdits(std::ostream& out)
{
    const auto catalog = *Catalog::load(resourceFolder() / "catalog");
    const SnapshotPtr pod = *instantiate(*Template::load(resourceFolder() / "templates/hpn.yaml"), {}, catalog);
    const auto edits = edit::parseScript(scriptFor(*pod, **ProjectParts::of(pod->partTypes)), "bench");
    if (!edits) return fmt::print(out, "edits: {}\n", edits.error().text());
    const auto path = std::filesystem::temp_directory_path() / fmt::format("hallwright-bench-{}.hall", getpid());
    Document document;
    document.load(pod);
    auto file = ProjectFile::create(path, document.snapshot());
    if (!file) return fmt::print(out, "edits: {}\n", file.error().text());
    const auto follow = (*file)->follow(document);
    const edit::EditContext context;
    edit::ScriptRunner runner(document, context, "bench");
    const auto start = Clock::now();
    for (const auto& one : *edits)
        if (auto done = runner.apply(one); !done) return fmt::print(out, "edits: {}\n", done.error().text());
    const double applied = since(start);
    (void)(*file)->flush();
    fmt::print(out, "{} edits by name, hpn, 1 pod\n", edits->size());
    fmt::print(out, "  {:<44}{:>10.1f} s    target: seconds\n", "each an undo step", applied);
    fmt::print(out, "  {:<44}{:>10.1f} s\n", "all of them durable", since(start));
    file->reset();
    std::filesystem::remove(path);
}

} // namespace hw::bench
