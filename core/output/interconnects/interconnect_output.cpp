// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/interconnects/interconnects.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw {

namespace {

using Json = nlohmann::ordered_json;

Json stated(double value) { return value > 0 ? Json(std::round(value * 1e4) / 1e4) : Json(); }
PlainTable::Cell cellOf(double value) { return value > 0 ? PlainTable::Cell(std::round(value * 1e4) / 1e4) : PlainTable::Cell(); }

std::string mediaOf(const DesignInterconnect& one)
{
    std::string out;
    for (const auto& medium : one.media) out += (out.empty() ? "" : ", ") + medium;
    return out;
}
/// At most `most` bytes: names are ASCII in templates; others are cut at a character.
std::string cut(std::string text, std::size_t most)
{
    if (text.size() <= most) return text;
    text.resize(most - 1);
    while (!text.empty() && (text.back() & 0x80)) text.pop_back();
    return text + ".";
}

constexpr double kSlow = 1; ///< GB/s, below which no link is drawn

// The chart
constexpr double kWidth = 1260, kHeight = 640, kLeft = 80, kRight = 480, kTop = 150, kBottom = 60;
constexpr double kNearM = 0.01, kFarM = 200'000, kFast = 10'000; ///< GB/s
constexpr const char* kColors[] = {"#2563eb", "#ea580c", "#16a34a", "#9333ea", "#0891b2", "#dc2626", "#ca8a04", "#475569"};

double xOf(double meters)
{
    return kLeft + (kWidth - kLeft - kRight) * std::log(std::clamp(meters, kNearM, kFarM) / kNearM) / std::log(kFarM / kNearM);
}
double yOf(double gbytes)
{
    return kHeight - kBottom - (kHeight - kTop - kBottom) * std::log(std::clamp(gbytes, kSlow, kFast) / kSlow) / std::log(kFast / kSlow);
}
std::string escapedText(const std::string& text)
{
    std::string out;
    for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

void addGrid(std::string& out)
{
    for (double x = kNearM; x <= kFarM; x *= 10)
        out += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#e2e8f0\"/>\n<text x=\"{0:.1f}\" y=\"{3}\" "
                           "text-anchor=\"middle\" fill=\"#334155\">{4}</text>\n",
                           xOf(x), kTop, kHeight - kBottom, kHeight - kBottom + 20, interconnectLength(x));
    for (double y = kSlow; y <= kFast; y *= 10)
        out += fmt::format("<line x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\" stroke=\"#e2e8f0\"/>\n<text x=\"{3}\" y=\"{4:.1f}\" "
                           "text-anchor=\"end\" fill=\"#334155\">{5}</text>\n",
                           yOf(y), kLeft, kWidth - kRight, kLeft - 8, yOf(y) + 4, y);
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#334155\">{}</text>\n", (kLeft + kWidth - kRight) / 2, kHeight - 14,
                       escapedText(words(i18n("Reach; links of the design: cable length"))));
    out += fmt::format("<text transform=\"translate(22 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#334155\">{}</text>\n",
                       (kTop + kHeight - kBottom) / 2, escapedText(words(i18n("GB/s per direction; links of the design: per GPU"))));
}

} // namespace

std::string interconnectName(const DesignInterconnect& one) { return one.from == one.to ? one.from : one.from + " - " + one.to; }

std::string interconnectLength(double meters)
{
    return meters <= 0 ? "-" : meters >= 1000 ? fmt::format("{:.4g} km", meters / 1000) : fmt::format("{:.3g} m", meters);
}

std::string interconnectLengths(const DesignInterconnect& one)
{
    const std::string from = interconnectLength(one.shortestM), to = interconnectLength(one.longestM);
    return from == to ? to : fmt::format("{:.3g} - {}", one.shortestM, to);
}

Text interconnectLine(const DesignInterconnect& one)
{
    return i18n("{}, {}: {:L} × {:.4g} GB/s, {:.3g} GB/s per GPU, {}", one.network, interconnectName(one), one.links, one.gbytesPerS,
                one.gbytesPerSPerGpu, interconnectLengths(one));
}

