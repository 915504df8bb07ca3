// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/presets.h"

#include "core/foundation/base/yaml_keys.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hw::sim {
inline namespace training {

namespace {

Text errorText(const Error& error)
{
    return error.todo.empty() ? i18n("{}: {}", error.where, error.what) : i18n("{}: {}; {}", error.where, error.what, error.todo);
}

/// One map of a file of workloads, whose figures are kept with their sources.
class Section : public YamlKeys {
public:
    Section(YamlKeys keys, std::vector<WorkloadFact>& facts) : YamlKeys(std::move(keys)), m_facts(facts) {}

    /// {value, unit, source, confidence}; the unit is fixed, "" for counts.
    double fact(const std::string& key, const std::string& unit, double least, double most)
    {
        YamlKeys s = under(key);
        const double value = s.number("value", least, most);
        if (s.text("unit", "") != unit) s.refuse("unit", i18n("must be \"{}\"", unit));
        const std::string source = s.text("source");
        const char confidence = s.confidence();
        s.finish();
        m_facts.push_back({s.path(), value, unit, source, confidence});
        return value;
    }
    double fact(const std::string& key, const std::string& unit, double least, double most, double fallback)
    {
        return has(key) ? fact(key, unit, least, most) : fallback;
    }
    int count(const std::string& key, int least = 1) { return int(whole(key, fact(key, "", least, 1e9))); }
    int count(const std::string& key, int least, int fallback) { return has(key) ? count(key, least) : fallback; }
    int integer(const std::string& key, int fallback) { return has(key) ? int(whole(key, number(key, 1, 1e6))) : fallback; }

    Section section(const std::string& key) { return {under(key), m_facts}; }

    /// Every entry of the map: slug and its section.
    template <class Each>
    void sections(const Each& each)
    {
        for (const std::string& slug : names()) {
            Section s = section(slug);
            each(slug, s);
            s.finish();
        }
    }

private:
    double whole(const std::string& key, double value) const
    {
        if (value != std::floor(value)) refuse(key, i18n("must be a whole number"));
        return value;
    }

    std::vector<WorkloadFact>& m_facts;
};

void readAccelerator(const std::string& slug, Section& s, WorkloadLibrary& out)
{
    WorkloadLibrary::AcceleratorEntry entry{slug, s.texts("servers"), {}};
    Accelerator& a = entry.accelerator;
    a.name = s.text("name");
    a.peakFlops = {};
    Section peak = s.section("peak");
    for (std::size_t p = 0; p < kPrecisions; ++p)
        if (const std::string key = name(Precision(p)); peak.has(key)) a.peakFlops[p] = peak.fact(key, "TFLOPS", 0.1, 1e6) * 1e12;
    peak.finish();
    a.memoryBytes = s.fact("memory", "GB", 1, 1e5) * 1e9;
    a.memoryBytesPerS = s.fact("memory_rate", "GB/s", 1, 1e6) * 1e9;
    a.processors = s.count("processors");
    a.sustained = s.fact("sustained", "share", 0.05, 2);
    a.scaleUpGbps = s.fact("scale_up", "Gb/s", 0, 1e6);
    out.accelerators.push_back(std::move(entry));
}

void readModel(const std::string& slug, Section& s, WorkloadLibrary& out)
{
    TransformerModel m;
    m.name = s.text("name");
    m.layers = s.count("layers");
    m.hidden = s.count("hidden");
    m.heads = s.count("heads");
    m.keyValueHeads = s.count("key_value_heads", 1, 0);
    m.feedForward = s.count("feed_forward", 1, 0);
    m.gatedFeedForward = s.flag("gated", false);
    m.vocabulary = s.count("vocabulary");
    m.tiedEmbedding = s.flag("tied_embedding", true);
    m.learnedPositions = s.flag("learned_positions", false);
    m.sequence = s.count("sequence");
    m.experts = s.count("experts", 1, 0);
    m.topK = s.count("top_k", 1, 0);
    m.expertEvery = s.count("expert_every", 1, 1);
    m.headWidth = s.count("head_width", 1, 0);
    m.denseFirst = s.count("dense_first", 1, 0);
    m.expertFeedForward = s.count("expert_feed_forward", 1, 0);
    m.sharedFeedForward = s.count("shared_feed_forward", 1, 0);
    m.nodeLimit = s.count("node_limit", 1, 0);
    if (s.has("latent")) {
        Section l = s.section("latent");
        m.latent = {l.count("query", 1, 0), l.count("key_value"), l.count("head"), l.count("rotary", 1, 0), l.count("value")};
        l.finish();
    }
    m.publishedParameters = s.fact("published", "", 1e6, 1e15, 0);
    out.models.push_back({slug, std::move(m)});
}

Recompute recomputeOf(Section& s)
{
    const std::string text = s.text("recompute");
    if (text == "none") return Recompute::None;
    if (text == "selective") return Recompute::Selective;
    if (text == "full") return Recompute::Full;
    s.refuse("recompute", i18n("must be none, selective or full"));
}

bool flashOf(Section& s)
{
    const std::string text = s.text("attention");
    if (text != "flash" && text != "unfused") s.refuse("attention", i18n("must be flash or unfused"));
    return text == "flash";
}

AllToAllAlgorithm allToAllOf(Section& s)
{
    const std::string text = s.text("expert_alltoall", name(AllToAllAlgorithm::Forwarded));
    for (const AllToAllAlgorithm way : kAllToAllWays)
        if (text == name(way)) return way;
    s.refuse("expert_alltoall", i18n("must be direct, forwarded or deduplicated"));
}

Precision precisionOf(Section& s)
{
    const std::string text = s.text("precision", name(Precision::Bf16));
    for (const Precision p : kPrecisionList)
        if (text == name(p)) return p;
    s.refuse("precision", i18n("must be fp16, bf16, fp8 or fp4"));
}

void readCut(Section& s, Parallelism& cut)
{
    cut.tensor = s.integer("tensor", 1), cut.pipeline = s.integer("pipeline", 1), cut.context = s.integer("context", 1),
    cut.expert = s.integer("expert", 1);
    cut.virtualStages = s.integer("virtual_stages", 1), cut.microBatch = s.integer("micro_batch", 1);
}

void readPreset(const std::string& slug, Section& s, WorkloadLibrary& out)
{
    WorkloadLibrary::Preset preset{slug, s.text("title"), s.text("source"), {}};
    TrainingJob& job = preset.job;
    const auto* model = out.model(s.text("model"));
    if (!model) s.refuse("model", i18n("is not in models.yaml"));
    const auto* library = out.library(s.text("library"));
    if (!library) s.refuse("library", i18n("is not in libraries.yaml"));
    job.name = preset.title;
    job.model = model->model;
    job.libraryFactor = library->factor;
    readCut(s, job.cut);
    job.cut.data = job.cut.expert; // the smallest; fitToGpus() makes it as many as there is room for
    job.cut.microBatches = s.integer("micro_batches", 1);
    job.model.flashAttention = flashOf(s);
    job.recompute = recomputeOf(s);
    job.algorithms.shardedOptimizer = s.flag("sharded_optimizer", false);
    job.algorithms.shardedGradients = s.flag("sharded_gradients", false);
    job.algorithms.expert = allToAllOf(s);
    job.tokensToTrain = s.fact("tokens", "", 1, 1e18);
    if (const auto ok = checkJob(job); !ok) s.refuse("", errorText(ok.error()));
    out.presets.push_back(std::move(preset));
}

/// The model of a series or of one of its runs.
void readPublishedModel(Section& s, const WorkloadLibrary& library, TransformerModel& model)
{
    if (!s.has("model")) return;
    const auto* found = library.model(s.text("model"));
    if (!found) s.refuse("model", i18n("is not in models.yaml"));
    model = found->model;
    model.publishedParameters = 0;
}

/// What the runs of a series have in common: machine, software, model family.
PublishedRun readSeries(const std::string& slug, Section& s, const WorkloadLibrary& library)
{
    PublishedRun run;
    run.series = slug;
    run.title = s.text("title"), run.source = s.text("source");
    run.confidence = s.confidence();
    TrainingJob& job = run.job;
    if (const auto* found = library.accelerator(s.text("accelerator")))
        job.accelerator = found->accelerator;
    else
        s.refuse("accelerator", i18n("is not in accelerators.yaml"));
    run.hosts.nicGbps = s.fact("nic", "Gb/s", 1, 1e5);
    job.libraryFactor = s.fact("collectives", "share", 0.01, 1);
    job.overlap.gradient = s.fact("gradient_overlap", "share", 0, 1);
    job.overlap.expert = s.fact("expert_overlap", "share", 0, 1, 0);
    job.communicationProcessors = s.count("communication_processors", 1, 0);
    run.hosts.gpusPerHost = s.count("scale_up_domain", 1, run.hosts.gpusPerHost);
    job.model = {};
    readPublishedModel(s, library, job.model);
    job.model.publishedParameters = 0;
    job.model.vocabulary = s.integer("vocabulary", job.model.vocabulary);
    job.model.sequence = s.integer("sequence", job.model.sequence);
    job.model.flashAttention = flashOf(s);
    job.model.causalAttention = s.flag("causal", true);
    job.cut.sequenceParallel = s.flag("sequence_parallel", true);
    job.algorithms.shardedOptimizer = s.flag("sharded_optimizer", false);
    job.algorithms.expert = allToAllOf(s);
    return run;
}

PublishedRun readRun(const std::string& slug, Section& s, PublishedRun run, const WorkloadLibrary& library)
{
    run.slug = slug;
    run.calibration = s.flag("calibration", false);
    run.outside = s.text("outside", "");
    TransformerModel& m = run.job.model;
    const bool flash = m.flashAttention, causal = m.causalAttention;
    readPublishedModel(s, library, m);
    m.flashAttention = flash, m.causalAttention = causal;
    m.name = slug;
    run.job.precision = precisionOf(s);
    m.layers = s.integer("layers", m.layers), m.hidden = s.integer("hidden", m.hidden), m.heads = s.integer("heads", m.heads);
    m.sequence = s.integer("sequence", m.sequence);
    Parallelism& c = run.job.cut;
    readCut(s, c);
    const int gpus = s.integer("gpus", 0), batch = s.integer("batch", 0), replica = c.tensor * c.pipeline * c.context;
    c.data = std::max(1, gpus / replica);
    c.microBatches = std::max(1, batch / (c.data * c.microBatch));
    if (c.gpus() != gpus) s.refuse("gpus", i18n("are not tensor x pipeline x context x a whole number"));
    if (c.samplesPerIteration() != batch) s.refuse("batch", i18n("is not a whole number of micro-batches"));
    if (s.has("recompute")) run.job.recompute = recomputeOf(s);
    const auto measure = [&](const char* key, PublishedRun::Measure kind) {
        if (s.has(key)) run.measure = kind, run.published = s.number(key, 1e-3, 1e9);
    };
    measure("iteration_s", PublishedRun::Measure::IterationS);
    measure("hardware_tflops", PublishedRun::Measure::HardwareTflops);
    measure("tflops", PublishedRun::Measure::ModelTflops);
    measure("tokens_per_s", PublishedRun::Measure::TokensPerS);
    if (run.published <= 0) s.refuse("", i18n("has no published figure: iteration_s, hardware_tflops, tflops or tokens_per_s"));
    if (const auto ok = checkJob(run.job); !ok) s.refuse("", errorText(ok.error()));
    return run;
}

template <class List>
auto* found(const List& list, std::string_view slug)
{
    const auto at = std::ranges::find_if(list, [&](const auto& entry) { return entry.slug == slug; });
    return at == list.end() ? nullptr : &*at;
}

} // namespace

const WorkloadLibrary::AcceleratorEntry* WorkloadLibrary::accelerator(std::string_view slug) const { return found(accelerators, slug); }
const WorkloadLibrary::CollectiveLibrary* WorkloadLibrary::library(std::string_view slug) const { return found(libraries, slug); }
const WorkloadLibrary::ModelEntry* WorkloadLibrary::model(std::string_view slug) const { return found(models, slug); }
const WorkloadLibrary::Preset* WorkloadLibrary::preset(std::string_view slug) const { return found(presets, slug); }

const WorkloadLibrary::AcceleratorEntry* WorkloadLibrary::acceleratorOfServer(std::string_view server) const
{
    const auto at =
        std::ranges::find_if(accelerators, [&](const auto& entry) { return std::ranges::find(entry.servers, server) != entry.servers.end(); });
    return at == accelerators.end() ? nullptr : &*at;
}

Result<WorkloadLibrary> loadWorkloads(const std::filesystem::path& folder)
{
    WorkloadLibrary out;
    using Read = std::function<void(const std::string& slug, Section&)>;
    const std::tuple<const char*, const char*, Read> files[] = {
        {"accelerators.yaml", "accelerators", [&](const std::string& slug, Section& s) { readAccelerator(slug, s, out); }},
        {"libraries.yaml", "libraries",
         [&](const std::string& slug, Section& s) {
             out.libraries.push_back({slug, s.text("name"), s.fact("factor", "share", 0.01, 1)});
         }},
        {"models.yaml", "models", [&](const std::string& slug, Section& s) { readModel(slug, s, out); }},
        {"presets.yaml", "presets", [&](const std::string& slug, Section& s) { readPreset(slug, s, out); }},
        {"published.yaml", "series",
         [&](const std::string& series, Section& s) {
             const PublishedRun common = readSeries(series, s, out);
             s.section("rows").sections([&](const std::string& slug, Section& row) { out.published.push_back(readRun(slug, row, common, out)); });
         }},
    };
    for (const auto& [file, top, read] : files)
        if (const auto done = readYamlFile(folder / file, i18n("reinstall Hallwright, or specify the workload data folder"),
                                           [&, top = top, &read = read](YamlKeys& all) { Section(all.under(top), out.facts).sections(read); });
            !done)
            return tl::unexpected(done.error());
    return out;
}

Result<Accelerator> designAccelerator(const WorkloadLibrary& library, const WorkloadFabric& fabric)
{
    const auto* entry = library.acceleratorOfServer(fabric.serverType);
    if (!entry)
        return fail(ErrorCode::Refused, "accelerator",
                    i18n("no compute data for the accelerators of server type \"{}\" (resources/workloads/accelerators.yaml)", fabric.serverType),
                    i18n("specify an accelerator by name, or add an entry for this server type"));
    Accelerator a = entry->accelerator;
    for (std::size_t p = 0; p < a.peakFlops.size(); ++p)
        if (fabric.peakFlops[p] > 0) a.peakFlops[p] = fabric.peakFlops[p];
    if (fabric.scaleUpGbps > 0) a.scaleUpGbps = fabric.scaleUpGbps;
    return a;
}

Result<Accelerator> designScaleUp(const WorkloadLibrary& library, const WorkloadFabric& fabric)
{
    auto known = designAccelerator(library, fabric);
    if (known || !(fabric.scaleUpGbps > 0)) return known;
    Accelerator a;
    a.name = fabric.serverType;
    a.peakFlops = fabric.peakFlops;
    a.scaleUpGbps = fabric.scaleUpGbps;
    return a;
}

} // namespace training
} // namespace hw::sim
