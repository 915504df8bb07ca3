// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/aicb_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr std::string_view kPolicy = "HYBRID_TRANSFORMER_FWD_IN_BCKWD";
struct Policy {
    std::string_view text;
    AicbPolicy policy;
    bool forwardInBackward;
};
constexpr std::array kPolicies{Policy{kPolicy, AicbPolicy::Transformer, true}, Policy{"HYBRID_TRANSFORMER", AicbPolicy::Transformer, false},
                               Policy{"DATA", AicbPolicy::Data, false}, Policy{"MODEL", AicbPolicy::Model, false},
                               Policy{"MICRO", AicbPolicy::Micro, false}};
/// Their groups are dimensions of the simulator's network, which no design has.
constexpr std::array<std::string_view, 6> kByDimension{"HYBRID_DATA_MODEL",    "HYBRID_MODEL_DATA", "HYBRID_DLRM",
                                                       "HYBRID_DLRM_ENHANCED", "HYBRID_CUSTOMIZED", "DISTRIBUTED_INFERENCE"};
constexpr std::size_t kColumns = 12;
constexpr std::size_t kMostLayers = 10'000'000;

struct Name {
    std::string_view text;
    AicbCollective collective;
};
constexpr std::array kNames{Name{"ALLREDUCE", AicbCollective::AllReduce}, Name{"ALLGATHER", AicbCollective::AllGather},
                            Name{"REDUCESCATTER", AicbCollective::ReduceScatter}, Name{"ALLTOALL", AicbCollective::AllToAll},
                            Name{"BROADCAST", AicbCollective::Broadcast}};

std::vector<std::string_view> words(std::string_view line)
{
    constexpr std::string_view kBlank = " \t\r";
    std::vector<std::string_view> out;
    for (std::size_t at = line.find_first_not_of(kBlank); at != std::string_view::npos; at = line.find_first_not_of(kBlank, at)) {
        const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
        out.push_back(line.substr(at, end - at));
        at = end;
    }
    return out;
}

class Reader {
public:
    Reader(std::string_view text, const std::string& where) : m_rest(text), m_where(where) {}

    Result<AicbWorkload> read()
    {
        header();
        std::size_t layers = 0;
        if (!m_failed) layers = count();
        for (std::size_t i = 0; i < layers && !m_failed; ++i) layer(i, layers);
        for (std::string_view line; !m_failed && next(line);)
            if (!words(line).empty()) refuse(i18n("exceeds the layer count of the file"), i18n("correct line 2"));
        if (m_failed) return tl::unexpected(m_error);
        return std::move(m_out);
    }

private:
    bool next(std::string_view& line)
    {
        if (m_rest.empty()) return false;
        const std::size_t end = std::min(m_rest.find('\n'), m_rest.size());
        line = m_rest.substr(0, end);
        m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
        ++m_line;
        return true;
    }

    void refuse(Text what, Text todo)
    {
        if (m_failed) return;
        m_failed = true;
        m_error = {ErrorCode::Unreadable, fmt::format("{}:{}", m_where, std::max(m_line, 1)), std::move(what), std::move(todo)};
    }

    template <class T, class What>
    T number(std::string_view word, What what, T least = 0)
    {
        T value{};
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        // AICB writes sizes that come out of a division as "1234.0"
        const std::string_view rest(end, std::size_t(word.data() + word.size() - end));
        const bool whole = rest.empty() || (rest.front() == '.' && rest.find_first_not_of('0', 1) == std::string_view::npos);
        if (code != std::errc{} || !whole || value < least)
            refuse(i18n("{} \"{}\" is not a whole number of {} or more", what, word, least), i18n("correct the value"));
        return value;
    }

