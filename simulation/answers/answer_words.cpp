// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/answers/answer_words.h"

#include "core/foundation/base/spelling.h"
#include "simulation/answers/key_labels.h"

#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

struct Known {
    std::string_view key;
    TextId label, inside;
    Quantity quantity;
};

/// Where the key's own words would not say it, or not its quantity.
constexpr Known kKnown[] = {
    {"iteration_s", TextId("Iteration"), TextId("iteration"), Quantity::Seconds},
    {"tokens_per_s", TextId("Tokens per second"), TextId("tokens per second"), Quantity::Count},
    {"tokens_to_train", TextId("Tokens to train"), TextId("tokens to train"), Quantity::Count},
    {"mfu", TextId("Model FLOPS utilization (MFU)"), TextId("model FLOPS utilization (MFU)"), Quantity::Share},
    {"hfu", TextId("Hardware FLOPS utilization (HFU)"), TextId("hardware FLOPS utilization (HFU)"), Quantity::Share},
    {"training_days", TextId("Total training time"), TextId("total training time"), Quantity::Days},
    {"scaling_efficiency", TextId("Scaling efficiency"), TextId("scaling efficiency"), Quantity::Share},
    {"efficiency", TextId("Efficiency"), TextId("efficiency"), Quantity::Share},
    {"efficiency_to_first", TextId("Efficiency relative to the smallest size"), TextId("efficiency relative to the smallest size"), Quantity::Share},
    {"exposed_share", TextId("Exposed communication"), TextId("exposed communication"), Quantity::Share},
    {"runs", TextId("Job runs"), TextId("job runs"), Quantity::Plain},
    {"memory_bytes_per_gpu", TextId("Memory per GPU"), TextId("memory per GPU"), Quantity::Bytes},
    {"completion_s", TextId("Completion"), TextId("completion"), Quantity::Seconds},
    {"goodput", TextId("Goodput"), TextId("goodput"), Quantity::Share},
    {"simulated", TextId("Goodput, simulated"), TextId("goodput, simulated"), Quantity::Share},
    {"closed_form", TextId("Goodput, closed form"), TextId("goodput, closed form"), Quantity::Share},
    {"standard_error", TextId("Standard error"), TextId("standard error"), Quantity::Share},
    {"mtbf_s", TextId("Mean time between failures (MTBF)"), TextId("mean time between failures (MTBF)"), Quantity::Seconds},
    {"interval_s", TextId("Checkpoint interval"), TextId("checkpoint interval"), Quantity::Seconds},
    {"utilization", TextId("GPU utilization"), TextId("GPU utilization"), Quantity::Share},
    {"utilization_alone", TextId("GPU utilization, each job alone"), TextId("GPU utilization, each job alone"), Quantity::Share},
    {"fragmentation", TextId("Fragmentation"), TextId("fragmentation"), Quantity::Share},
    {"intensity", TextId("Intensity (GPU work / communication)"), TextId("intensity (GPU work / communication)"), Quantity::Plain},
    {"slow_down", TextId("Slowdown"), TextId("slowdown"), Quantity::Factor},
    {"mean_slow_down", TextId("Mean slowdown"), TextId("mean slowdown"), Quantity::Factor},
    {"worst_slow_down", TextId("Worst slowdown"), TextId("worst slowdown"), Quantity::Factor},
    {"ring_slow_down_static", TextId("Ring slowdown"), TextId("ring slowdown"), Quantity::Factor},
    {"ring_slow_down_rebalanced", TextId("Ring slowdown with rebalanced traffic"), TextId("ring slowdown with rebalanced traffic"), Quantity::Factor},
    {"nics_halved", TextId("NICs sending at half rate"), TextId("NICs sending at half rate"), Quantity::Count},
    {"nics_half", TextId("NICs with part of their ports"), TextId("NICs with part of their ports"), Quantity::Count},
    {"cut_off", TextId("Cut off"), TextId("cut off"), Quantity::Plain},
    {"black_hole_s", TextId("Black-hole duration"), TextId("black-hole duration"), Quantity::Seconds},
    {"black_holed_bytes", TextId("Bytes black-holed"), TextId("bytes black-holed"), Quantity::Bytes},
    {"flows_into_dead_after_convergence", TextId("Flows still black-holed"), TextId("flows still black-holed"), Quantity::Count},
    {"flows_on_dead_plane_after_convergence", TextId("Flows still on the failed plane"), TextId("flows still on the failed plane"), Quantity::Count},
    {"surviving_ways", TextId("Surviving equal-cost paths"), TextId("surviving equal-cost paths"), Quantity::Count},
    {"job_continues", TextId("Job continues"), TextId("job continues"), Quantity::Plain},
    {"job_lost", TextId("Job lost"), TextId("job lost"), Quantity::Plain},
    {"job_lost_at_s", TextId("Lost at"), TextId("lost at"), Quantity::Seconds},
    {"host_gbps", TextId("Host rate"), TextId("host rate"), Quantity::Gbps},
    {"nic_gbps", TextId("NIC rate"), TextId("NIC rate"), Quantity::Gbps},
    {"segment_gbps", TextId("Segment rate"), TextId("segment rate"), Quantity::Gbps},
    {"repaired_nic_gbps", TextId("NIC rate after the repair"), TextId("NIC rate after the repair"), Quantity::Gbps},
    {"from_s", TextId("From"), TextId("from"), Quantity::Seconds},
    {"to_s", TextId("To"), TextId("to"), Quantity::Seconds},
    {"fluid_s", TextId("Time at line rate"), TextId("time at line rate"), Quantity::Seconds},
    {"groups", TextId("Concurrent groups"), TextId("concurrent groups"), Quantity::Count},
    {"times", TextId("Times per iteration"), TextId("times per iteration"), Quantity::Plain},
    {"busiest_share", TextId("Busiest link"), TextId("busiest link"), Quantity::Share},
    {"bytes_up", TextId("Bytes up"), TextId("bytes up"), Quantity::Bytes},
    {"bytes_down", TextId("Bytes down"), TextId("bytes down"), Quantity::Bytes},
    {"worst_gap", TextId("Largest verification gap"), TextId("largest verification gap"), Quantity::Plain},
    {"ok", TextId("Verified"), TextId("verified"), Quantity::Plain},
    {"case", TextId("Traffic"), TextId("traffic"), Quantity::Plain},
    {"algorithm_gbytes_per_s", TextId("Algorithm bandwidth"), TextId("algorithm bandwidth"), Quantity::GBytesPerS},
    {"bus_gbytes_per_s", TextId("Bus bandwidth"), TextId("bus bandwidth"), Quantity::GBytesPerS},
    {"max_min_gbps", TextId("Max-min rate"), TextId("max-min rate"), Quantity::Gbps},
    {"without_collision_share", TextId("Draws without collision"), TextId("draws without collision"), Quantity::Share},
    {"no_collision_probability", TextId("Probability of no collision"), TextId("probability of no collision"), Quantity::Share},
    {"cross_share", TextId("Cross-pod share"), TextId("cross-pod share"), Quantity::Share},
    {"xlink_domain_gpus", TextId("GPUs per scale-up domain"), TextId("GPUs per scale-up domain"), Quantity::Count},
    {"ep", TextId("Expert parallelism (EP)"), TextId("expert parallelism (EP)"), Quantity::Count},
};

