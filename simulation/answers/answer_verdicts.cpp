// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/answers/answer_verdicts.h"

#include "simulation/answers/answer_words.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

/// Says values of an answer by key, for sentences.
struct Values {
    const Json& r;
    [[nodiscard]] bool has(const char* key) const { return r.contains(key) && !r[key].is_null(); }
    [[nodiscard]] bool yes(const char* key) const { return has(key) && r[key].is_boolean() && r[key].get<bool>(); }
    [[nodiscard]] Text say(const char* key) const { return shownValue(r[key], wordsOf(key).quantity); }
    [[nodiscard]] double number(const char* key) const { return has(key) && r[key].is_number() ? r[key].get<double>() : 0; }
};

Text of(const Json& entry, const char* key) { return entry.contains(key) ? shownValue(entry[key], wordsOf(key).quantity) : verbatim("–"); }

Text trainingVerdict(const Values& v)
{
    if (v.has("runs") && !v.yes("runs")) return i18n("The job cannot run: some of its transfers have no path through the network.");
    Text out = v.has("gpus") ? i18n("An iteration on {} GPUs takes {}", v.say("gpus"), v.say("iteration_s"))
                             : i18n("An iteration takes {}", v.say("iteration_s"));
    if (v.has("mfu")) out = i18n("{} at {} MFU", out, v.say("mfu"));
    if (v.has("exposed_share")) out = i18n("{}; {} of it is exposed communication", out, v.say("exposed_share"));
    return i18n("{}.", out);
}

/// `fault` is what failed; with a host its ranks are gone, however soon it is back.
Text failureVerdict(const Values& v, const std::string& fault)
{
    if (v.yes("job_lost") && fault == "host" && v.has("job_lost_at_s"))
        return i18n("The job is lost {} into the timeline: the ranks of the failed host are lost.", v.say("job_lost_at_s"));
    if (v.yes("job_lost")) {
        for (const char* at : {"job_lost_at_s", "lost_at_s"})
            if (v.has(at)) return i18n("The job is lost {} into the timeline: the stall exceeds the collective timeout.", v.say(at));
        return i18n("The job is lost: the stall exceeds the collective timeout.");
    }
    Text out = i18n("The job survives");
    const double slow = v.number("ring_slow_down_static");
    if (slow > 1.0005)
        out = i18n("{} with a slowdown of {} until the repair", out, shownValue(Json(slow), Quantity::Factor));
    else if (v.has("ring_slow_down_static") && v.yes("job_continues"))
        out = i18n("{} at full rate after convergence", out);
    else if (v.has("job_continues") && !v.yes("job_continues"))
        out = i18n("{}, stalled until the repair", out);
    if (v.number("black_hole_s") > 0) out = i18n("{}, after a black hole of {}", out, v.say("black_hole_s"));
    return i18n("{}.", out);
}

/// A training job with a fault: its iteration before, during and after.
Text faultVerdict(const Values& v)
{
    const Json& i = v.r["iteration_s"];
    const auto part = [&](const char* key) {
        return i.contains(key) && !i[key].is_null() ? shownValue(i[key], Quantity::Seconds) : i18n("not completed");
    };
    const Text out = i18n("Iteration time: {} before the fault, {} during it, {} after it", part("before"), part("during"), part("after"));
    if (v.yes("job_lost"))
        return v.has("lost_at_s") ? i18n("{}; the job is lost {} into the timeline.", out, v.say("lost_at_s")) : i18n("{}; the job is lost.", out);
    return v.number("stands_s") > 0 ? i18n("{}; the job stalls for {}.", out, v.say("stands_s")) : i18n("{}.", out);
}

Text listVerdict(const Json& list, const char* what, const char* key)
{
    const Json &first = list.front(), &last = list.back();
    if (!first.contains(what) || !first.contains(key)) return {};
    const KeyWords along = wordsOf(what), own = wordsOf(key);
    if (along.quantity == Quantity::Plain || along.quantity == Quantity::Count)
        return i18n("{} changes from {} at {} {} to {} at {}.", own.label, of(first, key), of(first, what), along.inside, of(last, key),
                    of(last, what));
    return i18n("{} changes from {} at {} to {} at {}.", own.label, of(first, key), of(first, what), of(last, key), of(last, what));
}