    void header()
    {
        std::string_view line;
        if (!next(line)) return refuse(i18n("file is empty"), i18n("specify an AICB workload"));
        const auto list = words(line);
        const auto* policy = list.empty() ? kPolicies.end() : std::ranges::find(kPolicies, list[0], &Policy::text);
        if (!list.empty() && std::ranges::find(kByDimension, list[0]) != kByDimension.end())
            return refuse(i18n("{} communicates along dimensions of the simulated network, which a design does not have", list[0]),
                          i18n("specify a HYBRID_TRANSFORMER, DATA, MODEL or MICRO workload"));
        if (policy == kPolicies.end()) return refuse(i18n("does not start with {}", kPolicy), i18n("specify an AICB training workload"));
        m_out.policy = policy->policy, m_out.forwardInBackward = policy->forwardInBackward;
        for (std::size_t i = 1; i < list.size() && !m_failed; i += 2) {
            std::string_view key = list[i];
            if (key.ends_with(':')) key.remove_suffix(1);
            if (i + 1 == list.size()) return refuse(i18n("{} has no value", key), i18n("add it"));
            value(key, list[i + 1]);
            if (key == "checkpoints") i += numbers(list, i + 2, m_out.checkpoints, m_out.checkpointLayers);
            if (key == "checkpoint_initiates") i += numbers(list, i + 2, m_out.checkpointInitiates, m_out.initiateLayers);
        }
    }

    /// Layers behind a count, as far as they are there: older files have the count alone. Returns how many.
    std::size_t numbers(const std::vector<std::string_view>& list, std::size_t at, int most, std::vector<std::int64_t>& out)
    {
        const std::size_t from = at;
        for (; at < list.size() && std::int64_t(at - from) < most && list[at].find_first_not_of("0123456789") == list[at].npos; ++at)
            out.push_back(number<std::int64_t>(list[at], "layer"));
        return at - from;
    }

    void value(std::string_view key, std::string_view word)
    {
        if (key == "model_parallel_NPU_group")
            m_out.tensor = number<int>(word, "model_parallel_NPU_group", 1);
        else if (key == "ep")
            m_out.expert = number<int>(word, "ep", 1);
        else if (key == "pp")
            m_out.pipeline = number<int>(word, "pp", 1);
        else if (key == "vpp")
            m_out.virtualPipeline = number<int>(word, "vpp", 1);
        else if (key == "ga")
            m_out.gradientAccumulation = number<int>(word, "ga", 1);
        else if (key == "all_gpus")
            m_out.gpus = number<std::int64_t>(word, "all_gpus", 1);
        else if (key == "checkpoints")
            m_out.checkpoints = number<int>(word, "checkpoints");
        else if (key == "checkpoint_initiates")
            m_out.checkpointInitiates = number<int>(word, "checkpoint_initiates");
        else if (key == "pp_comm")
            m_out.pipelineBytes = number<std::uint64_t>(word, "pp_comm");
        else
            refuse(i18n("\"{}\" is not a valid header key", key),
                   i18n("use model_parallel_NPU_group, ep, pp, vpp, ga, all_gpus, checkpoints, checkpoint_initiates, pp_comm"));
    }

    std::size_t count()
    {
        std::string_view line;
        if (!next(line)) {
            refuse(i18n("file ends before the number of layers"), i18n("add it on line 2"));
            return 0;
        }
        const auto list = words(line);
        if (list.size() != 1) {
            refuse(i18n("is not a number of layers"), i18n("use a single number"));
            return 0;
        }
        const auto n = number<std::uint64_t>(list[0], TextId("number of layers"), 1);
        if (n > kMostLayers) refuse(i18n("too many layers"), i18n("correct the number"));
        return std::size_t(n);
    }

    void layer(std::size_t i, std::size_t of)
    {
        std::string_view line;
        if (!next(line)) return refuse(i18n("file ends after {} of {} layers", i, of), i18n("add the missing layers, or correct line 2"));
        const auto list = words(line);
        if (list.size() != kColumns) return refuse(i18n("has {} columns", list.size()), i18n("use {}", kColumns));
        AicbLayer l;
        l.id = std::string(list[0]);
        l.dependency = number<std::int64_t>(list[1], TextId("dependency"), std::numeric_limits<std::int64_t>::min());
        l.forward = pass(list[2], list[3], list[4]);
        l.inputGradient = pass(list[5], list[6], list[7]);
        l.weightGradient = pass(list[8], list[9], list[10]);
        l.updateNs = number<std::uint64_t>(list[11], TextId("update time"));
        m_out.layers.push_back(std::move(l));
    }

