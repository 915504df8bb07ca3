// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/answer_words.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

struct Known {
    std::string_view key, label;
    Quantity quantity;
};

/// Where the key's own words would not say it, or not its quantity.
constexpr Known kKnown[] = {
    {"iteration_s", "Iteration", Quantity::Seconds},
    {"tokens_per_s", "Tokens per second", Quantity::Count},
    {"tokens_to_train", "Tokens to train", Quantity::Count},
    {"mfu", "Share of the accelerators' peak (MFU)", Quantity::Share},
    {"hfu", "With recomputing (HFU)", Quantity::Share},
    {"training_days", "Whole training", Quantity::Days},
    {"scaling_efficiency", "Scaling efficiency", Quantity::Share},
    {"efficiency", "Efficiency", Quantity::Share},
    {"efficiency_to_first", "Efficiency against the smallest", Quantity::Share},
    {"exposed_share", "Communication not hidden", Quantity::Share},
    {"runs", "The job runs", Quantity::Plain},
    {"memory_bytes_per_gpu", "Memory of a GPU", Quantity::Bytes},
    {"completion_s", "Completion", Quantity::Seconds},
    {"goodput", "Goodput", Quantity::Share},
    {"simulated", "Goodput, simulated", Quantity::Share},
    {"closed_form", "Goodput by the closed form", Quantity::Share},
    {"standard_error", "Standard error", Quantity::Share},
    {"mtbf_s", "Time between failures (MTBF)", Quantity::Seconds},
    {"interval_s", "Interval of saves", Quantity::Seconds},
    {"utilisation", "GPUs at work", Quantity::Share},
    {"utilisation_alone", "GPUs at work, each job alone", Quantity::Share},
    {"fragmentation", "Fragmentation", Quantity::Share},
    {"intensity", "Intensity (GPU work over communication)", Quantity::Plain},
    {"slow_down", "Slow-down", Quantity::Factor},
    {"mean_slow_down", "Mean slow-down", Quantity::Factor},
    {"worst_slow_down", "Worst slow-down", Quantity::Factor},
    {"ring_slow_down_static", "Slow-down of the ring", Quantity::Factor},
    {"ring_slow_down_rebalanced", "Slow-down with bytes spread over what is left", Quantity::Factor},
    {"black_hole_s", "Traffic sent into nothing for", Quantity::Seconds},
    {"black_holed_bytes", "Bytes sent into nothing", Quantity::Bytes},
    {"flows_into_dead_after_convergence", "Flows still sent into something dead", Quantity::Count},
    {"flows_on_dead_plane_after_convergence", "Flows still on the dead plane", Quantity::Count},
    {"surviving_ways", "Equal ways that survive", Quantity::Count},
    {"job_continues", "The job goes on", Quantity::Plain},
    {"job_lost", "The job is lost", Quantity::Plain},
    {"job_lost_at_s", "Lost at", Quantity::Seconds},
    {"host_gbps", "One host", Quantity::Gbps},
    {"nic_gbps", "One NIC", Quantity::Gbps},
    {"segment_gbps", "Its segment", Quantity::Gbps},
    {"repaired_nic_gbps", "The NIC after the repair", Quantity::Gbps},
    {"from_s", "From", Quantity::Seconds},
    {"to_s", "To", Quantity::Seconds},
    {"fluid_s", "At line rate", Quantity::Seconds},
    {"groups", "Groups at once", Quantity::Count},
    {"times", "Times an iteration", Quantity::Plain},
    {"busiest_share", "Busiest link", Quantity::Share},
    {"bytes_up", "Bytes up", Quantity::Bytes},
    {"bytes_down", "Bytes down", Quantity::Bytes},
    {"worst_gap", "Largest gap of the proof", Quantity::Plain},
    {"ok", "Proved", Quantity::Plain},
    {"case", "Traffic", Quantity::Plain},
    {"algorithm_gbytes_per_s", "Algorithm bandwidth", Quantity::GBytesPerS},
    {"bus_gbytes_per_s", "Bus bandwidth", Quantity::GBytesPerS},
    {"max_min_gbps", "Max-min rate", Quantity::Gbps},
    {"without_collision_share", "Draws without a collision", Quantity::Share},
    {"no_collision_probability", "Probability of no collision", Quantity::Share},
    {"cross_share", "Crosses pods", Quantity::Share},
    {"xlink_domain_gpus", "GPUs of a scale-up domain", Quantity::Count},
    {"ep", "Expert parallel (EP)", Quantity::Count},
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
                                                                       {"gb", "GB"}};

