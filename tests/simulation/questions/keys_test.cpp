// SPDX-License-Identifier: GPL-3.0-or-later
// No key is accepted and ignored: every parameter of every kind changes the answer, and is refused where it cannot.
#include "simulation/questions/design_variant.h"
#include "simulation/questions/scenario_kind.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

using namespace hw;
using namespace hw::sim;

namespace {

/// What a kind needs to be asked quickly, and where a key needs company or a value of its own to show what it does.
struct Hint {
    Json with = Json::object();    ///< beside the key
    std::vector<Json> values = {}; ///< to try; empty: made from the field
};

Json parse(const char* text) { return Json::parse(text); }

const std::map<std::string, Json>& bases()
{
    static const std::map<std::string, Json> all = {
        {"scaling", parse(R"({"sizes": [1920, 3840]})")},
        {"bandwidth", parse(R"({"hosts": [2, 48], "bytes": [1e6, 1e9]})")},
        {"job-mix", parse(R"({"jobs": 60, "policies": ["fair"]})")},
        {"jobs",
         parse(
             R"({"policies": ["fair", "priority"], "jobs": [{"gpus": 512, "placement": "alternating-segments"}, {"gpus": 512, "placement": "alternating-segments"}]})")},
        {"design-goodput", parse(R"({"failures": 2000})")},
        {"goodput", parse(R"({"failures": 2000})")},
        {"hall-air", parse(R"({"cells": 2000})")},
        {"fault-prediction", parse(R"({"gpus": 1600, "days": 90, "thresholds": [0.3]})")},
        {"cross-site",
         parse(
             R"({"sites": [{"name": "az-1", "gpus": 2048}, {"name": "az-2", "gpus": 3072}], "links": [{"km": 60}], "jobs": [{"gpus": 1024}, {"gpus": 3584}]})")},
        {"spot", parse(R"({"draws": 100, "work_h": 500})")},
        {"priority", parse(R"({"phases": 2, "measure_s": 100, "warm_up_s": 20})")},
        {"dual-plane", parse(R"({"seeds": 4, "connections": [2, 4]})")},
        {"rail-locality", parse(R"({"seeds": 4})")},
        {"sub-flows", parse(R"({"seeds": 2, "hosts": 4, "subflows": [4]})")},
        {"core-hash", parse(R"({"seeds": 20})")},
        {"silent-fault", parse(R"({"draws": 20})")},
        {"training-failure", parse(R"({"gpus": 1920})")},
        {"storage-flows", parse(R"({"hosts": 16})")},
        {"image-pull", parse(R"({"hosts": 16})")},
        {"inference-flows", parse(R"({"hosts": 16})")},
    };
    return all;
}

const std::map<std::string, Hint>& hints()
{
    const Json moe = parse(R"({"preset": "moe-1.8t"})"), spread = parse(R"({"placement": "alternating-segments"})");
    const auto plus = [](Json a, const Json& b) {
        a.update(b);
        return a;
    };
    static std::map<std::string, Hint> all;
    if (!all.empty()) return all;
    for (const std::string kind : {"training", "scaling", "pod-crossing", "training-failure"}) {
        const Json crossing = kind == "pod-crossing" ? Json::object() : spread;
        all[kind + ".expert"] = {moe, {8, 4}};
        all[kind + ".keep_in_domains"] = {parse(R"({"tensor": 6, "sequence_parallel": false})"), {false}}; // six of eight GPUs of a host
        all[kind + ".model.parameters"] = {Json::object(), {1e9}};
        all[kind + ".expert_alltoall"] = {plus(moe, parse(R"({"tensor": 4})")), {"direct"}};                           // its ranks share hosts
        all[kind + ".tensor_allreduce"] = {parse(R"({"tensor": 16})"), {"tree", "flat-ring", "ring", "hierarchical"}}; // it leaves the host
        all[kind + ".model.hidden"] = {Json::object(), {24576, 6144}};
        all[kind + ".gpus"] = {Json::object(), {3072, 1024}};
        all[kind + ".context"] = {Json::object(), {2}};
        all[kind + ".overlap.expert"] = {moe, {0.5, 1}};
        all[kind + ".overlap.context"] = {parse(R"({"context": 2})"), {0}};
        all[kind + ".overlap.gradient"] = {crossing, {0, 1}};
        all[kind + ".model.top_k"] = {moe, {4, 1}};
        all[kind + ".model.experts"] = {moe, {32}};
        all[kind + ".model.expert_every"] = {moe, {2}};
        all[kind + ".model.dense_first"] = {moe, {8}};
        all[kind + ".model.expert_feed_forward"] = {moe, {10752}};
        all[kind + ".model.shared_feed_forward"] = {moe, {10752}};
        all[kind + ".model.node_limit"] = {plus(moe, parse(R"({"expert_alltoall": "deduplicated"})")), {1}};
        all[kind + ".model.head_width"] = {Json::object(), {256}};
        all[kind + ".sharded_gradients"] = {Json::object(), {true}};
        all[kind + ".model.heads"] = {parse(R"({"model": {"attention": "unfused"}})"), {48, 192}}; // FlashAttention counts their total width alone
        all[kind + ".virtual_stages"] = {Json::object(), {2}};
        all[kind + ".seed"] = {crossing, {7, 8, 9}};
        all[kind + ".connections_per_port"] = {crossing, {4, 16}};
        all[kind + ".routing"] = {crossing, {"disjoint", "spray"}};
        all[kind + ".failed_links"] = {crossing, {400, 2000}};
        all[kind + ".rank_order"] = {Json::object(), {"tp-pp-cp-ep-dp"}};
        all[kind + ".xlink_domain_gpus"] = {Json::object(), {16, 32}};
        all[kind + ".placement_seed"] = {parse(R"({"placement": "random"})"), {5, 6, 7}};
        all[kind + ".gradient_allreduce"] = {parse(R"({})"), {"tree", "hierarchical"}};
        all[kind + ".sharded_optimizer"] = {parse(R"({})"), {false}};
    }
    for (const char* key : {"carrier_s", "arp_s"}) all[std::string("training-failure.") + key] = {parse(R"({"fault": "nic"})"), {0.7}};
    all["training-failure.bgp_s"] = {plus(spread, parse(R"({"fault": "tor"})")), {5}};
    all["training-failure.nic"] = {plus(spread, parse(R"({"fault": "tor"})")), {2, 3}};
    all["training-failure.host"] = {plus(spread, parse(R"({"fault": "tor"})")), {2, 3}};
    all["training-failure.port"] = {Json::object(), {2}};
    all["training-failure.uplink"] = {spread, {2, 3, 4}};
    all["training-failure.repair_s"] = {Json::object(), {3}};
    all["training-failure.up_s"] = {parse(R"({"times": 2})"), {7}};
    all["training-failure.collective_timeout_s"] = {parse(R"({"fault": "host"})"), {50}};
    all["training-failure.restart_s"] = {parse(R"({"fault": "host"})"), {50}};
    all["training-failure.save_every_s"] = {parse(R"({"fault": "host"})"), {3}};
    all["hall-air.cells"] = {Json::object(), {4000}};
    all["hall-air.leakage_percent"] = {Json::object(), {4}};
    all["hall-air.rack_fan_pa"] = {Json::object(), {20}};
    all["failure.bgp_s"] = {parse(R"({"segments": 2, "ring": "alternating-segments"})"), {5}};
    all["failure.ring"] = {parse(R"({"segments": 2})"), {}};
    all["failure.segments"] = {Json::object(), {2}};
    all["failure.pod"] = {Json::object(), {3}}; // pods are alike: one that is not there is refused by name
    all["failure.restart_s"] = {parse(R"({"fault": "nic", "down_s": 121, "until_s": 1000})"), {50}};
    all["failure.collective_timeout_s"] = {parse(R"({"fault": "nic"})"), {30}};
    all["failure.plane"] = {parse(R"({"fault": "plane"})"), {9}}; // planes are alike: one that is not there is refused by name
    all["failure.repair_s"] = {Json::object(), {3}};
    all["silent-fault.pod"] = all["sub-flows.pod"] = all["dual-plane.pod"] = {Json::object(), {3}};
    all["silent-fault.from_segment"] = all["sub-flows.from_segment"] = all["dual-plane.from_segment"] = {Json::object(), {2, 9}};
    all["silent-fault.to_segment"] = all["sub-flows.to_segment"] = all["dual-plane.to_segment"] = {Json::object(), {1, 9}};
    all["dual-plane.nic"] = {Json::object(), {3, 20}};
    all["dual-plane.connections"] = {Json::object(), {parse("[8]")}};
    all["core-hash.from_pod"] = {Json::object(), {2, 5}};
    all["core-hash.to_pod"] = {Json::object(), {1, 5}};
    all["core-hash.second_from_pod"] = {Json::object(), {2, 5}};
    all["core-hash.core"] = {Json::object(), {2, 9999}};
    all["cross-pod.pods"] = {Json::object(), {3}};
    all["cross-pod.tensor_parallel"] = {Json::object(), {4}};
    all["cross-pod.pipeline_stages"] = {Json::object(), {4, 16}};
    all["cross-pod.seed"] = {Json::object(), {5}};
    all["ring-allreduce.seed"] = all["ring-allreduce.flows_per_port"] = all["ring-allreduce.equal_hash_seeds"] =
        all["ring-allreduce.path_selection"] = all["ring-allreduce.rate_control"] = {parse(R"({"flows_per_port": 2})"), {}};
    all["ring-allreduce.flows_per_port"] = {Json::object(), {2, 4}};
    all["ring-allreduce.rate_control"] = all["permutation.rate_control"] = {parse(R"({"flows_per_port": 4, "variant": "single-plane"})"), {}};
    all["scaling.sizes"] = {Json::object(), {parse("[2048]")}};
    const Json wide = parse(R"({"collective": "all-to-all", "hosts": [48], "placement": "alternating-segments"})");
    for (const char* key : {"variant", "seed", "routing", "connections_per_port"}) all[std::string("bandwidth.") + key] = {wide, {}};
    all["bandwidth.failed_links"] = {wide, {400, 2000}};
    all["bandwidth.pods"] = all["bandwidth.segments"] = {wide, {parse("[1]")}};
    for (const char* kind : {"ring-allreduce", "permutation", "training", "scaling", "bandwidth", "pod-crossing", "aicb", "chakra", "job-mix", "jobs",
                             "training-failure", "dual-plane", "failure", "silent-fault", "sub-flows", "cross-pod", "rail-locality", "core-hash"})
        all[std::string(kind) + ".failed"] = {Json::object(), {parse(R"(["pod1-seg01-tor-rail1-plane1"])"), parse(R"(["spine-pod1-plane2"])")}};
    for (const char* kind : {"storage-flows", "image-pull", "inference-flows"})
        all[std::string(kind) + ".failed"] = {Json::object(), {parse(R"(["pod1-seg01-fe-tor1"])")}};
    all["inference-flows.first_token_s"] = {Json::object(), {1e-3}};
    all["bandwidth.failed"].with = wide;
    all["aicb.gpus"] = {Json::object(), {3072}};
    all["aicb.routing"] = {Json::object(), {"disjoint", "spray"}};
    all["aicb.failed_links"] = all["chakra.failed_links"] = {Json::object(), {400, 2000}};
    for (const std::string kind : {"ring-allreduce", "permutation"})
        all[kind + ".pods"] = {Json::object(), {parse("[1]")}}, all[kind + ".segments"] = {Json::object(), {parse("[1]")}};
    all["job-mix.policies"] = {Json::object(), {parse(R"(["fair", "intensity"])")}};
    all["jobs.policies"] = {Json::object(), {parse(R"(["intensity"])")}};
    Json hosts = Json::array();
    for (int h = 1; h <= 64; ++h) hosts.push_back(h <= 32 ? h : h + 96); // half of them in the second segment
    all["jobs.jobs[0].hosts"] = {parse(R"({"jobs": [{"gpus": 512}]})"), {hosts}};
    all["jobs.until_s"] = {Json::object(), {1000, 5000}};
    for (const std::string kind : {"job-mix", "jobs"}) {
        const std::string entry = kind == "jobs" ? ".jobs[0]" : ".classes[0]";
        const auto with = [&](const char* text) { return Json{{kind == "jobs" ? "jobs" : "classes", Json::array({parse(text)})}}; };
        const Json experts = with(R"({"gpus": 1920, "preset": "moe-1.8t"})");
        all[kind + entry + ".expert"] = {experts, {8, 4}};
        all[kind + entry + ".model.top_k"] = {experts, {4}};
        all[kind + entry + ".model.experts"] = {experts, {32}};
        all[kind + entry + ".model.expert_every"] = {experts, {2}};
        all[kind + entry + ".model.dense_first"] = {experts, {8}};
        all[kind + entry + ".model.expert_feed_forward"] = {experts, {10752}};
        all[kind + entry + ".model.shared_feed_forward"] = {experts, {10752}};
        all[kind + entry + ".model.node_limit"] = {plus(experts, parse(R"({"expert_alltoall": "deduplicated"})")), {1}};
        all[kind + entry + ".model.head_width"] = {with(R"({"gpus": 512})"), {256}};
        all[kind + entry + ".model.heads"] = {with(R"({"gpus": 512, "model": {"attention": "unfused"}})"), {48, 192}};
        all[kind + entry + ".context"] = {with(R"({"gpus": 512})"), {2}};
        all[kind + entry + ".virtual_stages"] = {with(R"({"gpus": 512})"), {2}};
        all[kind + entry + ".micro_batches"] = {with(R"({"gpus": 512})"), {32, 128}};
        all[kind + ".expert_alltoall"] = {experts, {"direct"}};
        all[kind + ".overlap.expert"] = {experts, {0.5, 1}};
        all[kind + ".overlap.context"] = {with(R"({"gpus": 512, "context": 2})"), {0}};
        all[kind + ".failed_links"] = {Json::object(), {400, 2000}};
        all[kind + ".xlink_domain_gpus"] = {Json::object(), {16, 32}};
        all[kind + ".seed"] = {Json::object(), {7, 8}};
        all[kind + ".gradient_allreduce"] = {Json::object(), {"tree", "hierarchical"}};
        all[kind + entry + ".model.hidden"] = {with(R"({"gpus": 512})"), {24576, 6144}};
        all[kind + entry + ".model.parameters"] = {with(R"({"gpus": 512})"), {1e9}};
        all[kind + entry + ".gpus"] = {Json::object(), {1024, 2048}};
        all[kind + entry + ".preset"] = {with(R"({"gpus": 1920})"), {"moe-1.8t"}};
        for (const char* key :
             {".tensor", ".pipeline", ".micro_batch", ".samples_per_iteration", ".model.layers", ".model.heads", ".model.feed_forward",
              ".model.vocabulary", ".model.sequence", ".sequence_parallel", ".scatter_gather", ".model.key_value_heads", ".model.gated",
              ".model.tied_embedding", ".model.learned_positions", ".model.bytes_per_value", ".model.causal_attention", ".model.attention"})
            if (!all.contains(kind + entry + key)) all[kind + entry + key] = {with(R"({"gpus": 512})"), {}};
        all[kind + ".expert_alltoall"].with = with(R"({"gpus": 1920, "preset": "moe-1.8t", "tensor": 4})");
        all[kind + ".tensor_allreduce"] = {with(R"({"gpus": 1024, "tensor": 16})"), {"tree", "flat-ring", "ring", "hierarchical"}};
    }
    all["job-mix.classes[0].model.layers"] = {parse(R"({"classes": [{"gpus": 512}]})"), {192, 48}};
    all["jobs.jobs[0].model.layers"] = {parse(R"({"jobs": [{"gpus": 512}]})"), {192, 48}};
    all["jobs.jobs[0].placement"] = {parse(R"({"jobs": [{"gpus": 512}]})"), {"alternating-segments", "alternating-pods"}};
    all["jobs.jobs[0].placement_seed"] = {parse(R"({"jobs": [{"gpus": 512, "placement": "random"}]})"), {5, 6}};
    all["jobs.jobs[0].priority"] = {
        parse(
            R"({"jobs": [{"gpus": 1024, "placement": "alternating-segments"}, {"gpus": 1024, "placement": "alternating-segments", "priority": 1}]})"),
        {2, -1}};
    all["job-mix.classes"] = {Json::object(), {parse(R"([{"gpus": 512}])")}};
    all["job-mix.classes[0].share"] = {parse(R"({"classes": [{"gpus": 64, "tensor": 8, "pipeline": 8}, {"gpus": 512}]})"), {5, 20}};
    for (const char* key : {"variant", "routing"}) all[std::string("job-mix.") + key] = {parse(R"({"mix_placement": "random"})"), {}};
    all["job-mix.job_paths"] = {parse(R"({"mix_placement": "random"})"), {}};
    all["job-mix.failed_links"].with = parse(R"({"mix_placement": "random"})");
    all["dual-plane.uplinks_uncontended"] = {parse(R"({"hosts": 120})"), {}};
    all["silent-fault.to_pod"] = all["sub-flows.to_pod"] = {Json::object(), {2}};
    all["silent-fault.until_s"] = {parse(R"({"dodging": "none", "controller_s": 0})"), {}};
    all["rail-locality.seeds"] = all["rail-locality.first_seed"] = {parse(R"({"hosts": 200})"), {}};
    all["goodput.two_stage"] = {parse(R"({"drain_s": 600})"), {true}};
    all["collective.tiers"] = {parse(R"({"alpha_us": 5, "algorithm": "in-network"})"), {3}};
    const Json mixture = parse(R"({"model": {"preset": "moe-1.8t"}, "parallelism": {"expert": 16}})");
    all["training-volume.model.hidden"] = {Json::object(), {24576, 6144}};
    all["training-volume.model.heads"] = {parse(R"({"model": {"attention": "unfused"}})"), {48, 192}};
    all["training-volume.machine.gradient_overlap"] = {Json::object(), {0}}; // the last backward pass hides less than a quarter
    all["training-volume.model.parameters"] = {Json::object(), {1e9}};
    for (const char* key : {"dense_first", "expert_feed_forward", "shared_feed_forward"})
        all[std::string("training-volume.model.") + key] = {mixture, {8}};
    all["training-volume.expert_alltoall"] = {mixture, {"deduplicated"}};
    all["training-volume.model.node_limit"] = {plus(mixture, parse(R"({"expert_alltoall": "deduplicated"})")), {1}};
    all["training-volume.model.head_width"] = {Json::object(), {256}};
    all["training-volume.parallelism.gpus"] = {Json::object(), {1000}};
    all["training-volume.machine.context_overlap"] = {parse(R"({"parallelism": {"context": 2}})"), {0}};
    all["training-volume.parallelism.expert"] = {mixture, {8, 4}};
    all["training-volume.machine.expert_overlap"] = {mixture, {}};
    all["job-mix.mix_placement"] = {Json::object(), {"random"}};
    all["design-goodput.tolerated_stall_s"] = {Json::object(), {500}};
    all["design-goodput.link_failures_per_month"] = {Json::object(), {0.5}};
    all["design-goodput.readers"] = {Json::object(), {1, 4}};
    all["design-goodput.replicas"] = {parse(R"({"dump_gbytes_per_gpu": 0})"), {2, 8}};
    all["design-goodput.storage_gbytes_per_s"] = {Json::object(), {1, 100}};
    all["design-goodput.storage_tier"] = {Json::object(), {"none"}};
    all["spot.holding_h"] = {parse(R"({"bid": 0.25})"), {10}}; // where the price often exceeds the bid
    all["cross-site.most_slow_down"] = {parse(R"({"links": [{"channels": 1, "fiber_pairs": 1}]})"), {1.001}};
    all["cross-site.sites[0].name"] = {
        // no link to this one
        parse(R"({"sites": [{"name": "az-1", "gpus": 2048}, {"name": "az-2", "gpus": 3072}, {"name": "az-3", "gpus": 3072}],
                  "links": [{"from": "az-2", "to": "az-3"}]})"),
        {"zone"}};
    all["cross-site.jobs[0].gradient_overlap"] = {Json::object(), {0}};
    all["inference.model"] = {Json::object(), {"moe-5t"}};
    all["inference.parameters"] = {Json::object(), {1.2e12}};
    all["inference.active_parameters"] = {Json::object(), {1e11}};
    all["inference.layers"] = all["inference.key_value_heads"] = {Json::object(), {60}};
    all["inference.hidden"] = {Json::object(), {8192}};
    all["inference.head_size"] = {Json::object(), {64}};
    all["inference.first_token_s"] = {Json::object(), {0.01}}; // below what prefill takes
    all["goodput.host_repair_s"] = {parse(R"({"backup_hosts": 1})"), {1e6}};
    all["goodput.backup_hosts"] = {parse(R"({"host_repair_s": 1e6})"), {0, 1}};
    all["checkpoint.storage_gbytes_per_s"] = {Json::object(), {1, 100}};
    all["port-failover.restart_s"] = {parse(R"({"faults": [{"port": 0}, {"port": 1}], "until_s": 2000})"), {50}};
    all["port-failover.collective_timeout_s"] = {parse(R"({"faults": [{"port": 0}, {"port": 1}]})"), {30}};
    all["port-failover.faults[0].port"] = {parse(R"({"faults": [{"port": 0}, {"port": 1, "down_at_s": 50, "up_at_s": 60}]})"), {1}};
    all["priority.jobs[0].links"] = {parse(R"({"links_gbps": [400, 400]})"), {parse("[1]")}};
    all["xlink.overlapped"] = {Json::object(), {false}};
    return all;
}