    AicbPass pass(std::string_view compute, std::string_view communication, std::string_view bytes)
    {
        AicbPass p;
        p.computeNs = number<std::uint64_t>(compute, TextId("compute time"));
        p.communication.bytes = number<std::uint64_t>(bytes, TextId("size"));
        if (communication == "NONE") return p;
        p.communication.none = false;
        if (communication.ends_with("_DP_EP"))
            p.communication.group = AicbGroup::ExpertData, communication.remove_suffix(6);
        else if (communication.ends_with("_EP"))
            p.communication.group = AicbGroup::Expert, communication.remove_suffix(3);
        const auto* found = std::ranges::find(kNames, communication, &Name::text);
        if (found == kNames.end())
            refuse(i18n("\"{}\" is not a valid collective", communication),
                   i18n("use NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL or BROADCAST, with _EP or _DP_EP"));
        else
            p.communication.collective = found->collective;
        return p;
    }

    std::string_view m_rest;
    const std::string& m_where;
    int m_line = 0;
    bool m_failed = false;
    Error m_error;
    AicbWorkload m_out;
};

std::string nameOf(const AicbCommunication& c)
{
    if (c.none) return "NONE";
    const auto* found = std::ranges::find(kNames, c.collective, &Name::collective);
    const char* suffix = c.group == AicbGroup::Expert ? "_EP" : c.group == AicbGroup::ExpertData ? "_DP_EP" : "";
    return std::string(found->text) + suffix;
}

std::string passText(const AicbPass& p) { return fmt::format("\t{}\t{}\t{}", p.computeNs, nameOf(p.communication), p.communication.bytes); }

} // namespace

bool looksLikeAicb(std::string_view text)
{
    const auto list = words(text.substr(0, std::min({text.find('\n'), text.size(), std::size_t(4096)})));
    if (list.empty()) return false;
    if (std::ranges::find(kByDimension, list[0]) != kByDimension.end()) return true;
    return std::ranges::find(kPolicies, list[0], &Policy::text) != kPolicies.end() &&
           (list.size() == 1 || list[1].starts_with("model_parallel_NPU_group"));
}

Result<AicbWorkload> parseAicb(std::string_view text, const std::string& where) { return Reader(text, where).read(); }

std::string toText(const AicbWorkload& w)
{
    const auto* policy = std::ranges::find_if(kPolicies, [&](const Policy& p) {
        return p.policy == w.policy && (w.policy != AicbPolicy::Transformer || p.forwardInBackward == w.forwardInBackward);
    });
    std::string out = fmt::format("{} model_parallel_NPU_group: {} ep: {} pp: {} vpp: {} ga: {}", policy->text, w.tensor, w.expert, w.pipeline,
                                  w.virtualPipeline, w.gradientAccumulation);
    if (w.gpus > 0) out += fmt::format(" all_gpus: {}", w.gpus);
    out += fmt::format(" checkpoints: {}", w.checkpoints);
    for (const auto layer : w.checkpointLayers) out += fmt::format(" {}", layer);
    out += fmt::format(" checkpoint_initiates: {}", w.checkpointInitiates);
    for (const auto layer : w.initiateLayers) out += fmt::format(" {}", layer);
    if (w.pipelineBytes > 0) out += fmt::format(" pp_comm: {}", w.pipelineBytes);
    out += fmt::format("\n{}\n", w.layers.size());
    for (const AicbLayer& l : w.layers)
        out += fmt::format("{}\t{}{}{}{}\t{}\n", l.id, l.dependency, passText(l.forward), passText(l.inputGradient), passText(l.weightGradient),
                           l.updateNs);
    return out;
}

} // namespace hw::importers
