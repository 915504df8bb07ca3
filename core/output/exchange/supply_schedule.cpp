// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/supply_schedule.h"

#include "core/derived/figures/cords.h"
#include "core/derived/figures/supply.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/files/csv.h"
#include "core/foundation/files/workbook.h"
#include "core/foundation/model/places.h"
#include "core/output/exchange/cable_schedule.h"

#include <functional>

#include <fmt/format.h>

namespace hw {

namespace {

/// A field of a row: text, or a number that a sheet keeps as one.
struct ScheduleField {
    std::string text{};
    double number = 0;
    bool isNumber = false;
};
using ScheduleFields = std::vector<ScheduleField>;

ScheduleField textField(std::string_view value) { return {std::string(value)}; }
/// Empty where `known` is false.
ScheduleField numberField(double value, bool known = true) { return known ? ScheduleField{{}, value, true} : ScheduleField{}; }
std::string numberText(double value) { return fmt::format("{}", std::round(value * 1000) / 1000); }

/// One row per link, cord and pair of hoses.
class ScheduleRows {
public:
    ScheduleRows(const Figures& figures, ScheduleKind kind)
        : m_figures(figures), m_s(*figures.snapshot), m_parts(*figures.parts), m_supply(figures.get<SupplyNode>()), m_kind(kind), m_data(figures)
    {
    }

    [[nodiscard]] std::size_t count() const
    {
        const Cords& cords = m_figures.get<CordsNode>();
        std::size_t rows = takes(Medium::Data) ? m_data.links().size() : 0;
        for (const SupplyLine& line : m_supply.lines()) rows += takes(line.medium);
        return rows + (takes(Medium::Power) ? std::size_t(cords.cordCount()) : 0) + (takes(Medium::Coolant) ? std::size_t(cords.hoseCount()) : 0);
    }

    /// Calls f(fields) for every row; false from f stops.
    void each(const std::function<void(const ScheduleFields&)>& f) const
    {
        if (takes(Medium::Data)) {
            CableRow row;
            for (const LinkId link : m_data.links()) {
                m_data.read(link, row);
                f(dataRow(row));
            }
        }
        for (const SupplyLine& line : m_supply.lines())
            if (takes(line.medium)) f(supplyRow(line));
        const auto& feeds = m_figures.get<PowerFeedsNode>();
        if (takes(Medium::Power)) Cords::forCords(m_s, m_parts, feeds, [&](const Cord& cord) { f(cordRow(cord, feeds)); });
        if (takes(Medium::Coolant))
            Cords::forHoses(m_s, m_parts, m_figures.get<MediumNode<Medium::Coolant>>(), [&](const Cord& hose) { f(hoseRow(hose)); });
    }

private:
    [[nodiscard]] bool takes(Medium medium) const { return m_kind == ScheduleKind::All || int(m_kind) == int(medium); }

    static void addEnd(const CableRow::End& end, ScheduleFields& out)
    {
        for (const std::string_view field : {end.device, std::string_view(end.port), end.hall, end.row, end.rack}) out.push_back(textField(field));
        out.push_back(numberField(end.u, end.u >= 0));
    }
    [[nodiscard]] CableRow::End endOf(DeviceId id, std::string port) const
    {
        CableRow::End end;
        end.device = m_s.devices.name[id], end.port = std::move(port);
        if (const auto rack = m_s.devices.rack[id]) {
            end.rack = m_s.racks.name[*rack];
            if (m_s.devices.u[id] > 0) end.u = m_s.devices.u[id];
        }
        if (const auto row = rowOf(m_s, id)) end.row = m_s.rows.name[*row];
        if (const auto hall = hallOf(m_s, id)) end.hall = m_s.halls.name[*hall];
        return end;
    }
    [[nodiscard]] std::string slug(Maybe<PartTypeId> type) const { return type ? m_s.partTypes.slug[*type] : std::string(); }