struct Unit {
    std::string_view suffix;
    Quantity quantity;
};
/// The first that fits; longer ones stand before those that they end in.
constexpr Unit kUnits[] = {{"_gbytes_per_s", Quantity::GBytesPerS},
                           {"_bytes_per_s", Quantity::BytesPerS},
                           {"_per_s", Quantity::Count},
                           {"_gbps", Quantity::Gbps},
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

std::string seconds(double s)
{
    const double a = std::fabs(s);
    if (a == 0) return "0 s";
    if (a < 0.9995e-3) return significant(s * 1e6) + " µs";
    if (a < 0.9995) return significant(s * 1e3) + " ms";
    if (a < 600) return significant(s) + " s";
    if (a < 2 * 3600) return significant(s / 60) + " min";
    if (a < 3 * 86400) return significant(s / 3600) + " h";
    return significant(s / 86400) + " days";
}

std::string shownNumber(double v, Quantity quantity)
{
    switch (quantity) {
    case Quantity::Plain: return significant(v);
    case Quantity::Count:
        return std::fabs(v) >= 1e15                                          ? fmt::format("{:.3g}", v)
               : std::fabs(v - std::round(v)) < 1e-9 || std::fabs(v) >= 1000 ? grouped(std::llround(v))
                                                                             : significant(v);
    case Quantity::Seconds: return seconds(v);
    case Quantity::Hours: return seconds(v * 3600);
    case Quantity::Days: return v >= 1 ? significant(v) + " days" : seconds(v * 86400);
    case Quantity::Gbps: return std::fabs(v) >= 1e4 ? scaled(v * 1e9, "b/s") : significant(v) + " Gb/s";
    case Quantity::BytesPerS: return scaled(v, "B/s");
    case Quantity::GBytesPerS: return significant(v) + " GB/s";
    case Quantity::Bytes: return scaled(v, "B");
    case Quantity::Share: return significant(v * 100) + " %";
    case Quantity::Factor: return "× " + significant(v);
    }
    return significant(v);
}

} // namespace

std::string plainWords(std::string_view key)
{
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

KeyWords wordsOf(std::string_view path)
{
    const auto dot = path.rfind('.');
    const std::string_view key = dot == std::string_view::npos ? path : path.substr(dot + 1);
    for (const Known& k : kKnown)
        if (k.key == key) return {std::string(k.label), k.quantity};
    if (key.ends_with("_error") && key.size() > 6) { // of a mean, half of its 95 % interval
        KeyWords of = wordsOf(key.substr(0, key.size() - 6));
        return {of.label + ", ±", of.quantity};
    }
    if (factorLike(key)) return {sentenceStart(plainWords(key.ends_with("_factor") ? key.substr(0, key.size() - 7) : key)), Quantity::Factor};
    for (const Unit& unit : kUnits)
        if (key.ends_with(unit.suffix))
            return {sentenceStart(
                        plainWords(unit.suffix == "_per_s" || unit.suffix == "_bytes" || unit.suffix == "_efficiency" || unit.suffix == "_probability"
                                       ? key
                                       : key.substr(0, key.size() - unit.suffix.size()))),
                    unit.quantity};
    if (key == "bytes" || key.starts_with("bytes_")) return {sentenceStart(plainWords(key)), Quantity::Bytes};
    if (key == "seconds") return {"Time", Quantity::Seconds};
    // "before" of "iteration_s" holds seconds
    return {sentenceStart(plainWords(key)), dot == std::string_view::npos ? Quantity::Plain : wordsOf(path.substr(0, dot)).quantity};
}

std::string shownValue(const Json& value, Quantity quantity)
{
    if (value.is_null()) return "–";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer() && quantity == Quantity::Plain) return grouped(value.get<std::int64_t>());
    if (value.is_number()) return shownNumber(value.get<double>(), quantity);
    std::string out;
    if (value.is_array())
        for (const Json& entry : value) out += (out.empty() ? "" : ", ") + shownValue(entry, quantity);
    else
        for (const auto& [key, entry] : value.items())
            out += (out.empty() ? "" : ", ") + plainWords(key) + " " + shownValue(entry, wordsOf(key).quantity);
    return out;
}

} // namespace questions
} // namespace hw::sim