class Asker {
public:
    explicit Asker(const ScenarioKind& kind, ScenarioDesign design) : m_kind(kind), m_design(std::move(design)) {}

    /// Results, or the error's place with a mark.
    std::string ask(const Json& given)
    {
        const std::string text = given.dump();
        if (const auto known = m_known.find(text); known != m_known.end()) return known->second;
        const auto r = runKind(m_kind.name, m_design, given);
        return m_known[text] = r ? r->results.dump() : "! " + r.error().where + ": " + words(r.error().what);
    }

private:
    const ScenarioKind& m_kind;
    ScenarioDesign m_design;
    std::map<std::string, std::string> m_known;
};

std::vector<Json> candidates(const Field& f)
{
    std::vector<Json> out;
    const auto number = [&](double v) {
        if (v >= f.least && v <= f.most && Json(v) != f.fallback) out.push_back(f.kind == Field::Kind::Number ? Json(v) : Json(std::int64_t(v)));
    };
    const double d = f.fallback.is_number() ? f.fallback.get<double>() : 0;
    switch (f.kind) {
    case Field::Kind::Number:
        for (const double v : {d * 2, d / 2, d + 1, d + 0.1, d - 0.1, d * 10, 0.3, 0.5, 5.0, 100.0}) number(v);
        break;
    case Field::Kind::Integer:
        for (const double v : {d + 1, d * 2, d - 1, 2.0, 4.0, 8.0, 16.0, 1024.0, 4096.0}) number(v);
        break;
    case Field::Kind::Boolean: out = {Json(f.fallback != Json(true)), Json(f.fallback == Json(true))}; break;
    case Field::Kind::Text:
        for (const auto& c : f.choices)
            if (Json(c) != f.fallback) out.emplace_back(c);
        if (f.choices.empty()) out.emplace_back("unknown element");
        break;
    case Field::Kind::Selection: out = {Json::array({1}), Json::array({2})}; break;
    case Field::Kind::Numbers:
    case Field::Kind::Integers:
        if (f.fallback.is_array() && !f.fallback.empty()) {
            Json more = f.fallback;
            more[0] = f.kind == Field::Kind::Numbers ? Json(more[0].get<double>() * 2) : Json(more[0].get<std::int64_t>() * 2);
            out = {more, Json::array({f.fallback[0]})};
        } else
            out = {Json::array({1}), Json::array({2})};
        break;
    case Field::Kind::Texts:
    case Field::Kind::Object:
    case Field::Kind::Objects: break;
    }
    return out;
}