/// Written in other letters than the key has.
constexpr std::pair<std::string_view, std::string_view> kAcronyms[] = {{"gpu", "GPU"},
                                                                       {"gpus", "GPUs"},
                                                                       {"nic", "NIC"},
                                                                       {"nics", "NICs"},
                                                                       {"tor", "ToR"},
                                                                       {"tors", "ToRs"},
                                                                       {"mfu", "MFU"},
                                                                       {"hfu", "HFU"},
                                                                       {"mtbf", "MTBF"},
                                                                       {"bgp", "BGP"},
                                                                       {"arp", "ARP"},
                                                                       {"rdma", "RDMA"},
                                                                       {"ecmp", "ECMP"},
                                                                       {"pxn", "PXN"},
                                                                       {"moe", "MoE"},
                                                                       {"flops", "FLOPs"},
                                                                       {"tflops", "TFLOP/s"},
                                                                       {"id", "ID"},
                                                                       {"cpu", "CPU"},
                                                                       {"hbm", "HBM"},
                                                                       {"tp", "TP"},
                                                                       {"pp", "PP"},
                                                                       {"dp", "DP"},
                                                                       {"cp", "CP"},
                                                                       {"xlink", "scale-up"},
                                                                       {"allreduce", "all-reduce"},
                                                                       {"alltoall", "all-to-all"},
                                                                       {"gb", "GB"},
                                                                       {"gbytes", "GB"},
                                                                       {"mbytes", "MB"},
                                                                       {"eflops", "EFLOP/s"},
                                                                       {"fp16", "FP16"},
                                                                       {"fp8", "FP8"},
                                                                       {"nvlink", "NVLink"},
                                                                       {"ep", "EP"},
                                                                       {"aicb", "AICB"},
                                                                       {"allreduces", "all-reduces"},
                                                                       {"alltoalls", "all-to-alls"}};

