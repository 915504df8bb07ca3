// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/demand/demand_reader.h"

#include "core/foundation/base/trim.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::importers {
namespace demand { // short names of its own
namespace {

using namespace sizing;

using Json = nlohmann::ordered_json;

struct BadCurve {
    Error error;
};

[[noreturn]] void refuse(const std::string& where, Text what, Text todo)
{
    throw BadCurve{{ErrorCode::Unreadable, where, std::move(what), std::move(todo)}};
}

QuarterTime dateOf(const std::string& text, const std::string& where)
{
    const auto time = quarterTime(text);
    if (!time) refuse(where, i18n("'{}' is not a valid date", text), i18n("use 2026-07-15, 2026-07 or 2026-Q3"));
    return *time;
}

double amountOf(const std::string& text, const std::string& where)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value) || value < 0 || value > 1e9)
        refuse(where, i18n("'{}' is not a valid accelerator count", text), i18n("use digits only"));
    return value;
}

/// Points by tenant, in the order in which tenants appear.
class Collector {
public:
    void add(const std::string& tenant, QuarterTime time, double accelerators, const std::string& where)
    {
        auto found = std::find_if(m_tenants.begin(), m_tenants.end(), [&](const auto& t) { return t.tenant == tenant && t.kind == m_kind; });
        if (found == m_tenants.end()) {
            m_tenants.push_back({tenant, m_kind, {}, 0, 1, {}});
            found = std::prev(m_tenants.end());
        }
        for (const auto& p : found->points)
            if (p.time == time) refuse(where, i18n("tenant '{}' has two values for the same date", tenant), i18n("remove one of them"));
        found->points.push_back({time, accelerators});
    }
    void kind(TenantDemand::Kind kind) { m_kind = kind; }
    [[nodiscard]] std::vector<TenantDemand> take()
    {
        for (auto& t : m_tenants) std::sort(t.points.begin(), t.points.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
        return std::move(m_tenants);
    }

private:
    TenantDemand::Kind m_kind = TenantDemand::Kind::Steps;
    std::vector<TenantDemand> m_tenants;
};

/// Fields of a line (RFC 4180): in quotes a separator belongs to the field, and two quotes are one.
std::vector<std::string> fieldsOf(const std::string& line, const std::string& place, char separator)
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == separator && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    if (quoted) refuse(place, i18n("quotation mark is not closed"), i18n("close it on the same line"));
    for (auto& field : fields) field = std::string(trimmed(field));
    return fields;
}

/// Takes a row, or names it.
template <class F>
void takeRow(DemandList& list, F&& row)
{
    ++list.rows;
    try {
        row();
    } catch (BadCurve& bad) {
        list.left.push_back(std::move(bad.error));
    }
}

void readCsv(const std::string& text, const std::string& where, DemandList& out)
{
    Collector points;
    int lineNumber = 0;
    bool header = true;
    char separator = ',';
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        const std::string line(trimmed(std::string_view(text).substr(at, end - at)));
        at = end + 1;
        ++lineNumber;
        if (line.empty() || line.starts_with('#')) continue;
        const std::string place = fmt::format("{}:{}", where, lineNumber);
        if (header && line.find(',') == line.npos && line.find(';') != line.npos) separator = ';'; // as spreadsheets of some countries write it
        if (header && line.find(',') == line.npos && line.find('\t') != line.npos) separator = '\t';
        if (std::exchange(header, false)) {
            auto fields = fieldsOf(line, place, separator);
            for (auto& name : fields) std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
            if (fields.size() < 2 || fields[0] != "date" || fields[1] != "accelerators" || fields.size() > 3 ||
                (fields.size() == 3 && fields[2] != "tenant"))
                refuse(place, i18n("header must be date,accelerators or date,accelerators,tenant"), i18n("use one of the two"));
            continue;
        }
        takeRow(out, [&] {
            const auto fields = fieldsOf(line, place, separator);
            if (fields.size() < 2 || fields.size() > 3) refuse(place, i18n("{} fields found", fields.size()), i18n("use date,accelerators,tenant"));
            points.add(fields.size() == 3 ? fields[2] : "", dateOf(fields[0], place), amountOf(fields[1], place), place);
        });
    }
    out.curve.tenants = points.take();
}

const Json& needed(const Json& json, const char* key, const std::string& where)
{
    if (!json.is_object() || !json.contains(key)) refuse(where, i18n("'{}' is missing", key), i18n("add it"));
    return json[key];
}

std::string wordOf(const Json& json, const char* key, const std::string& where)
{
    const auto& value = needed(json, key, where);
    if (!value.is_string()) refuse(where + "." + key, i18n("is not a string"), i18n("put it in quotes"));
    return value.get<std::string>();
}

double numberOf(const Json& json, const char* key, const std::string& where)
{
    const auto& value = needed(json, key, where);
    if (!value.is_number()) refuse(where + "." + key, i18n("is not a number"), i18n("use digits"));
    return value.get<double>();
}

void checkKeys(const Json& json, const std::string& where, const std::set<std::string>& known)
{
    if (!json.is_object()) refuse(where, i18n("not an object"), i18n("use {{…}}"));
    for (const auto& [key, value] : json.items())
        if (!known.contains(key)) refuse(where + "." + key, i18n("unknown key"), i18n("correct the key"));
}

