// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.h"

#include "core/design/edit/script.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/text_form.h"
#include "core/operations/bindings/preview.h"
#include "core/operations/bindings/rules.h"
#include "core/physics/coolant/library.h"
#include "core/physics/hydraulics/network_file.h"
#include "importers/asbuilt/evidence_readers.h"
#include "importers/formats.h"
#include "importers/telemetry/mapping.h"
#include "importers/telemetry/recording.h"
#include "simulation/emulation/fault_action.h"
#include "simulation/fairshare/problem.h"
#include "simulation/questions/request.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

namespace hw::fuzz {

namespace fs = std::filesystem;

namespace {

/// What the readers read against.
SnapshotPtr design()
{
    static const SnapshotPtr made = [] {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        const auto shape = Template::load(HW_RESOURCES "/templates/hpn.yaml");
        if (!catalog || !shape) std::abort();
        return instantiate(*shape, {{"segments", 1}, {"backup_hosts", 0}}, *catalog).value();
    }();
    return made;
}

/// For readers that open a file themselves.
fs::path written(const std::string& bytes, const char* ending)
{
    static const fs::path folder = [] {
        std::string name = (fs::temp_directory_path() / "hw-fuzz-XXXXXX").string();
        if (!mkdtemp(name.data())) std::abort();
        return fs::path(name);
    }();
    const fs::path path = folder / (std::string("input") + ending);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return path;
}

std::vector<fs::path> in(std::initializer_list<const char*> names)
{
    static const fs::path root = fs::path(HW_RESOURCES).parent_path();
    std::vector<fs::path> out;
    for (const char* name : names) {
        const fs::path path = root / name;
        if (!fs::is_directory(path)) {
            out.push_back(path);
            continue;
        }
        for (const auto& entry : fs::directory_iterator(path))
            if (entry.is_regular_file()) out.push_back(entry.path());
    }
    std::ranges::sort(out);
    return out;
}

std::vector<Reader> all()
{
    static const exchange::Formats formats = [] {
        exchange::Formats made;
        importers::registerFormats(made);
        return made;
    }();
    const auto importer = [](const char* name, const char* file = nullptr) {
        return [of = formats.importer(name).value(), path = file ? std::string(file) : std::string("input.") + name](const std::string& bytes) {
            const exchange::ImportSource source{path, bytes};
            (void)of->probe(source);
            return of->plan(source, design(), {}).has_value();
        };
    };
    // What makes equipment goes into a project without any.
    const auto emptyImporter = [](const char* name) {
        return [of = formats.importer(name).value(), path = std::string("input.") + name](const std::string& bytes) {
            const exchange::ImportSource source{path, bytes};
            (void)of->probe(source);
            return of->plan(source, std::make_shared<const Snapshot>(), {}).has_value();
        };
    };
    const auto recording = [](const std::string& bytes) {
        auto reader = telemetry::openReader(written(bytes, ".jsonl"));
        if (!reader) return false;
        telemetry::RecordingItem item;
        for (;;) {
            const auto more = (*reader)->next(item);
            if (!more || !*more) return more.has_value();
        }
    };
    const auto evidence = [](auto read) {
        return [read](const std::string& bytes) { return read(exchange::ImportSource{"input", bytes}).has_value(); };
    };
    return {
        {"netbox", in({"tests/fuzz/corpus/netbox"}), importer("netbox", "input.yaml")},
        {"netbox-lists", in({"tests/fuzz/corpus/netbox-lists"}), importer("netbox", "input.json")},
        {"dxf", in({"tests/data/dxf", "docs/examples/hall-120x20.dxf", "tests/fuzz/corpus/dxf"}), importer("dxf")},
        {"ifc", in({"tests/data/ifc"}), importer("ifc")},
        {"aicb", in({"tests/fuzz/corpus/aicb"}), importer("aicb")},
        {"demand", in({"tests/fuzz/corpus/demand"}), importer("demand")},
        {"epanet", in({"tests/fuzz/corpus/epanet"}), emptyImporter("epanet")},
        {"simai", in({"tests/fuzz/corpus/simai"}), emptyImporter("simai")},
        {"chakra", in({"tests/fuzz/corpus/chakra"}), importer("chakra")},
        {"prices", in({"docs/examples/optics-prices.csv", "tests/fuzz/corpus/prices"}), importer("prices")},
        {"lldp", in({"tests/data/asbuilt", "tests/data/asbuilt/dialects"}), importer("lldp")},
        {"ibnetdiscover",
         in({"tests/data/asbuilt/ibnetdiscover.txt", "tests/data/asbuilt/ibnetdiscover-p.txt", "tests/data/asbuilt/dialects/iblinkinfo-blocks.txt",
             "tests/data/asbuilt/dialects/iblinkinfo-line.txt", "tests/data/asbuilt/dialects/ufm-links.json"}),
         importer("ibnetdiscover")},
        {"netbox-cables", in({"tests/data/asbuilt/netbox-cables.csv"}), importer("netbox-cables")},
        {"labels", in({"tests/fuzz/corpus/labels"}), importer("labels")},
        {"text", in({"tests/data/format-2.txt"}), [](const std::string& bytes) { return importText(written(bytes, ".txt")).has_value(); }},
        {"project", in({"tests/data/format-2.hall"}), [](const std::string& bytes) { return readProject(written(bytes, ".hall")).has_value(); }},
        {"audit", in({"tests/data/asbuilt/audit.json"}), evidence(importers::readAudit)},
        {"perftest", in({"tests/data/asbuilt/host01.mlx5_0.txt", "tests/data/asbuilt/mebibytes.txt"}), evidence(importers::readPerftest)},
        {"nccl", in({"tests/data/asbuilt/all_reduce_perf.txt"}), evidence(importers::readNccl)},
        {"model-test", in({"tests/data/asbuilt/model.json"}), evidence(importers::readModelTest)},
        {"recording", in({"tests/fuzz/corpus/recording"}), recording},
        {"trends", in({"tests/fuzz/corpus/trends"}),
         [](const std::string& bytes) {
             return telemetry::openReader(written(bytes, ".csv"), {"Europe/Berlin", ""}).has_value();
         }},
        {"mapping", in({"resources/telemetry"}),
         [](const std::string& bytes) { return telemetry::readMapping(written(bytes, ".yaml")).has_value(); }},
        {"channels", in({"tests/fuzz/corpus/recording"}),
         [](const std::string& bytes) {
             std::vector<Error> left;
             return bindings::channelsOf(bytes, "input", left).has_value();
         }},
        {"rule-set", in({"resources/telemetry/bindings"}),
         [](const std::string& bytes) { return bindings::readRuleSet(bytes, "input").has_value(); }},
        {"hydraulics", in({"tests/data/hydraulics"}),
         [](const std::string& bytes) { return hydraulics::readNetwork(bytes, "input", coolant::shippedLibrary().value()).has_value(); }},
        {"edits", in({"docs/examples/by-hand.json", "docs/examples/trunks.json", "docs/examples/pod-in-a-hall.json", "docs/examples/dc-800v.json"}),
         [](const std::string& bytes) { return edit::parseScript(bytes, "input").has_value(); }},
        {"scenario", in({"resources/scenarios"}), [](const std::string& bytes) { return sim::parseScenarioRequest(bytes, "input").has_value(); }},
        {"faults", in({"docs/examples/faults.json"}), [](const std::string& bytes) { return emulation::readScript(bytes, "input").has_value(); }},
        {"template", in({"resources/templates/hpn.yaml", "resources/templates/nvl72.yaml", "docs/examples/torus.yaml"}),
         [](const std::string& bytes) { return Template::parse(bytes, "input", HW_RESOURCES "/templates").has_value(); }},
        {"part", in({"tests/fuzz/corpus/netbox"}), [](const std::string& bytes) { return Catalog::parse(bytes, "input").has_value(); }},
        {"flow-problem", in({"tests/fuzz/corpus/flows"}), [](const std::string& bytes) { return sim::parseProblem(bytes).has_value(); }},
    };
}

} // namespace

const std::vector<Reader>& readers()
{
    static const std::vector<Reader> list = all();
    return list;
}

} // namespace hw::fuzz