    [[nodiscard]] ScheduleFields dataRow(const CableRow& row) const
    {
        ScheduleFields out{numberField(double(row.link.value) + 1), textField(row.network)};
        addEnd(row.from, out), addEnd(row.to, out);
        out.push_back(numberField(row.rail, row.rail >= 0)), out.push_back(numberField(row.plane, row.plane >= 0));
        out.push_back(numberField(row.rateGbps));
        out.push_back(textField(row.medium));
        out.push_back(numberField(double(row.lengthMm) / 1000));
        out.push_back(textField(row.from.transceiver)), out.push_back(textField(row.to.transceiver));
        out.push_back(textField(CableSchedule::label(row)));
        out.push_back(row.cable ? numberField(double((*row.cable).value) + 1) : ScheduleField{});
        out.push_back(textField("data"));
        out.push_back(textField(row.cable ? slug((*m_figures.cabling)[*row.cable].type) : std::string()));
        out.push_back(numberField(1));
        out.resize(out.size() + 4);
        return out;
    }

    /// What all rows without data have in common.
    struct Other {
        CableRow::End from, to;
        ScheduleField id, cable;
        std::string_view medium, kind;
        std::string part, side;
        std::int32_t lengthMm = 0, runs = 1;
        std::uint8_t phase = 0;
        std::int64_t needMa = 0, carriesMa = 0;
    };
    [[nodiscard]] static ScheduleFields rowOfOther(const Other& o)
    {
        CableRow label;
        label.from = o.from, label.to = o.to;
        ScheduleFields out{o.id, ScheduleField{}};
        addEnd(o.from, out), addEnd(o.to, out);
        out.resize(out.size() + 3); // rail, plane, rate
        out.push_back(textField(o.medium));
        out.push_back(numberField(double(o.lengthMm) / 1000));
        out.resize(out.size() + 2); // transceivers
        out.push_back(textField(CableSchedule::label(label)));
        out.push_back(o.cable);
        out.push_back(textField(o.kind));
        out.push_back(textField(o.part));
        out.push_back(numberField(o.runs));
        out.push_back(textField(o.side));
        out.push_back(textField(o.phase > 0 ? fmt::format("L{}", o.phase) : std::string()));
        out.push_back(numberField(double(o.needMa) / 1000, o.needMa > 0));
        out.push_back(numberField(double(o.carriesMa) / 1000, o.carriesMa > 0));
        return out;
    }

    [[nodiscard]] ScheduleFields supplyRow(const SupplyLine& line) const
    {
        Other o;
        const auto cable = m_s.links.cable[line.link];
        o.id = numberField(double(line.link.value) + 1);
        o.from = endOf(line.consumer, portName(m_s, m_parts, m_s.links.from[line.link]));
        o.to = endOf(line.supplier, portName(m_s, m_parts, m_s.links.to[line.link]));
        if (cable) o.cable = numberField(double((*cable).value) + 1);
        o.medium = wordOf(line.medium), o.kind = wordOf(line.size.kind);
        o.part = slug(line.size.type);
        if (line.side) o.side = std::string(1, line.side);
        o.lengthMm = line.lengthMm, o.runs = line.size.runs;
        const PhaseChoice phase = m_s.links.phase[line.link];
        if (phase == PhaseChoice::L1 || phase == PhaseChoice::L2 || phase == PhaseChoice::L3) o.phase = std::uint8_t(phase);
        o.needMa = line.size.needMa, o.carriesMa = line.size.carriesMa;
        return rowOfOther(o);
    }