/// Makes a condition hold, or not, in an object.
void arrange(Json& object, const Condition& c, std::span<const Field> fields, bool holds)
{
    const auto field = std::ranges::find(fields, c.key, &Field::key);
    const auto other = [&]() -> Json {
        if (!field->choices.empty())
            for (const auto& choice : field->choices)
                if (std::ranges::find(c.values, Json(choice)) == c.values.end()) return choice;
        if (field->kind == Field::Kind::Boolean) return c.values.front() == Json(true) ? Json(false) : Json(true);
        for (const double v : {field->least, field->least + 1, field->least + 2, 2.0})
            if (v >= field->least && v <= field->most && std::ranges::find(c.values, Json(v)) == c.values.end())
                return field->kind == Field::Kind::Integer ? Json(std::int64_t(v)) : Json(v);
        return {};
    };
    switch (c.test) {
    case Condition::Test::Is: object[c.key] = holds ? c.values.front() : other(); break;
    case Condition::Test::IsNot: object[c.key] = holds ? other() : c.values.front(); break;
    case Condition::Test::Above0:
        object[c.key] = holds ? Json(std::min(std::max(1.0, field->least), field->most) > 0.99 && field->most >= 1 ? 1 : 0.5) : Json(0);
        break;
    case Condition::Test::Given:
        if (holds == object.contains(c.key)) break;
        if (holds)
            object[c.key] = candidates(*field).front();
        else
            object.erase(c.key);
        break;
    case Condition::Test::NotGiven:
        if (holds)
            object.erase(c.key);
        else if (field->kind == Field::Kind::Objects)
            object[c.key] = Json::array({Json::object()});
        else
            object[c.key] = candidates(*field).front();
        break;
    }
}