std::vector<InterconnectMark> interconnectMarks(const InterconnectMap& map)
{
    std::vector<InterconnectMark> marks;
    const auto kinds = interconnectKinds();
    for (std::size_t i = 0; i < kinds.size(); ++i)
        marks.push_back({i, false, kinds[i].assumed || kinds[i].reachAssumed, kinds[i].gbytesPerS, kinds[i].reachM, kinds[i].reachM, 0});
    for (std::size_t i = 0; i < map.links.size(); ++i) {
        const DesignInterconnect& one = map.links[i];
        const double drawn = one.gbytesPerSPerGpu > 0 ? one.gbytesPerSPerGpu : one.gbytesPerS;
        if (drawn >= kSlow) marks.push_back({i, true, false, drawn, one.shortestM, one.longestM, one.reachM > one.longestM ? one.reachM : 0});
    }
    return marks;
}

nlohmann::ordered_json interconnectJson(const InterconnectMap& map, const DesignStamp& stamp)
{
    Json links = Json::array(), kinds = Json::array();
    for (const auto& one : map.links)
        links.push_back({{"network", one.network},
                         {"from", one.from},
                         {"to", one.to},
                         {"level", wordOf(one.level)},
                         {"links", one.links},
                         {"gbytes_per_s", one.gbytesPerS},
                         {"gbytes_per_s_per_gpu", stated(one.gbytesPerSPerGpu)},
                         {"shortest_m", stated(one.shortestM)},
                         {"longest_m", stated(one.longestM)},
                         {"reach_m", stated(one.reachM)},
                         {"media", one.media}});
    for (const auto& kind : interconnectKinds())
        kinds.push_back({{"level", wordOf(kind.level)},
                         {"technology", kind.technology},
                         {"gbytes_per_s", kind.gbytesPerS},
                         {"reach_m", kind.reachM},
                         {"source", kind.source},
                         {"confidence", kind.assumed ? "C" : "B"},
                         {"reach_source", kind.reachSource},
                         {"reach_confidence", kind.reachAssumed ? "C" : "B"}});
    return {{"schema", "hallwright.interconnects/1"},
            {"design", {{"name", stamp.project}, {"revision", stamp.revision}}},
            {"accelerators", map.accelerators},
            {"links", links},
            {"kinds", kinds}};
}

std::string interconnectText(const InterconnectMap& map, const DesignStamp& stamp)
{
    std::string out = words(stamp.text()) + "\n\n" + words(i18n("Links of the design")) + '\n';
    out += fmt::format("  {:<24} {:<25} {:<8} {:>8} {:>7} {:>8} {:>12}\n", words(i18n("Network")), words(i18n("Link")), words(i18n("Level")),
                       words(i18n("Links")), words(i18n("GB/s")), words(i18n("per GPU")), words(i18n("Length")));
    for (const auto& one : map.links)
        out += fmt::format("  {:<24} {:<25} {:<8} {:>8} {:>7.4g} {:>8.4g} {:>12}\n", cut(one.network, 24), cut(interconnectName(one), 25),
                           words(titleOf(one.level)), one.links, one.gbytesPerS, one.gbytesPerSPerGpu, interconnectLengths(one));
    if (map.links.empty()) out += "  " + words(i18n("none")) + '\n';
    out += '\n' + words(i18n("Technologies")) + '\n';
    out += fmt::format("  {:<8} {:<26} {:>7} {:>9}  {}\n", words(i18n("Level")), words(i18n("Technology")), words(i18n("GB/s")), words(i18n("Reach")),
                       words(i18n("Source")));
    for (const auto& kind : interconnectKinds())
        out += fmt::format("  {:<8} {:<26} {:>7.4g} {:>9}  {}\n", words(titleOf(kind.level)), kind.technology, kind.gbytesPerS,
                           interconnectLength(kind.reachM), kind.reachAssumed ? kind.source + std::string(" *") : std::string(kind.source));
    out += '\n' +
           words(i18n("* reach assumed. Bandwidth per direction: of one link; per GPU, of all links divided by the GPUs of the design. Length: "
                      "routed cables; for "
                      "a scale-up domain, the host depth or rack height.")) +
           '\n';
    return out;
}

