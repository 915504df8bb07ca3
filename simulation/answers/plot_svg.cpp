// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/answers/plot_svg.h"

#include "simulation/answers/answer_text.h"
#include "simulation/answers/answer_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr double kWidth = 880, kHeight = 520, kLeft = 90, kRight = 200, kTop = 50, kBottom = 70;
constexpr int kPieces = 5; ///< of an axis, about
constexpr std::array kColors = {"#2563eb", "#ea580c", "#16a34a", "#9333ea", "#0891b2", "#dc2626", "#ca8a04", "#475569"};

using Line = SweepPlot::Line;

std::string escaped(const std::string& text)
{
    std::string out;
    for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

const Json* find(const std::vector<std::pair<std::string, Json>>& values, const std::string& key)
{
    const auto it = std::ranges::find(values, key, &std::pair<std::string, Json>::first);
    return it == values.end() ? nullptr : &it->second;
}

/// The first number that differs between points; else the first number.
std::string chooseKey(const std::vector<std::vector<std::pair<std::string, Json>>>& points)
{
    std::string first;
    for (const auto& [key, value] : points.front()) {
        if (!value.is_number()) continue;
        if (first.empty()) first = key;
        for (const auto& other : points)
            if (const Json* v = find(other, key); v && *v != value) return key;
    }
    return first;
}

std::vector<std::vector<std::pair<std::string, Json>>> leavesOfPoints(const Json& document)
{
    std::vector<std::vector<std::pair<std::string, Json>>> points;
    for (const Json& point : document["sweep"]["points"]) points.push_back(leaves(point["results"]));
    return points;
}

void widen(PlotAxis& axis)
{
    if (axis.high > axis.low) return;
    axis.low -= 0.5;
    axis.high += 0.5;
}

std::string drawn(const std::string& title, const std::string& xName, const std::string& yName, const std::vector<Line>& lines,
                  const std::vector<std::string>& categories, bool logarithmic)
{
    PlotAxis x{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(), kLeft, kWidth - kRight};
    PlotAxis y{0, std::numeric_limits<double>::lowest(), kHeight - kBottom, kTop};
    for (const Line& line : lines)
        for (const auto& [px, py] : line.points)
            x.low = std::min(x.low, px), x.high = std::max(x.high, px), y.low = std::min(y.low, py), y.high = std::max(y.high, py);
    x.logarithmic = logarithmic;
    widen(x);
    widen(y);
    std::string out = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="sans-serif" font-size="13">)"
        "\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{2}\" y=\"28\" font-size=\"17\" font-weight=\"bold\" "
        "fill=\"#0f172a\">{3}</text>\n",
        kWidth, kHeight, kLeft, escaped(title));
    for (const double t : ticksOf(y, kPieces))
        out += fmt::format("<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\" stroke=\"#e2e8f0\"/><text x=\"{3}\" y=\"{4:.2f}\" "
                           "text-anchor=\"end\" fill=\"#475569\">{5:.6g}</text>\n",
                           x.from, x.to, y.at(t), x.from - 8, y.at(t) + 4, t);
    const auto mark = [&](double v, const std::string& label) {
        out += fmt::format("<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#94a3b8\"/><text x=\"{0:.2f}\" y=\"{3}\" "
                           "text-anchor=\"middle\" fill=\"#475569\">{4}</text>\n",
                           x.at(v), y.from, y.from + 5, y.from + 21, escaped(label));
    };
    if (categories.empty())
        for (const double t : ticksOf(x, kPieces)) mark(t, fmt::format("{:.6g}", t));
    else
        for (std::size_t i = 0; i < categories.size(); ++i) mark(double(i), categories[i]);
    out += fmt::format("<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"#475569\"/>\n<text x=\"{3}\" y=\"{4}\" text-anchor=\"middle\" "
                       "fill=\"#0f172a\">{5}</text>\n<text transform=\"translate(20 {6}) rotate(-90)\" "
                       "text-anchor=\"middle\" fill=\"#0f172a\">{7}</text>\n",
                       x.from, x.to, y.from, (x.from + x.to) / 2, kHeight - 20, escaped(xName), (y.from + y.to) / 2, escaped(yName));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const char* color = kColors[i % kColors.size()];
        std::string path;
        for (const auto& [px, py] : lines[i].points) path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : " L", x.at(px), y.at(py));
        if (lines[i].joined) out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path, color);
        for (std::size_t p = 0; p < lines[i].points.size(); ++p) {
            const auto [px, py] = lines[i].points[p];
            const std::string tip = p < lines[i].titles.size() ? "<title>" + escaped(lines[i].titles[p]) + "</title>" : std::string();
            out += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.5\" fill=\"{}\"{}\n", x.at(px), y.at(py), color,
                               tip.empty() ? "/>" : ">" + tip + "</circle>");
        }
        if (!lines[i].label.empty())
            out += fmt::format(
                "<rect x=\"{0}\" y=\"{1}\" width=\"14\" height=\"4\" fill=\"{2}\"/><text x=\"{3}\" y=\"{4}\" fill=\"#0f172a\">{5}</text>\n",
                kWidth - kRight + 16, kTop + 22.0 * double(i), color, kWidth - kRight + 36, kTop + 22.0 * double(i) + 6, escaped(lines[i].label));
    }
    return out + "</svg>\n";
}

} // namespace

