// SPDX-License-Identifier: GPL-3.0-or-later
// A document on its way to the program that draws it.
#include "core/output/incident/incident.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hw::monitoring {

using Json = nlohmann::ordered_json;
using namespace document;
using document::Table;

namespace {

Json textJson(const Text& text) { return words(text); }
Text textOf(const Json& json) { return verbatim(json.get<std::string>()); }

Json blockJson(const Block& block)
{
    return std::visit(
        [](const auto& b) -> Json {
            using B = std::decay_t<decltype(b)>;
            Json json;
            if constexpr (std::is_same_v<B, Paragraph>) {
                json = {{"block", "paragraph"}, {"text", textJson(b.text)}, {"style", int(b.style)}, {"tone", int(b.tone)}};
            } else if constexpr (std::is_same_v<B, Facts>) {
                json = {{"block", "facts"}, {"lines", Json::array()}};
                for (const auto& line : b.lines) json["lines"].push_back({textJson(line.label), textJson(line.value), int(line.tone)});
            } else if constexpr (std::is_same_v<B, Tiles>) {
                json = {{"block", "tiles"}, {"tiles", Json::array()}};
                for (const auto& t : b.tiles) json["tiles"].push_back({textJson(t.value), textJson(t.label), textJson(t.note), int(t.tone)});
            } else if constexpr (std::is_same_v<B, Points>) {
                json = {{"block", "points"}, {"points", Json::array()}};
                for (const auto& p : b.points) json["points"].push_back({textJson(p.text), int(p.tone)});
            } else if constexpr (std::is_same_v<B, Table>) {
                json = {{"block", "table"}, {"caption", textJson(b.caption)}, {"columns", Json::array()}, {"rows", Json::array()}};
                for (const auto& c : b.columns) json["columns"].push_back({textJson(c.title), c.weight, c.number});
                for (const auto& row : b.rows) {
                    Json cells = Json::array();
                    for (const Cell& cell : row.cells) cells.push_back({textJson(cell.text), int(cell.tone)});
                    json["rows"].push_back({int(row.kind), cells});
                }
            } else if constexpr (std::is_same_v<B, Chart>) {
                json = {{"block", "chart"}, {"caption", textJson(b.caption)}, {"unit", b.unit}, {"curves", Json::array()}, {"marks", Json::array()}};
                for (const auto& curve : b.curves) {
                    Json points = Json::array();
                    for (const auto& [s, value] : curve.points) points.push_back({s, std::isnan(value) ? Json(nullptr) : Json(value)});
                    json["curves"].push_back({textJson(curve.label), curve.dashed, points});
                }
                for (const auto& [s, said] : b.marks) json["marks"].push_back({s, textJson(said)});
            }
            return json;
        },
        block);
}

Chart chartFrom(const Json& json)
{
    Chart chart{textOf(json.at("caption")), json.at("unit"), {}, {}};
    for (const Json& row : json.at("curves")) {
        Chart::Curve curve{textOf(row.at(0)), {}, row.at(1)};
        for (const Json& p : row.at(2)) curve.points.emplace_back(p.at(0).get<double>(), p.at(1).is_null() ? std::nan("") : p.at(1).get<double>());
        chart.curves.push_back(std::move(curve));
    }
    for (const Json& row : json.at("marks")) chart.marks.emplace_back(row.at(0).get<double>(), textOf(row.at(1)));
    return chart;
}

Table tableFrom(const Json& json)
{
    Table table{textOf(json.at("caption")), {}, {}};
    for (const Json& c : json.at("columns")) table.columns.push_back({textOf(c.at(0)), c.at(1), c.at(2)});
    for (const Json& row : json.at("rows")) {
        Table::Row out{{}, RowKind(row.at(0).get<int>())};
        for (const Json& cell : row.at(1)) out.cells.emplace_back(textOf(cell.at(0)), Tone(cell.at(1).get<int>()));
        table.rows.push_back(std::move(out));
    }
    return table;
}

Tiles tilesFrom(const Json& rows)
{
    Tiles tiles;
    for (const Json& t : rows) tiles.tiles.push_back({textOf(t.at(0)), textOf(t.at(1)), textOf(t.at(2)), Tone(t.at(3).get<int>())});
    return tiles;
}

Block blockFrom(const Json& json)
{
    const std::string kind = json.at("block");
    if (kind == "facts") {
        Facts facts;
        for (const Json& line : json.at("lines")) facts.lines.push_back({textOf(line.at(0)), textOf(line.at(1)), Tone(line.at(2).get<int>())});
        return facts;
    }
    if (kind == "tiles") return tilesFrom(json.at("tiles"));
    if (kind == "points") {
        Points points;
        for (const Json& p : json.at("points")) points.points.push_back({textOf(p.at(0)), Tone(p.at(1).get<int>())});
        return points;
    }
    if (kind == "table") return tableFrom(json);
    if (kind == "chart") return chartFrom(json);
    return Paragraph{textOf(json.at("text")), Paragraph::Style(json.at("style").get<int>()), Tone(json.at("tone").get<int>())};
}

} // namespace

std::string documentText(const ReportDocument& d)
{
    Json json{{"title", textJson(d.title)},  {"subtitle", textJson(d.subtitle)}, {"basis", textJson(d.basis)},
              {"project", d.stamp.project},  {"revision", d.stamp.revision},     {"date", d.stamp.date},
              {"cover", blockJson(d.cover)}, {"sections", Json::array()}};
    for (const Section& s : d.sections) {
        Json section{{"title", textJson(s.title)}, {"level", s.level}, {"anchor", s.anchor}, {"blocks", Json::array()}};
        for (const Block& block : s.blocks)
            if (Json one = blockJson(block); !one.is_null()) section["blocks"].push_back(std::move(one));
        json["sections"].push_back(std::move(section));
    }
    return json.dump();
}

Result<ReportDocument> documentFromText(const std::string& text, FiguresPtr figures, const std::string& where)
{
    try {
        const Json json = Json::parse(text);
        ReportDocument d;
        d.figures = std::move(figures);
        d.stamp = {json.at("project"), json.at("revision"), json.at("date")};
        d.title = textOf(json.at("title")), d.subtitle = textOf(json.at("subtitle")), d.basis = textOf(json.at("basis"));
        d.cover = tilesFrom(json.at("cover").at("tiles"));
        for (const Json& s : json.at("sections")) {
            Section section{textOf(s.at("title")), s.at("level"), s.at("anchor"), {}};
            for (const Json& block : s.at("blocks")) section.blocks.push_back(blockFrom(block));
            d.sections.push_back(std::move(section));
        }
        return d;
    } catch (const Json::exception& e) {
        return fail(ErrorCode::Unreadable, where, verbatim(e.what()), i18n("use an unmodified file written by Hallwright"));
    }
}

} // namespace hw::monitoring