bool satisfied(const Json& object, const Condition& c, std::span<const Field> fields)
{
    const auto field = std::ranges::find(fields, c.key, &Field::key);
    const Json value = object.contains(c.key) ? object[c.key] : field->fallback;
    const bool among = std::ranges::find(c.values, value) != c.values.end();
    switch (c.test) {
    case Condition::Test::Is: return among;
    case Condition::Test::IsNot: return !among;
    case Condition::Test::Above0: return value.is_number() && value.get<double>() > 0;
    case Condition::Test::Given: return object.contains(c.key);
    case Condition::Test::NotGiven: return !object.contains(c.key);
    }
    return false;
}

} // namespace

class KeysTest : public QObject {
    Q_OBJECT

    std::map<std::string, ScenarioDesign> m_designs;
    QTemporaryDir m_folder;

    const ScenarioDesign& designOf(const std::string& kind)
    {
        const bool whole = kind == "design-goodput" || kind == "storage-flows" || kind == "image-pull" || kind == "inference-flows",
                   three = kind == "core-hash" || kind == "cross-pod", narrow = kind == "bandwidth" || kind == "aicb" || kind == "chakra";
        if (kind == "hall-air") {
            auto& hall = m_designs[kind];
            if (!hall.snapshot) hall = generatedDesign("hpn", {{"segments", 1}, {"networks", "backend"}}, {}).value();
            return hall;
        }
        auto& design = m_designs[whole ? "whole" : kind == "cross-pod" ? "crossing" : three ? "three" : narrow ? "narrow" : "small"];
        if (!design.snapshot) {
            std::map<std::string, Json> set = {{"pods", three ? 3 : whole ? 1 : 2}, {"segments", three ? 1 : 2}};
            if (!whole) set["networks"] = "backend";
            if (narrow || kind == "cross-pod") set["tor_uplinks"] = 10; // so that ways between switches matter to a few hosts
            auto made = generatedDesign("hpn", set, {});
            if (!made) qFatal("%s", made.error().text().c_str());
            design = *made;
        }
        return design;
    }