PlainTable interconnectTable(const InterconnectMap& map)
{
    PlainTable table;
    table.sheet = "interconnects";
    for (const char* name : {"of", "level", "network", "link", "links", "gbytes_per_s", "gbytes_per_s_per_gpu", "shortest_m", "longest_m", "reach_m",
                             "media", "source", "reach_source"}) {
        const std::string_view column = name;
        table.columns.push_back({name, column == "link" || column.ends_with("source") ? 28.0 : 12.0});
    }
    table.rows = map.links.size() + interconnectKinds().size();
    table.each = [&map](const PlainTable::Take& take) -> Result<void> {
        using Row = std::vector<PlainTable::Cell>;
        for (const auto& one : map.links)
            if (const auto taken = take(Row{std::string("design"),
                                            std::string(wordOf(one.level)),
                                            one.network,
                                            interconnectName(one),
                                            double(one.links),
                                            one.gbytesPerS,
                                            cellOf(one.gbytesPerSPerGpu),
                                            cellOf(one.shortestM),
                                            cellOf(one.longestM),
                                            cellOf(one.reachM),
                                            mediaOf(one),
                                            {},
                                            {}});
                !taken)
                return taken;
        for (const auto& kind : interconnectKinds())
            if (const auto taken = take(Row{std::string("technology"),
                                            std::string(wordOf(kind.level)),
                                            {},
                                            std::string(kind.technology),
                                            {},
                                            kind.gbytesPerS,
                                            {},
                                            {},
                                            {},
                                            kind.reachM,
                                            {},
                                            std::string(kind.source),
                                            std::string(kind.reachSource)});
                !taken)
                return taken;
        return {};
    };
    return table;
}

std::string interconnectSvg(const InterconnectMap& map, const DesignStamp& stamp)
{
    std::string out = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="sans-serif" font-size="12">)"
        "\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{2}\" y=\"26\" font-size=\"17\" font-weight=\"bold\" "
        "fill=\"#0f172a\">{3}</text>\n<text x=\"{2}\" y=\"44\" fill=\"#475569\">{4}</text>\n",
        kWidth, kHeight, kLeft, escapedText(words(i18n("Interconnect map"))), escapedText(words(stamp.text())));
    addGrid(out);
    double legend = kTop;
    for (const InterconnectMark& mark : interconnectMarks(map)) {
        const double y = yOf(mark.gbytesPerS), from = xOf(mark.fromM), to = xOf(mark.toM);
        if (!mark.ofDesign) {
            out += fmt::format("<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4\" fill=\"{2}\" stroke=\"#64748b\"/>\n<text transform=\"translate({3:.1f} "
                               "{4:.1f}) rotate(-48)\" font-size=\"11\" fill=\"#64748b\">{5}</text>\n",
                               to, y, mark.assumed ? "#ffffff" : "#64748b", to + 4, y - 7, escapedText(interconnectKinds()[mark.index].technology));
            continue;
        }
        const char* color = kColors[mark.index % std::size(kColors)];
        if (mark.reachM > 0)
            out += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"{3}\" stroke-dasharray=\"2 4\"/>\n", to, y,
                               xOf(mark.reachM), color);
        if (mark.toM > 0)
            out += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"{3}\" stroke-width=\"4\" "
                               "stroke-linecap=\"round\" opacity=\"0.7\"/>\n<circle cx=\"{2:.1f}\" cy=\"{1:.1f}\" r=\"8\" fill=\"{3}\"/>\n<text "
                               "x=\"{2:.1f}\" y=\"{4:.1f}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#ffffff\">{5}</text>\n",
                               from, y, to, color, y + 3.5, mark.index + 1);
        const double x = kWidth - kRight + 24;
        out += fmt::format("<circle cx=\"{0}\" cy=\"{1:.1f}\" r=\"8\" fill=\"{2}\"/>\n<text x=\"{0}\" y=\"{3:.1f}\" text-anchor=\"middle\" "
                           "font-size=\"10\" fill=\"#ffffff\">{4}</text>\n<text x=\"{5}\" y=\"{6:.1f}\" fill=\"#0f172a\">{7}</text>\n",
                           x, legend, color, legend + 3.5, mark.index + 1, x + 16, legend + 4,
                           escapedText(words(interconnectLine(map.links[mark.index]))));
        legend += 22;
    }
    return out + "</svg>\n";
}

} // namespace hw