TenantDemand lawOf(const Json& json, const std::string& where)
{
    checkKeys(json, where,
              {"tenant", "start", "accelerators", "multiply", "percent_per_quarter", "percent", "add", "years", "quarters", "months", "until"});
    TenantDemand law;
    law.tenant = json.contains("tenant") ? wordOf(json, "tenant", where) : "";
    law.points.push_back({dateOf(wordOf(json, "start", where), where + ".start"), numberOf(json, "accelerators", where)});
    int kinds = 0, periods = 0;
    const auto kind = [&](const char* key, TenantDemand::Kind which, double least) {
        if (!json.contains(key)) return;
        ++kinds;
        law.kind = which;
        law.amount = numberOf(json, key, where);
        if (!(law.amount > least) || !(law.amount < 1e9))
            refuse(where + "." + key, i18n("{} is out of range", law.amount), i18n("use a value above {}", least));
    };
    kind("multiply", TenantDemand::Kind::Multiply, 0);
    kind("percent_per_quarter", TenantDemand::Kind::Percent, -100);
    kind("percent", TenantDemand::Kind::Percent, -100);
    kind("add", TenantDemand::Kind::Add, -1e9);
    if (kinds != 1)
        refuse(where, i18n("must have exactly one of multiply, percent, percent_per_quarter and add"), i18n("specify the growth exactly once"));
    const auto period = [&](const char* key, double quarters) {
        if (!json.contains(key)) return;
        ++periods;
        law.quarters = numberOf(json, key, where) * quarters;
        if (!(law.quarters > 0)) refuse(where + "." + key, i18n("must be greater than zero"), i18n("specify a duration"));
    };
    period("years", 4), period("quarters", 1), period("months", 1.0 / 3.0);
    if (periods > 1 || (periods == 1 && json.contains("percent_per_quarter")))
        refuse(where, i18n("specifies more than one period"), i18n("keep only one"));
    if (periods == 0 && !json.contains("percent_per_quarter")) refuse(where, i18n("period is missing"), i18n("add years, quarters or months"));
    if (json.contains("until")) law.until = dateOf(wordOf(json, "until", where), where + ".until");
    if (law.points.front().accelerators < 0 || law.points.front().accelerators > 1e9)
        refuse(where + ".accelerators", i18n("not a valid number of accelerators"), i18n("use 0 to 1e9"));
    return law;
}

void readJson(const std::string& text, const std::string& where, DemandList& out)
{
    const auto json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) refuse(where, i18n("invalid JSON"), i18n("correct the syntax"));
    checkKeys(json, where, {"schema", "points", "interpolation", "laws"});
    if (json.contains("schema") && json["schema"] != "hallwright.demand-curve/1")
        refuse(where + ": schema", i18n("is not hallwright.demand-curve/1"), i18n("use that schema"));
    Collector points;
    const std::string way = json.contains("interpolation") ? wordOf(json, "interpolation", where) : "step";
    if (way != "step" && way != "linear") refuse(where + ": interpolation", i18n("unknown value '{}'", way), i18n("use step or linear"));
    points.kind(way == "linear" ? TenantDemand::Kind::Lines : TenantDemand::Kind::Steps);
    if (json.contains("points")) {
        if (!json["points"].is_array()) refuse(where + ": points", i18n("is not a list"), i18n("use […]"));
        for (std::size_t i = 0; i < json["points"].size(); ++i) {
            const auto& point = json["points"][i];
            const std::string place = fmt::format("{}: points[{}]", where, i);
            takeRow(out, [&] {
                checkKeys(point, place, {"date", "accelerators", "tenant"});
                const double accelerators = numberOf(point, "accelerators", place);
                if (accelerators < 0 || accelerators > 1e9)
                    refuse(place + ".accelerators", i18n("not a valid number of accelerators"), i18n("use 0 to 1e9"));
                points.add(point.contains("tenant") ? wordOf(point, "tenant", place) : "", dateOf(wordOf(point, "date", place), place), accelerators,
                           place);
            });
        }
        out.curve.tenants = points.take();
    }
    if (json.contains("laws")) {
        if (!json["laws"].is_array()) refuse(where + ": laws", i18n("is not a list"), i18n("use […]"));
        for (std::size_t i = 0; i < json["laws"].size(); ++i)
            takeRow(out, [&] { out.curve.tenants.push_back(lawOf(json["laws"][i], fmt::format("{}: laws[{}]", where, i))); });
    }
}

} // namespace
} // namespace demand

Text DemandList::counts() const
{
    return i18np(rows, "{:L} row: {:L} read, {:L} skipped", "{:L} rows: {:L} read, {:L} skipped", rows - left.size(), left.size());
}

Result<DemandList> readDemand(const std::string& text, const std::string& where)
{
    try {
        const auto first = text.find_first_not_of(" \t\r\n");
        DemandList list;
        if (first != text.npos && text[first] == '{')
            demand::readJson(text, where, list);
        else
            demand::readCsv(text, where, list);
        const sizing::DemandCurve& curve = list.curve;
        if (curve.empty() && !list.left.empty()) return tl::unexpected(list.left.front());
        if (curve.empty()) demand::refuse(where, i18n("contains no demand"), i18n("add a date and a count"));
        if (curve.lastQuarter() - curve.firstQuarter() > 400) demand::refuse(where, i18n("spans more than 100 years"), i18n("correct the dates"));
        return list;
    } catch (const demand::BadCurve& bad) {
        return tl::unexpected(bad.error);
    }
}

} // namespace hw::importers
