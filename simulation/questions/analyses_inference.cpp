// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/inference.h"
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"
#include "simulation/questions/model_fields.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

struct InferenceQuestion {
    InferenceCase c;
    std::vector<int> domains;
    int mostGpus = 256;
};

/// Shape of a model of the library. One without grouped queries keeps the number of key-value heads of the case: such models are served with them.
void takeShape(InferenceCase& c, const TransformerModel& model)
{
    const ParameterCount count = countParameters(model);
    c.parameters = count.total(), c.activeParameters = count.active;
    c.layers = model.layers, c.hidden = model.hidden;
    if (model.keyValueHeads > 0) c.keyValueHeads = model.keyValueHeads;
    c.headSize = model.headWidth > 0 ? model.headWidth : double(model.hidden) / std::max(1, int(model.heads));
}

Form<InferenceQuestion> inferenceForm()
{
    using Q = InferenceQuestion;
    using C = InferenceCase;
    const C d;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.c.*member; };
    };
    Form<Q> form;
    form.take(text("model", nullptr, modelSlugs(),
                   i18n("model whose shape is used (default: 1.8T mixture of experts with 280B active parameters); keys below override it")),
              [](Q& q, const Json& value) { takeShape(q.c, workloadLibrary()->model(value.get<std::string>())->model); })
        .to(of(&C::parameters), number("parameters", "", nullptr, 1e6, 1e16, i18n("total parameters of the model (default: 1.8e12)")))
        .to(of(&C::activeParameters), number("active_parameters", "", nullptr, 1e6, 1e16, i18n("parameters active per token (default: 2.8e11)")))
        .to(of(&C::layers), number("layers", "", nullptr, 1, 10000, i18n("layers (default: 120)")))
        .to(of(&C::hidden), number("hidden", "", nullptr, 1, 1e6, i18n("hidden size (default: 16384)")))
        .to(of(&C::keyValueHeads), number("key_value_heads", "", nullptr, 1, 10000, i18n("number of key-value heads (default: 8)")))
        .to(of(&C::headSize), number("head_size", "", nullptr, 1, 10000, i18n("attention head dimension (default: 128)")))
        .to(of(&C::bytesPerParameter), number("bytes_per_parameter", "B", d.bytesPerParameter, 0.1, 16, i18n("weight precision; 1: FP8")))
        .to(of(&C::bytesPerKeyValue), number("bytes_per_key_value", "B", d.bytesPerKeyValue, 0.1, 16, i18n("KV cache precision")))
        .to(of(&C::bytesPerActivation),
            number("bytes_per_activation", "B", d.bytesPerActivation, 0.1, 16, i18n("precision of activations sent between GPUs")))
        .scaled(of(&C::gpuMemoryBytes), 1e9, number("gpu_memory_gbytes", "GB", d.gpuMemoryBytes / 1e9, 1, 1e5, i18n("memory of a GPU")))
        .scaled(of(&C::memoryBytesPerS), 1e9, number("memory_gbytes_per_s", "GB/s", d.memoryBytesPerS / 1e9, 1, 1e6, i18n("memory bandwidth")))
        .scaled(of(&C::peakFlops), 1e12,
                number("peak_tflops", "TFLOP/s", d.peakFlops / 1e12, 1, 1e6, i18n("dense peak rate at the precision of the weights")))
        .to(of(&C::memoryShare), number("memory_share", "", d.memoryShare, 0.1, 1, i18n("share of GPU memory for weights and KV cache")))
        .to(of(&C::memoryEfficiency),
            number("memory_efficiency", "", d.memoryEfficiency, 0.05, 1, i18n("achieved share of memory bandwidth (assumed)")))
        .to(of(&C::efficiency), number("compute_efficiency", "", d.efficiency, 0.05, 1, i18n("achieved share of the peak rate (assumed)")))
        .to(of(&C::kwPerGpu), number("kw_per_gpu", "kW", d.kwPerGpu, 0.01, 100, i18n("power per GPU, including its share of host and rack")))
        .to(&Q::domains, integers("domains_gpus", {8, 36, 72, 128, 256}, 1, 1e5, i18n("scale-up domains to compare")))
        .to(&Q::mostGpus, integer("max_gpus", 256, 1, 1e5, i18n("largest replica: tensor times expert parallelism")))
        .scaled(of(&C::insideBytesPerS), 1e9,
                number("inside_gbytes_per_s", "GB/s", d.insideBytesPerS / 1e9, 0.1, 1e6, i18n("bandwidth of a GPU within the domain")))
        .scaled(of(&C::outsideBytesPerS), 1e9,
                number("outside_gbytes_per_s", "GB/s", d.outsideBytesPerS / 1e9, 0.1, 1e6, i18n("bandwidth of a GPU beyond the domain")))
        .scaled(of(&C::insideS), 1e-6,
                number("inside_us", "µs", d.insideS * 1e6, 0, 1e6, i18n("latency of a collective within the domain (assumed)")))
        .scaled(of(&C::outsideS), 1e-6,
                number("outside_us", "µs", d.outsideS * 1e6, 0, 1e6, i18n("latency of a collective beyond the domain (assumed)")))
        .to(of(&C::promptTokens), number("prompt_tokens", "", d.promptTokens, 1, 1e7, i18n("input tokens per request")))
        .to(of(&C::answerTokens), number("answer_tokens", "", d.answerTokens, 1, 1e7, i18n("output tokens per request")))
        .to(of(&C::firstTokenS), number("first_token_s", "s", d.firstTokenS, 1e-3, 1e4, i18n("latency budget for the first token")))
        .to(of(&C::tokenS), number("token_s", "s", d.tokenS, 1e-4, 1e3, i18n("latency budget for each subsequent token")));
    return form;
}