Text bestVerdict(const Json& list, const char* who, const char* key, bool least)
{
    const Json *best = nullptr, *worst = nullptr;
    for (const Json& e : list) {
        if (!e.contains(who) || !e.contains(key) || !e[key].is_number()) continue;
        const auto better = [&](const Json& a, const Json& b) {
            return least ? a[key].get<double>() < b[key].get<double>() : a[key].get<double>() > b[key].get<double>();
        };
        if (!best || better(e, *best)) best = &e;
        if (!worst || better(*worst, e)) worst = &e;
    }
    if (!best) return {};
    if (list.size() > 1 && words(of(*best, key)) == words(of(*worst, key)))
        return i18n("All {} are equal: {} {}.", list.size(), wordsOf(key).label, of(*best, key));
    if (best == worst) return {};
    return i18n("Best: {} ({} {}); worst: {} ({}).", of(*best, who), wordsOf(key).label, of(*best, key), of(*worst, who), of(*worst, key));
}

/// Faults by component: the most frequent, and how long the first job size lasts.
Text causesVerdict(const Values& v)
{
    const Json *most = &v.r["causes"].front(), &job = v.r["sizes"].front();
    for (const Json& cause : v.r["causes"])
        if (cause["faults"].get<double>() > (*most)["faults"].get<double>()) most = &cause;
    return i18n("{} is the most frequent of {} faults ({}); the MTBF of a job on {} GPUs is {}.", of(*most, "component"), v.say("faults"),
                shownValue((*most)["share"], Quantity::Share), of(job, "job_gpus"), of(job, "mtbf_s"));
}

/// A model on a parallel cut: a closed form, so without a design.
Text volumeVerdict(const Values& v)
{
    const Json& it = v.r["iteration"];
    const Text out = i18n("An iteration on {} GPUs takes {}", v.say("gpus"), of(it, "iteration_s"));
    return v.has("training_days") ? i18n("{}, total training time {}.", out, v.say("training_days")) : i18n("{}.", out);
}

/// A goodput target: what it takes, in the first combination that reaches it.
Text targetVerdict(const Values& v)
{
    const Text target = shownValue(v.r["target"], Quantity::Share);
    if (!v.has("least_demanding")) return i18n("No combination reaches a goodput of {} on {} GPUs.", target, v.say("gpus"));
    const Json& row = v.r["least_demanding"];
    return i18n("A goodput of {} on {} GPUs requires a checkpoint of {} every {}, detection within {} and a restart within {}.", target,
                v.say("gpus"), of(row, "save_s"), of(row, "interval_s"), of(row, "detect_s"), of(row, "longest_restart_s"));
}

Text airVerdict(const Values& v)
{
    Text out = i18n("The warmest rack inlet is at {} °C ({}); {} above the recommended limit, {} above the allowable limit", v.say("warmest_inlet_c"),
                    v.say("warmest_rack"), i18np(std::int64_t(v.number("racks_above_recommended")), "{:L} rack", "{:L} racks"),
                    v.say("racks_above_allowable"));
    return v.yes("settled") ? i18n("{}.", out) : i18n("{}; the air has not settled.", out);
}

} // namespace

