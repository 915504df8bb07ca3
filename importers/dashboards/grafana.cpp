// SPDX-License-Identifier: GPL-3.0-or-later
// A Grafana dashboard of a hall, on series that have the labels of `export prometheus-sd`.
#include "core/foundation/files/atomic_file.h"
#include "importers/dashboards/dashboard_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::importers {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Text between the quotes of PromQL.
std::string promQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

/// Letters, digits and dashes, at most 40 signs as Grafana allows.
std::string dashboardId(const std::string& design, const std::string& hall)
{
    std::string out;
    for (const char c : design + "-" + hall) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        const bool large = c >= 'A' && c <= 'Z';
        if (plain || large)
            out += large ? char(c - 'A' + 'a') : c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    }
    if (out.size() > 40) out = out.substr(out.size() - 40);
    while (out.ends_with('-')) out.pop_back();
    out.erase(0, out.find_first_not_of('-') == out.npos ? 0 : out.find_first_not_of('-'));
    return out;
}

/// Lays panels out from left to right, 24 columns wide.
class Dashboard {
public:
    explicit Dashboard(std::string selector) : m_selector(std::move(selector)) {}

    void row(const Text& title)
    {
        newLine();
        m_panels.push_back({{"id", ++m_id},
                            {"type", "row"},
                            {"title", words(title)},
                            {"collapsed", false},
                            {"gridPos", grid(24, 1)},
                            {"panels", OrderedJson::array()}});
        newLine();
    }
    struct Query {
        std::string expression, legend;
    };
    OrderedJson& panel(const char* type, const Text& title, int width, const char* unit, const std::vector<Query>& queries, bool instant = false)
    {
        OrderedJson targets = OrderedJson::array();
        for (const Query& query : queries) {
            OrderedJson one{{"datasource", source()},       {"expr", query.expression},
                            {"legendFormat", query.legend}, {"refId", std::string(1, char('A' + targets.size()))},
                            {"instant", instant},           {"range", !instant}};
            if (instant && std::string(type) == "table") one["format"] = "table";
            targets.push_back(std::move(one));
        }
        m_panels.push_back({{"id", ++m_id},
                            {"type", type},
                            {"title", words(title)},
                            {"datasource", source()},
                            {"gridPos", grid(width, 8)},
                            {"targets", std::move(targets)},
                            {"fieldConfig", {{"defaults", {{"unit", unit}}}, {"overrides", OrderedJson::array()}}},
                            {"options", OrderedJson::object()}});
        return m_panels.back();
    }
    void alertList(const Text& title, int width, const std::string& hall)
    {
        m_panels.push_back({{"id", ++m_id},
                            {"type", "alertlist"},
                            {"title", words(title)},
                            {"gridPos", grid(width, 8)},
                            {"options",
                             {{"maxItems", 50},
                              {"sortOrder", 1},
                              {"alertInstanceLabelFilter", "{hall=" + promQuoted(hall) + "}"},
                              {"stateFilter", {{"firing", true}, {"pending", true}, {"noData", false}, {"normal", false}, {"error", true}}}}}});
    }
    /// A metric of the hall and the chosen rows, with more conditions on its labels.
    [[nodiscard]] std::string of(const std::string& metric, const std::string& more = {}) const
    {
        return metric + "{" + m_selector + (more.empty() ? "" : ", " + more) + "}";
    }
    [[nodiscard]] OrderedJson panels() const { return m_panels; }
    static OrderedJson source() { return {{"type", "prometheus"}, {"uid", "${DS_PROMETHEUS}"}}; }

private:
    OrderedJson grid(int width, int height)
    {
        if (m_x + width > 24) newLine();
        OrderedJson out{{"h", height}, {"w", width}, {"x", m_x}, {"y", m_y}};
        m_x += width, m_height = std::max(m_height, height);
        return out;
    }
    void newLine() { m_y += m_height, m_x = 0, m_height = 0; }
    std::string m_selector;
    OrderedJson m_panels = OrderedJson::array();
    int m_id = 0, m_x = 0, m_y = 0, m_height = 0;
};

