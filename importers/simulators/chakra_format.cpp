// SPDX-License-Identifier: GPL-3.0-or-later
// Chakra execution traces: looked at here, played by the scenario `chakra` (simulation/training).
#include "importers/simulators/simulators.h"
#include "simulation/training/chakra_trace.h"

#include <array>
#include <fstream>
#include <iterator>

namespace hw::importers {

namespace {

class ChakraImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"chakra", i18n("Chakra execution trace (.et) of one rank, for 'simulate --scenario chakra'; --dry-run shows its contents")};
    }
    bool probe(const exchange::ImportSource& source) const override
    {
        return source.path.filename().string().find(".et") != std::string::npos && looksLikeChakra(source.content);
    }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress&) const override
    {
        // The bytes as they are: what was read as text may have been converted.
        std::ifstream in(source.path, std::ios::binary);
        const std::string bytes = in ? std::string{std::istreambuf_iterator<char>(in), {}} : source.content;
        const auto trace = readChakra(bytes, source.path.string());
        if (!trace) return tl::unexpected(trace.error());
        exchange::ImportPlan plan;
        plan.name = i18n("Chakra trace {}", source.path.filename().string());
        plan.base = base;
        std::array<std::size_t, 5> counts{};
        double computeS = 0, bytesSent = 0;
        std::size_t bare = 0;
        for (const auto& node : trace->nodes) {
            ++counts[std::size_t(node.kind)];
            computeS += node.onCpu ? 0 : double(node.durationMicros) * 1e-6 * double(node.kind == ChakraKind::Compute);
            bytesSent += double(node.bytes);
            bare += node.kind == ChakraKind::Compute && !node.onCpu && node.durationMicros == 0;
        }
        plan.facts.push_back(i18n("schema {}: {:L} nodes; {:L} compute, {:L} collectives, {:L} sends, {:L} receives", trace->version,
                                  trace->nodes.size(), counts[1], counts[4], counts[2], counts[3]));
        plan.facts.push_back(i18n("{:.6f} s of computation, {:.3f} GB of communication", computeS, bytesSent / 1e9));
        if (bare > 0)
            plan.issues.push_back(
                {source.path.string(), i18np(std::int64_t(bare), "{:L} compute node has no duration: its operations run at the accelerator's peak",
                                             "{:L} compute nodes have no duration: their operations run at the accelerator's peak")});
        return plan;
    }
};

} // namespace

std::unique_ptr<exchange::Importer> chakraImporter() { return std::make_unique<ChakraImporter>(); }

} // namespace hw::importers