double PlotAxis::at(double v) const
{
    const double share = logarithmic ? (std::log10(v) - std::log10(low)) / (std::log10(high) - std::log10(low)) : (v - low) / (high - low);
    return from + share * (to - from);
}

std::vector<double> ticksOf(const PlotAxis& axis, int pieces)
{
    const auto [low, high] = std::pair(axis.low, axis.high);
    std::vector<double> out;
    if (axis.logarithmic) {
        for (double v = std::pow(10.0, std::floor(std::log10(low))); v <= high * 1.0001; v *= 10)
            if (v >= low * 0.9999) out.push_back(v);
        return out;
    }
    const double raw = (high - low) / pieces, power = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = raw / power < 1.5 ? power : raw / power < 3.5 ? 2 * power : raw / power < 7.5 ? 5 * power : 10 * power;
    for (double v = std::ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step) out.push_back(std::abs(v) < step * 1e-9 ? 0 : v);
    return out;
}

Result<SweepPlot> sweepPlot(const Json& document, const std::string& wanted)
{
    if (!document.contains("sweep")) return fail(ErrorCode::Usage, "--plot", i18n("the result is not a sweep"), i18n("add --sweep PATH=V1,V2,…"));
    const Json& sweep = document["sweep"];
    const auto points = leavesOfPoints(document);
    SweepPlot plot{sweep["parameters"][0].get<std::string>(), wanted.empty() ? chooseKey(points) : wanted, {}, {}, false};
    const Json* sample = find(points.front(), plot.key);
    if (!sample || !sample->is_number()) {
        std::vector<std::string> known;
        for (const auto& [name, value] : points.front())
            if (value.is_number() && known.size() < 8) known.push_back(name);
        return fail(ErrorCode::Usage, "--y", i18n("'{}' is not a number in the results", plot.key), i18n("for example: {}", listedNames(known)));
    }
    bool numeric = true;
    for (const Json& point : sweep["points"]) numeric = numeric && point["values"][0].is_number();
    double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Json& values = sweep["points"][i]["values"];
        std::string label;
        for (std::size_t a = 1; a < values.size(); ++a)
            label += fmt::format("{}{} {}", label.empty() ? "" : ", ", sweep["parameters"][a].get<std::string>(),
                                 values[a].is_string() ? values[a].get<std::string>() : values[a].dump());
        auto line = std::ranges::find(plot.lines, label, &Line::label);
        if (line == plot.lines.end()) {
            std::vector<Text> others;
            for (std::size_t a = 1; a < values.size(); ++a) {
                const KeyWords said = wordsOf(sweep["parameters"][a].get<std::string>());
                others.push_back(i18n("{} {}", said.label, shownValue(values[a], said.quantity)));
            }
            line = plot.lines.insert(plot.lines.end(), {label, others.empty() ? Text() : listed(std::move(others)), {}});
        }
        double x = 0;
        if (numeric)
            x = values[0].get<double>();
        else {
            const auto name = values[0].is_string() ? values[0].get<std::string>() : values[0].dump();
            auto at = std::ranges::find(plot.categories, name);
            if (at == plot.categories.end()) at = plot.categories.insert(plot.categories.end(), name);
            x = double(at - plot.categories.begin());
        }
        least = std::min(least, x), most = std::max(most, x);
        if (const Json* y = find(points[i], plot.key); y && y->is_number()) line->points.emplace_back(x, y->get<double>());
    }
    plot.logarithmic = numeric && least > 0 && most / least >= 100;
    return plot;
}

std::vector<std::string> sweptNumbers(const Json& document)
{
    std::vector<std::string> keys;
    if (!document.contains("sweep") || document["sweep"]["points"].empty()) return keys;
    const auto points = leavesOfPoints(document);
    for (const auto& [key, value] : points.front()) {
        if (!value.is_number() || key.find("certificate") != std::string::npos) continue;
        const bool differs = std::ranges::any_of(points, [&](const auto& other) {
            const Json* v = find(other, key);
            return v && *v != value;
        });
        if (differs) keys.push_back(key);
    }
    return keys;
}

std::string chartSvg(const std::string& title, const std::string& xName, const std::string& yName, const std::vector<SweepPlot::Line>& lines)
{
    return drawn(title, xName, yName, lines, {}, false);
}

Result<std::string> plotSvg(const Json& document, const std::string& wanted)
{
    const auto plot = sweepPlot(document, wanted);
    if (!plot) return tl::unexpected(plot.error());
    return drawn(words(resourceText(document["name"].get<std::string>())), plot->xName, plot->key, plot->lines, plot->categories, plot->logarithmic);
}

} // namespace questions
} // namespace hw::sim