struct PlainUnit {
    std::string_view suffix;
    Quantity quantity;
};
/// The first that fits; longer ones stand before those that they end in.
constexpr PlainUnit kUnits[] = {{"_gbytes_per_s", Quantity::GBytesPerS},
                                {"_bytes_per_s", Quantity::BytesPerS},
                                {"_per_s", Quantity::Count},
                                {"_gbps", Quantity::Gbps},
                                {"_us", Quantity::Microseconds},
                                {"_seconds", Quantity::Seconds},
                                {"_s", Quantity::Seconds},
                                {"_h", Quantity::Hours},
                                {"_hours", Quantity::Hours},
                                {"_days", Quantity::Days},
                                {"_share", Quantity::Share},
                                {"_probability", Quantity::Share},
                                {"_efficiency", Quantity::Share},
                                {"_bytes", Quantity::Bytes}};

bool factorLike(std::string_view key)
{
    return key.ends_with("_factor") || key.ends_with("slow_down") || key.starts_with("slow_down") || key.ends_with("_ratio");
}

std::string grouped(std::int64_t n)
{
    const std::string digits = std::to_string(std::llabs(n));
    std::string out = n < 0 ? "−" : "";
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
        out += digits[i];
    }
    return out;
}

/// Three significant digits, thousands grouped.
std::string significant(double v)
{
    const double a = std::fabs(v);
    if (a == 0) return "0";
    if (a >= 1e15 || a < 1e-4) return fmt::format("{:.2e}", v);
    if (a >= 1000) return grouped(std::int64_t(std::llround(v)));
    const int digits = a >= 100 ? 0 : a >= 10 ? 1 : a >= 1 ? 2 : 2 + int(std::ceil(-std::log10(a) - 1e-12));
    std::string text = fmt::format("{:.{}f}", v, digits);
    if (text.find('.') != std::string::npos) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

std::string scaled(double v, std::string_view unit)
{
    constexpr std::array prefixes = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t i = 0;
    while (std::fabs(v) >= 999.5 && i + 1 < prefixes.size()) v /= 1000, ++i;
    return significant(v) + " " + prefixes[i] + std::string(unit);
}

Text seconds(double s)
{
    const double a = std::fabs(s);
    if (a == 0) return verbatim("0 s");
    if (a < 0.9995e-3) return verbatim(significant(s * 1e6) + " µs");
    if (a < 0.9995) return verbatim(significant(s * 1e3) + " ms");
    if (a < 600) return verbatim(significant(s) + " s");
    if (a < 2 * 3600) return verbatim(significant(s / 60) + " min");
    if (a < 3 * 86400) return verbatim(significant(s / 3600) + " h");
    return i18n("{} days", significant(s / 86400));
}

Text shownNumber(double v, Quantity quantity)
{
    switch (quantity) {
    case Quantity::Plain: return verbatim(significant(v));
    case Quantity::Count:
        return verbatim(std::fabs(v) >= 1e15                                          ? fmt::format("{:.3g}", v)
                        : std::fabs(v - std::round(v)) < 1e-9 || std::fabs(v) >= 1000 ? grouped(std::llround(v))
                                                                                      : significant(v));
    case Quantity::Seconds: return seconds(v);
    case Quantity::Microseconds: return seconds(v * 1e-6);
    case Quantity::Hours: return seconds(v * 3600);
    case Quantity::Days: return v >= 1 ? i18n("{} days", significant(v)) : seconds(v * 86400);
    case Quantity::Gbps: return verbatim(std::fabs(v) >= 1e4 ? scaled(v * 1e9, "b/s") : significant(v) + " Gb/s");
    case Quantity::BytesPerS: return verbatim(scaled(v, "B/s"));
    case Quantity::GBytesPerS: return verbatim(significant(v) + " GB/s");
    case Quantity::Bytes: return verbatim(scaled(v, "B"));
    case Quantity::Share: return verbatim(significant(v * 100) + " %");
    case Quantity::Factor: return verbatim(significant(v) + "x");
    }
    return verbatim(significant(v));
}

/// Within a sentence: with a small letter, unless it begins with an acronym.
std::string insideOf(std::string label)
{
    if (label.size() > 1 && std::islower(static_cast<unsigned char>(label[1]))) label[0] = char(std::tolower(static_cast<unsigned char>(label[0])));
    return label;
}

/// A key that is read by its own words.
KeyWords ownWords(std::string_view key, Quantity quantity)
{
    const std::string label = sentenceStart(plainWords(key));
    return {resourceText(label), resourceText(insideOf(label)), quantity};
}

} // namespace