    /// Traces of 2,048 ranks: an all-to-all of 16 over both segments, then an all-reduce inside each server.
    void writeTraces(Json& base)
    {
        const std::string first = m_folder.filePath("run.0.et").toStdString(), groupsFile = m_folder.filePath("groups.json").toStdString();
        base["file"] = first, base["groups"] = groupsFile;
        if (std::filesystem::exists(first)) return;
        const auto varint = [](std::uint64_t n) {
            std::string out;
            for (; n >= 0x80; n >>= 7) out += char(n | 0x80);
            return out + char(n);
        };
        const auto block = [&](char field, const std::string& bytes) { return char(field << 3 | 2) + varint(bytes.size()) + bytes; };
        const auto collective = [&](std::uint64_t id, std::uint64_t type, const std::string& group) {
            std::string node = '\x08' + varint(id) + '\x18' + varint(7) + (id > 1 ? '\x28' + varint(id - 1) : std::string());
            node += block(10, block(1, "comm_type") + '\x48' + varint(type)) + block(10, block(1, "comm_size") + '\x48' + varint(100'000'000));
            node += block(10, block(1, "pg_name") + varint(29 << 3 | 2) + varint(group.size()) + group);
            return varint(node.size()) + node;
        };
        Json groups = Json::object();
        for (int r = 0; r < 2048; ++r) {
            const std::string across = "a" + std::to_string(r % 128), inside = "h" + std::to_string(r / 8);
            groups[across].push_back(r), groups[inside].push_back(r);
            const std::string metadata = block(1, "0.0.4");
            std::ofstream(m_folder.filePath(QString("run.%1.et").arg(r)).toStdString(), std::ios::binary)
                << varint(metadata.size()) + metadata + collective(1, 6, across) + collective(2, 0, inside);
        }
        std::ofstream(groupsFile) << groups.dump();
    }