Text inferenceVerdict(const Json& best, const Json& flat, const Json& gain, int first)
{
    if (best.is_null()) return i18n("No replica meets the latency budget in any of these scale-up domains.");
    const int domain = best["domain_gpus"].get<int>();
    const double perGpu = best["tokens_per_s_per_gpu"].get<double>(), perMw = best["tokens_per_s_per_mw"].get<double>();
    const Text rate = gain.is_null() || domain == first ? i18n("{:.0Lf} per GPU", perGpu)
                                                        : i18n("{:.0Lf} per GPU ({:.3g} times a domain of {:L})", perGpu, gain.get<double>(), first);
    const Text most = i18n("Most tokens per second with a scale-up domain of {:L} GPUs: {}, {:.0Lf} per MW; an answer takes {:.3g} s.", domain, rate,
                           perMw, best["answer_s"].get<double>());
    return flat.is_null() ? most : i18n("{} No further gain above {:L} GPUs.", most, flat.get<int>());
}

Result<ScenarioOutcome> runInference(InferenceQuestion q)
{
    if (q.c.activeParameters > q.c.parameters)
        return fail(ErrorCode::Refused, "active_parameters", i18n("exceeds parameters"), i18n("correct the value"));
    Json rows = Json::array(), best;
    std::vector<Text> notes;
    const auto straddle = [&](const InferencePoint& point, int domain) {
        if (point.straddles)
            notes.push_back(
                i18n("A replica of {:L} GPUs straddles {:L} scale-up domains of {:L}.", point.gpus, (point.gpus + domain - 1) / domain, domain));
    };
    for (const int domain : q.domains) {
        q.c.domainGpus = domain;
        const auto point = bestReplica(q.c, q.mostGpus);
        Json row = {{"domain_gpus", domain}, {"reached", point.has_value()}};
        if (point) {
            straddle(*point, domain);
            row.update({{"replica_gpus", point->gpus},
                        {"straddles", point->straddles},
                        {"batch", point->batch},
                        {"first_token_s", point->prefillS},
                        {"token_s", point->stepS},
                        {"answer_s", point->answerS},
                        {"tokens_per_s_per_gpu", point->tokensPerSPerGpu},
                        {"tokens_per_s_per_kw", point->tokensPerSPerKw},
                        {"tokens_per_s_per_mw", point->tokensPerSPerKw * 1000},
                        {"communication_share", point->communicationShare}});
            if (best.is_null() || row["tokens_per_s_per_kw"] > best["tokens_per_s_per_kw"]) best = row;
        }
        rows.push_back(std::move(row));
    }
    const InferencePoint one = inferenceOn(q.c, q.mostGpus);
    Json flat;
    for (auto row = rows.rbegin(); row != rows.rend() && !best.is_null(); ++row) { // largest domains last, as they are given
        if (!(*row)["reached"].get<bool>() || (*row)["tokens_per_s_per_gpu"] != best["tokens_per_s_per_gpu"]) break;
        flat = (*row)["domain_gpus"];
    }
    Json gain;
    if (!best.is_null() && rows.front()["reached"].get<bool>())
        gain = best["tokens_per_s_per_gpu"].get<double>() / rows.front()["tokens_per_s_per_gpu"].get<double>();
    notes.push_back(
        i18n("Roofline of prefill and decode: compute or memory time, whichever is longer, plus two all-reduces per layer; no "
             "overlap. For each domain: replica size (a power of 2, 9 times one, or the domain) with the most tokens per second per GPU within the "
             "latency budget."));
    notes.push_back(i18n("Efficiencies, latencies and power are assumed; compare domains, not absolute rates."));
    return answer({{"verdict", inferenceVerdict(best, flat, gain, rows.front()["domain_gpus"].get<int>())},
                   {"weights_bytes", q.c.parameters * q.c.bytesPerParameter},
                   {"key_value_bytes_per_request", one.keyValueBytesPerRequest},
                   {"best", best},
                   {"flat_from_gpus", flat},
                   {"gain_over_first_domain", gain},
                   {"domains", rows}},
                  std::move(notes));
}

} // namespace

Analysis inferenceAnalysis()
{
    const auto form = inferenceForm();
    return {"inference", i18n("Inference by scale-up domain: replica, batch, latency of prefill and decode, tokens per second per GPU, kW and MW"),
            form.fields(), [form](const Json& p, const Progress&) { return runInference(form.read(p)); }};
}

} // namespace questions
} // namespace hw::sim