/// sum by (row) (…)
std::string by(const char* operation, const char* labels, const std::string& expression)
{
    return fmt::format("{} by ({}) ({})", operation, labels, expression);
}
std::string most(const std::string& expression) { return "topk(20, " + expression + ")"; }

/// Power of PDUs in W, whichever vendor's they are: metrics of snmp_exporter, made whole.
std::string pduPower(const Dashboard& d)
{
    return fmt::format("{} * 10 or {} or {} or {} or {} or {}", d.of("rPDU2DeviceStatusPower"), d.of("st4InputCordActivePower"),
                       d.of("lgpPduPsEntryPwrTotal"), d.of("pduTotalRealPower"), d.of("inputTotalWatts"), d.of("inletActivePower"));
}

void fill(Dashboard& d, const std::string& hall, std::int64_t limitW)
{
    const std::string pdus = pduPower(d);
    d.row(i18n("Power"));
    OrderedJson& total = d.panel("stat", i18n("Power of the hall"), 6, "watt",
                                 {{"sum(" + pdus + ")", words(i18n("PDUs"))}, {"sum(" + d.of("DCGM_FI_DEV_POWER_USAGE") + ")", words(i18n("GPUs"))}});
    if (limitW > 0)
        total["fieldConfig"]["defaults"]["thresholds"] = {
            {"mode", "absolute"}, {"steps", OrderedJson::array({{{"color", "green"}, {"value", nullptr}}, {{"color", "red"}, {"value", limitW}}})}};
    d.panel("timeseries", i18n("Power by row"), 9, "watt", {{by("sum", "row", pdus), "{{row}}"}});
    d.panel("timeseries", i18n("GPU power by row"), 9, "watt", {{by("sum", "row", d.of("DCGM_FI_DEV_POWER_USAGE")), "{{row}}"}});
    d.panel("bargauge", i18n("Racks with the highest power"), 12, "watt", {{most(by("sum", "rack", pdus)), "{{rack}}"}}, true);
    d.panel("timeseries", i18n("Power by feed"), 6, "watt", {{by("sum", "feed", pdus), "{{feed}}"}});
    d.panel("timeseries", i18n("UPS load"), 6, "percent", {{by("max", "instance", d.of("upsOutputPercentLoad")), "{{instance}}"}});
    d.row(i18n("Temperatures"));
    d.panel("timeseries", i18n("GPU temperature by row, maximum"), 8, "celsius", {{by("max", "row", d.of("DCGM_FI_DEV_GPU_TEMP")), "{{row}}"}});
    d.panel("bargauge", i18n("Racks with the highest GPU temperature"), 8, "celsius",
            {{most(by("max", "rack", d.of("DCGM_FI_DEV_GPU_TEMP"))), "{{rack}}"}}, true);
    d.panel("timeseries", i18n("Air temperature at PDU sensors, maximum by row"), 8, "celsius",
            {{by("max", "row", d.of("rPDU2SensorTempHumidityStatusTempC") + " / 10"), "{{row}}"}});
    d.panel("timeseries", i18n("Coolant supply and return of CDUs"), 12, "celsius",
            {{by("max", "instance", d.of("cdu_secondary_supply_temp_celsius")), words(i18n("{} supply", "{{instance}}"))},
             {by("max", "instance", d.of("cdu_secondary_return_temp_celsius")), words(i18n("{} return", "{{instance}}"))}});
    d.panel("timeseries", i18n("Coolant flow of CDUs (L/min)"), 12, "none",
            {{by("sum", "instance", d.of("cdu_secondary_flow_lpm")), "{{instance}}"}});
    d.row(i18n("Network"));
    d.panel("timeseries", i18n("Traffic by tier, received"), 8, "bps",
            {{by("sum", "tier", "rate(" + d.of("ifHCInOctets") + "[$__rate_interval])") + " * 8", "{{tier}}"}});
    d.panel("timeseries", i18n("Ports with the most errors"), 8, "pps",
            {{most(by("sum", "instance,ifName", "rate(" + d.of("ifInErrors") + "[$__rate_interval])")), "{{instance}} {{ifName}}"}});
    d.panel("timeseries", i18n("Ports down by tier"), 8, "none", {{by("count", "tier", d.of("ifOperStatus") + " == 2"), "{{tier}}"}});
    d.row(i18n("Alarms"));
    d.alertList(i18n("Alerts"), 8, hall);
    d.panel("table", i18n("GPUs with an XID error"), 8, "none", {{d.of("DCGM_FI_DEV_XID_ERRORS") + " > 0", ""}}, true);
    d.panel("table", i18n("Targets down"), 8, "none", {{d.of("up") + " == 0", ""}}, true);
}

class GrafanaExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"grafana", TextId("Grafana dashboard of a hall: power, temperatures, network, alarms; .json")};
    }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"hall", "NAME", i18n("hall of the dashboard, if the design has several")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const Snapshot& s = **design;
        std::vector<HallId> halls;
        std::vector<std::string> names;
        s.halls.forEach([&](HallId id) {
            if (s.halls.kind[id] != RoomKind::Hall) return;
            halls.push_back(id), names.push_back(s.halls.name[id]);
        });
        const std::string wanted = job.option("hall");
        const auto found = std::ranges::find(names, wanted);
        if (halls.empty()) return fail(ErrorCode::Refused, job.project.string(), i18n("contains no hall"), i18n("add a hall"));
        if (wanted.empty() ? halls.size() > 1 : found == names.end())
            return fail(ErrorCode::Refused, wanted.empty() ? std::string("--hall") : "--hall " + wanted,
                        wanted.empty() ? i18n("missing: the design has several halls") : i18n("no hall with this name"),
                        i18n("choose from {}", listedNames(names)));
        const auto place = wanted.empty() ? 0 : std::size_t(found - names.begin());
        return writeFile(job.output, dashboard(s, halls[place], names[place]).dump(1) + "\n");
    }

private:
    static OrderedJson dashboard(const Snapshot& s, HallId hall, const std::string& name)
    {
        const std::string design = s.setting("project.name");
        Dashboard d("hall=" + promQuoted(name) + ", row=~\"$row\"");
        fill(d, name, s.halls.itLimit[hall].count() / 1000);
        const OrderedJson input{{"name", "DS_PROMETHEUS"}, {"label", "Prometheus"},    {"description", ""},
                                {"type", "datasource"},    {"pluginId", "prometheus"}, {"pluginName", "Prometheus"}};
        const std::string rows = "label_values(up{hall=" + promQuoted(name) + "}, row)";
        const OrderedJson row{{"name", "row"},
                              {"label", words(i18n("Row"))},
                              {"type", "query"},
                              {"datasource", Dashboard::source()},
                              {"definition", rows},
                              {"query", {{"query", rows}, {"refId", "rows"}}},
                              {"refresh", 2},
                              {"sort", 1},
                              {"multi", true},
                              {"includeAll", true},
                              {"allValue", ".*"},
                              {"current", {{"selected", true}, {"text", OrderedJson::array({"All"})}, {"value", OrderedJson::array({"$__all"})}}}};
        return {{"__inputs", OrderedJson::array({input})},
                {"__requires", OrderedJson::array({{{"type", "grafana"}, {"id", "grafana"}, {"name", "Grafana"}, {"version", "10.4.0"}},
                                                   {{"type", "datasource"}, {"id", "prometheus"}, {"name", "Prometheus"}, {"version", "1.0.0"}}})},
                {"id", nullptr},
                {"uid", dashboardId(design, name)},
                {"title", design.empty() ? name : design + " " + name},
                {"tags", OrderedJson::array({"hallwright"})},
                {"schemaVersion", 39},
                {"version", 1},
                {"editable", true},
                {"refresh", "30s"},
                {"time", {{"from", "now-6h"}, {"to", "now"}}},
                {"timezone", "browser"},
                {"templating", {{"list", OrderedJson::array({row})}}},
                {"annotations", {{"list", OrderedJson::array()}}},
                {"panels", d.panels()}};
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> grafanaExporter() { return std::make_unique<GrafanaExporter>(); }

} // namespace hw::importers