    /// The base of a kind, with what its required keys need.
    Json baseOf(const ScenarioKind& kind)
    {
        const auto found = bases().find(kind.name);
        Json base = found == bases().end() ? Json::object() : found->second;
        if (kind.name == "aicb") {
            const auto path = m_folder.filePath("aicb.txt").toStdString();
            std::ofstream(path) << "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 192 pp: 1 vpp: 2 ga: 1 checkpoints: 0 "
                                   "checkpoint_initiates: 0 pp_comm: 0.0\n3\n"
                                   "grad_gather\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tALLGATHER\t2807758848\t100\n"
                                   "attention   -1 2571000 ALLREDUCE 50331648 2454000 ALLREDUCE 50331648 2454000 NONE 0 100\n"
                                   "moe_route\t-1\t1584000\tALLTOALL_EP\t33554432\t2081000\tALLTOALL_EP\t33554432\t2081000\tNONE\t0\t100\n";
            base["file"] = path;
            base["gpus"] = 1536;
        }
        if (kind.name == "chakra") writeTraces(base);
        return base;
    }

    struct Place {
        std::string path = {};
        Json::json_pointer object = Json::json_pointer();
        std::vector<std::pair<Json::json_pointer, Json>> lists = {}; ///< that it stands in, with what they are unless given
    };