Text verdictOfResults(const Json& r, const Json& parameters)
{
    const Values v{r};
    if (v.has("cut_off")) return i18n("No result: {}.", v.say("cut_off"));
    const Json fault = parameters.is_object() ? parameters.value("fault", Json()) : Json();
    if (r.contains("iteration_s") && r["iteration_s"].is_object()) return faultVerdict(v);
    if (v.has("iteration_s")) return trainingVerdict(v);
    if (v.has("job_lost")) return failureVerdict(v, fault.is_string() ? fault.get<std::string>() : std::string());
    if (r.contains("completion_s"))
        return v.has("completion_s") ? i18n("All data delivered after {}.", v.say("completion_s"))
                                     : i18n("The transfer never completes: some flows have no path.");
    if (v.has("target") && r.contains("combinations")) return targetVerdict(v);
    if (v.has("warmest_inlet_c")) return airVerdict(v);
    if (v.has("goodput")) return i18n("{} of the time is productive.", v.say("goodput"));
    if (v.has("simulated")) {
        const Text share = shownValue(r["simulated"], Quantity::Share);
        return v.has("interval_s") ? i18n("{} of the time is productive with a checkpoint every {}.", share, v.say("interval_s"))
                                   : i18n("{} of the time is productive.", share);
    }
    if (r.contains("restored_at_s"))
        return v.has("restored_at_s") ? i18n("Traffic recovers {} into the timeline; {} are lost.", v.say("restored_at_s"),
                                             v.has("lost_bytes") ? v.say("lost_bytes") : i18n("bytes"))
                                      : i18n("Traffic does not recover: the fault stays undetected.");
    if (v.has("gpus_in_use_share"))
        return v.has("fragmentation") ? i18n("{} of the GPUs are in use, fragmentation {}.", v.say("gpus_in_use_share"), v.say("fragmentation"))
                                      : i18n("{} of the GPUs are in use.", v.say("gpus_in_use_share"));
    if (v.has("time_saved")) return i18n("The faster network saves {} of the iteration time.", shownValue(r["time_saved"], Quantity::Share));
    if (r.contains("ring") && r["ring"].is_object() && r["ring"].contains("under_one_switch_share"))
        return i18n("{} of the ring traffic stays below one access switch.", of(r["ring"], "under_one_switch_share"));
    if (r.contains("source_port_hash") && r.contains("five_tuple"))
        return i18n("Source-port hashing reaches {} of the throughput, five-tuple hashing {}.", of(r["source_port_hash"], "throughput_share"),
                    of(r["five_tuple"], "throughput_share"));
    if (r.contains("as_designed") && r.contains("single_plane") && isTable(r["as_designed"]) && isTable(r["single_plane"]))
        return i18n("Slowdown of the slowest NIC: {} as designed and {} on a single plane, with {} connections each.",
                    of(r["as_designed"].front(), "slowest_nic_factor"), of(r["single_plane"].front(), "slowest_nic_factor"),
                    of(r["as_designed"].front(), "connections"));
    if (v.has("predicted_runs"))
        return i18n("{} published runs are predicted within {} on average, {} worst case.", v.say("predicted_runs"),
                    shownValue(r["mean_absolute_error"], Quantity::Share), shownValue(r["worst_error"], Quantity::Share));
    if (r.contains("iteration") && r["iteration"].is_object() && v.has("gpus")) return volumeVerdict(v);
    if (r.contains("statements") && r["statements"].is_array() && !r["statements"].empty())
        return verbatim(r["statements"].front().get<std::string>());
    if (r.contains("causes") && isTable(r["causes"]) && r.contains("sizes") && isTable(r["sizes"])) return causesVerdict(v);
    for (const char* list : {"ways", "policies", "remedies"})
        if (r.contains(list) && isTable(r[list]))
            for (const auto& [who, key, least] :
                 {std::tuple{"crossing", "iteration_s", true}, {"policy", "utilization", false}, {"remedy", "lost_bytes", true}})
                if (auto said = bestVerdict(r[list], who, key, least); !said.empty()) return said;
    for (const char* list : {"points", "sizes", "rows"})
        if (r.contains(list) && isTable(r[list]))
            for (const auto& [what, key] : {std::pair{"gpus", "efficiency"},
                                            {"bytes", "bus_gbytes_per_s"},
                                            {"domain_gpus", "time_s"},
                                            {"gpus", "goodput"},
                                            {"bytes_per_pair", "speedup_overlapped"}})
                if (auto said = listVerdict(r[list], what, key); !said.empty()) return said;
    return {};
}

bool answerIsNo(const Json& document)
{
    const auto no = [](const Json& answer) { return answer.contains("results") && answer["results"].value("runs", true) == false; };
    if (!document.contains("sweep")) return no(document);
    const Json& points = document["sweep"]["points"];
    return !points.empty() && std::ranges::all_of(points, no);
}

} // namespace questions
} // namespace hw::sim