bool isTable(const Json& value)
{
    return value.is_array() && !value.empty() && std::ranges::all_of(value, [](const Json& e) { return e.is_object(); });
}

std::string plainWords(std::string_view key)
{
    if (const std::string_view written = writtenLabel(key); !written.empty()) return std::string(written);
    std::string out, word;
    const auto take = [&] {
        if (word.empty()) return;
        for (const auto& [from, to] : kAcronyms)
            if (word == from) {
                word = to;
                break;
            }
        out += (out.empty() ? "" : " ") + word;
        word.clear();
    };
    for (const char c : key)
        if (c == '_' || c == '.')
            take();
        else
            word += c;
    take();
    return out;
}

std::string sentenceStart(std::string words)
{
    if (!words.empty()) words[0] = char(std::toupper(static_cast<unsigned char>(words[0])));
    return words;
}

Text plainText(std::string_view key) { return resourceText(plainWords(key)); }
Text titleText(std::string_view key) { return resourceText(sentenceStart(plainWords(key))); }

KeyWords wordsOf(std::string_view path)
{
    const auto dot = path.rfind('.');
    const std::string_view key = dot == std::string_view::npos ? path : path.substr(dot + 1);
    for (const Known& k : kKnown)
        if (sameName(k.key, key)) return {k.label, k.inside, k.quantity};
    if (key.ends_with("_error") && key.size() > 6) { // of a mean, half of its 95 % interval
        const KeyWords of = wordsOf(key.substr(0, key.size() - 6));
        return {i18n("{}, ±", of.label), i18n("{}, ±", of.inside), of.quantity};
    }
    if (factorLike(key)) return ownWords(key.ends_with("_factor") ? key.substr(0, key.size() - 7) : key, Quantity::Factor);
    for (const PlainUnit& unit : kUnits)
        if (key.ends_with(unit.suffix)) {
            const bool whole = unit.suffix == "_per_s" || unit.suffix == "_bytes" || unit.suffix == "_efficiency" || unit.suffix == "_probability";
            return ownWords(whole ? key : key.substr(0, key.size() - unit.suffix.size()), unit.quantity);
        }
    if (key == "bytes" || key.starts_with("bytes_")) return ownWords(key, Quantity::Bytes);
    if (key == "seconds") return {i18n("Time"), i18n("time"), Quantity::Seconds};
    // "before" of "iteration_s" holds seconds
    return ownWords(key, dot == std::string_view::npos ? Quantity::Plain : wordsOf(path.substr(0, dot)).quantity);
}

Text shownValue(const Json& value, Quantity quantity)
{
    if (value.is_null()) return verbatim("–");
    if (value.is_boolean()) return value.get<bool>() ? i18n("yes") : i18n("no");
    if (value.is_string()) return verbatim(value.get<std::string>());
    if (value.is_number_integer() && quantity == Quantity::Plain) return verbatim(grouped(value.get<std::int64_t>()));
    if (value.is_number()) return shownNumber(value.get<double>(), quantity);
    std::vector<Text> entries;
    if (value.is_array())
        for (const Json& entry : value) entries.push_back(shownValue(entry, quantity));
    else
        for (const auto& [key, entry] : value.items())
            entries.push_back(i18n("{} {}", wordsOf(key).inside, shownValue(entry, wordsOf(key).quantity)));
    return listed(std::move(entries));
}

} // namespace questions
} // namespace hw::sim