    void checkFields(const ScenarioKind& kind, Asker& asker, std::span<const Field> fields, const Place& place, QStringList& idle)
    {
        for (const Field& f : fields) {
            const std::string path = place.path.empty() ? f.key : place.path + "." + f.key;
            const auto known = hints().find(kind.name + "." + path);
            const Hint hint = known == hints().end() ? Hint{} : known->second;
            if (f.kind == Field::Kind::Object) {
                checkFields(kind, asker, f.fields, {path, place.object / f.key, place.lists}, idle);
                continue;
            }
            Json base = baseOf(kind);
            base.update(hint.with);
            if (f.kind == Field::Kind::Objects) {
                Place inside{path + "[0]", place.object / f.key / 0, place.lists};
                inside.lists.emplace_back(place.object / f.key, f.fallback.is_null() ? Json::array({Json::object()}) : f.fallback);
                checkFields(kind, asker, f.fields, inside, idle);
                if (hint.values.empty()) continue; // its entries change the answer
            }
            if (f.displayOnly) continue;
            // The object that the key stands in, in the base, with the conditions of the key met.
            for (const auto& [list, entries] : place.lists)
                if (!base.contains(list)) base[list] = entries;
            Json& object = base[place.object].is_null() ? (base[place.object] = Json::object()) : base[place.object];
            object.erase(f.key);
            for (int round = 0; round < 2; ++round)
                for (const Condition& c : f.when)
                    if (!satisfied(object, c, fields)) arrange(object, c, fields, true);
            const std::string without = asker.ask(base);
            bool moves = false;
            QStringList tried;
            for (const Json& value : hint.values.empty() ? candidates(f) : hint.values) {
                Json with = base;
                with[place.object][f.key] = value;
                const std::string answer = asker.ask(with);
                const bool refusedHere = answer.starts_with("! " + path) && answer.find("has no effect") == std::string::npos; // it was looked at
                const bool byValue = f.kind == Field::Kind::Text || !hint.values.empty();
                if (f.kind == Field::Kind::Selection && answer.starts_with("!") && !without.starts_with("!"))
                    moves = true; // too little is left of the design
                if (!answer.starts_with("!") ? answer != without : refusedHere && byValue) {
                    moves = true;
                    break;
                }
                if (moves) break;
                tried << QString::fromStdString(value.dump() + (answer.starts_with("!") ? " " + answer : ""));
            }
            if (!moves)
                idle << QString::fromStdString(kind.name + "." + path + (without.starts_with("!") ? " base " + without : "")) + " [" +
                            tried.join(", ") + "]";
        }
    }

private slots:
    void everyKeyChangesTheAnswer_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const ScenarioKind& k : scenarioKinds()) QTest::newRow(k.name.c_str()) << QByteArray::fromStdString(k.name);
    }
    void everyKeyChangesTheAnswer()
    {
        QFETCH(QByteArray, kind);
        const ScenarioKind& k = *findScenarioKind(kind.toStdString());
        Asker asker(k, k.onDesign ? designOf(k.name) : ScenarioDesign{});
        QStringList idle;
        checkFields(k, asker, k.fields, Place{}, idle);
        for (const QString& key : idle) qWarning().noquote() << key.left(700);
        QVERIFY2(idle.isEmpty(), "these keys are accepted and without effect");
    }

    /// Where a key's condition does not hold, giving it is an error that names it.
    void keysWithoutEffectAreRefused()
    {
        int checked = 0;
        const std::function<void(const ScenarioKind&, std::span<const Field>, const std::string&, const std::function<Json(Json)>&)> visit =
            [&](const ScenarioKind& kind, std::span<const Field> fields, const std::string& path, const std::function<Json(Json)>& around) {
                for (const Field& f : fields) {
                    const std::string own = path.empty() ? f.key : path + "." + f.key;
                    if (f.kind == Field::Kind::Object)
                        visit(kind, f.fields, own, [&](Json inner) { return around(Json{{f.key, std::move(inner)}}); });
                    if (f.kind == Field::Kind::Objects)
                        visit(kind, f.fields, own + "[0]", [&](Json inner) { return around(Json{{f.key, Json::array({std::move(inner)})}}); });
                    for (const Condition& c : f.when) {
                        Json object = Json::object();
                        for (const Condition& other : f.when)
                            if (&other != &c && !satisfied(object, other, fields)) arrange(object, other, fields, true);
                        arrange(object, c, fields, false);
                        object[f.key] = candidates(f).front(); // not the default, which asks for nothing
                        const auto r = readParameters(around(std::move(object)), kind.fields);
                        QVERIFY2(!r.has_value(), (kind.name + "." + own).c_str());
                        // Itself, or what it depends on and counts no more than it.
                        const bool named = r.error().where == own ||
                                           std::ranges::any_of(f.when, [&](const Condition& other) { return r.error().where.ends_with(other.key); });
                        QVERIFY2(named && words(r.error().what).find("has no effect") != std::string::npos,
                                 (kind.name + "." + own + " -> " + r.error().text()).c_str());
                        ++checked;
                    }
                }
            };
        for (const ScenarioKind& k : scenarioKinds()) visit(k, k.fields, "", [](Json whole) { return whole; });
        QVERIFY(checked > 30);
    }
};

QTEST_APPLESS_MAIN(KeysTest)
#include "keys_test.moc"