    [[nodiscard]] ScheduleFields cordRow(const Cord& cord, const PowerFeeds& feeds) const
    {
        const DeviceSpec &device = m_parts.device(m_s.devices.type[cord.device]), &strip = m_parts.device(m_s.devices.type[*cord.supplier]);
        const auto nameAt = [](const auto& list, std::int16_t at) {
            return at >= 0 && std::size_t(at) < list.size() ? list[std::size_t(at)].name : std::string();
        };
        Other o;
        o.from = endOf(cord.device, nameAt(device.inlets, cord.inlet));
        o.to = endOf(*cord.supplier, nameAt(strip.outlets, cord.outlet));
        o.medium = "power", o.kind = "cord";
        o.part = slug(cord.type);
        if (const char side = feeds.side(*cord.supplier)) o.side = std::string(1, side);
        for (const PowerFeed& feed : feeds.of(cord.device))
            if (!feed.link && feed.inlet == cord.inlet && feed.supplier == *cord.supplier) o.phase = feed.phase;
        o.lengthMm = cord.lengthMm;
        if (cord.type) o.carriesMa = m_parts.cable(*cord.type).milliamperes.value;
        return rowOfOther(o);
    }

    [[nodiscard]] ScheduleFields hoseRow(const Cord& hose) const
    {
        const auto& ports = m_parts.device(m_s.devices.type[hose.device]).cooling.ports;
        Other o;
        o.from = endOf(hose.device, ports.empty() ? std::string() : ports.front().name);
        o.to.hall = o.from.hall, o.to.row = o.from.row, o.to.rack = o.from.rack;
        o.to.port = "manifold";
        o.medium = "coolant", o.kind = "hose";
        o.part = slug(hose.type);
        o.lengthMm = hose.lengthMm;
        return rowOfOther(o);
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const Supply& m_supply;
    ScheduleKind m_kind;
    CableSchedule m_data;
};

std::vector<std::string> columnTitles()
{
    std::vector<std::string> titles(kCableColumns.begin(), kCableColumns.end());
    titles.insert(titles.end(), kSupplyColumns.begin(), kSupplyColumns.end());
    return titles;
}

std::string csvOf(const Figures& figures, ScheduleKind kind)
{
    std::string out;
    for (const auto& title : columnTitles()) out += (out.empty() ? "" : ",") + title;
    out += '\n';
    ScheduleRows(figures, kind).each([&](const ScheduleFields& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (i > 0) out += ',';
            if (fields[i].isNumber)
                out += numberText(fields[i].number);
            else
                appendCsv(out, fields[i].text);
        }
        out += '\n';
    });
    return out;
}

Result<void> sheetOf(const Figures& figures, ScheduleKind kind, const std::filesystem::path& path, const Progress& progress)
{
    constexpr std::size_t kMostRows = 1'048'575; // of a sheet, less the header
    const ScheduleRows rows(figures, kind);
    const std::size_t count = rows.count();
    if (count > kMostRows) return fail(ErrorCode::Unreadable, path.string(), i18n("{} rows exceed the sheet limit", count), i18n("use .csv"));
    auto book = Workbook::create(path);
    if (!book) return tl::unexpected(book.error());
    std::vector<Workbook::Column> columns;
    for (const auto& title : columnTitles())
        columns.push_back({title, title == "label" ? 48.0 : title.ends_with("device") || title.ends_with("rack") || title == "part" ? 22.0 : 12.0});
    auto* sheet = book->addSheet(words(i18n("Cables")), columns, count);
    lxw_row_t row = 1;
    rows.each([&](const ScheduleFields& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (fields[i].isNumber)
                worksheet_write_number(sheet, row, lxw_col_t(i), fields[i].number, nullptr);
            else if (!fields[i].text.empty())
                worksheet_write_string(sheet, row, lxw_col_t(i), fields[i].text.c_str(), nullptr);
        }
        ++row;
    });
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, path.string(), i18n("stopped"));
    return book->commit();
}

} // namespace

Result<void> writeSchedule(const Figures& figures, ScheduleKind kind, const std::filesystem::path& file, const Progress& progress)
{
    if (kind == ScheduleKind::Data) return writeCableSchedule(figures, file, progress);
    const auto ending = file.extension();
    if (ending == ".csv") return writeFile(file, csvOf(figures, kind));
    if (ending == ".xlsx") return sheetOf(figures, kind, file, progress);
    return fail(ErrorCode::Usage, file.string(), i18n("file extension not recognized"), i18n("use the extension .csv or .xlsx"));
}

} // namespace hw
