// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/epanet_parts.h"

namespace hw::importers::epanet {

namespace {

constexpr double kHorsepowerW = 745.7;

} // namespace

EpanetNode& EpanetReader::addNode(const EpanetRow& row)
{
    if (!m_nodeOf.emplace(id(row), m_nodes.size()).second)
        refuse(row.line, i18n("duplicate node \"{}\"", row.words[0]), i18n("use a unique id for each"));
    EpanetNode& made = m_nodes.emplace_back();
    made.id = row.words[0], made.line = row.line;
    return made;
}

void EpanetReader::nodes()
{
    for (const auto& row : rows(Section::Junctions)) {
        EpanetNode& made = addNode(row);
        if (row.words.size() > 1) made.elevation = lengthM(number(row, 1));
        if (row.words.size() > 2) made.demands.emplace_back(number(row, 2), row.words.size() > 3 ? row.words[3] : "");
    }
    const auto reservoir = [&](const EpanetRow& row) {
        EpanetNode& made = addNode(row);
        made.fixed = true, made.elevation = made.head = lengthM(number(row, 1));
        if (row.words.size() > 2) made.headPattern = row.words[2];
    };
    for (const auto& row : rows(Section::Reservoirs)) reservoir(row);
    for (const auto& row : rows(Section::Tanks)) {
        if (row.words.size() < 4) { // a tank without levels is a reservoir
            reservoir(row);
            continue;
        }
        EpanetNode& made = addNode(row);
        made.fixed = made.tank = true;
        made.elevation = lengthM(number(row, 1)), made.head = made.elevation + lengthM(number(row, 2));
        if (number(row, 2) < number(row, 3) || (row.words.size() > 4 && number(row, 2) > number(row, 4)))
            refuse(row.line, i18n("initial level of tank \"{}\" is not between its lowest and highest", made.id), i18n("correct the levels"));
    }
    if (m_nodes.size() < 2) refuse(0, i18n("has fewer than two nodes"), i18n("specify a network with junctions and a reservoir or tank"));
}

void EpanetReader::demands()
{
    for (const auto& row : rows(Section::Demands)) {
        if (upper(row.words[0]).starts_with("MULT")) {
            m_multiplier = number(row, 1);
            continue;
        }
        EpanetNode& at = m_nodes[node(row, 0)];
        if (at.fixed) refuse(row.line, i18n("\"{}\" is not a junction", at.id), i18n("remove its demand"));
        if (!at.listed) at.demands.clear(), at.listed = true;
        at.demands.emplace_back(number(row, 1), row.words.size() > 2 ? row.words[2] : "");
    }
}

std::size_t EpanetReader::node(const EpanetRow& row, std::size_t i) const
{
    if (i >= row.words.size()) refuse(row.line, i18np(row.words.size(), "has {} column", "has {} columns"), i18n("add the missing values"));
    const auto found = m_nodeOf.find(row.words[i]);
    if (found == m_nodeOf.end()) refuse(row.line, i18n("unknown node \"{}\"", row.words[i]), i18n("add it to [JUNCTIONS], [RESERVOIRS] or [TANKS]"));
    return found->second;
}

EpanetLink& EpanetReader::addLink(const EpanetRow& row, EpanetLink::Kind kind)
{
    if (!m_linkOf.emplace(id(row), m_links.size()).second)
        refuse(row.line, i18n("duplicate link \"{}\"", row.words[0]), i18n("use a unique id for each"));
    const std::size_t from = node(row, 1), to = node(row, 2);
    if (from == to) refuse(row.line, i18n("\"{}\" starts and ends at the same node", row.words[0]), i18n("correct its nodes"));
    EpanetLink& made = m_links.emplace_back();
    made.id = row.words[0], made.line = row.line, made.kind = kind, made.from = from, made.to = to;
    return made;
}

void EpanetReader::pipes()
{
    for (const auto& row : rows(Section::Pipes)) {
        EpanetLink& pipe = addLink(row, EpanetLink::Kind::Pipe);
        pipe.length = lengthM(number(row, 3)), pipe.diameter = diameterMm(number(row, 4)), pipe.roughness = number(row, 5);
        if (m_formula == "darcy-weisbach" && !m_unit.metric) pipe.roughness *= kFootM; // thousandths of a foot; millimeters otherwise
        const auto status = [&](const std::string& word) {
            const std::string large = upper(word);
            if (large == "CV")
                pipe.check = true;
            else if (large == "CLOSED")
                pipe.status = EpanetStatus::Closed;
            else if (large != "OPEN")
                return false;
            return true;
        };
        if (row.words.size() > 6 && !status(row.words[6])) pipe.minor = number(row, 6);
        if (row.words.size() > 7 && !status(row.words[7]))
            refuse(row.line, i18n("unknown status \"{}\"", row.words[7]), i18n("use OPEN, CLOSED or CV"));
    }
}

void EpanetReader::pumps()
{
    for (const auto& row : rows(Section::Pumps)) {
        EpanetLink& pump = addLink(row, EpanetLink::Kind::Pump);
        if (row.words.size() % 2 == 0 || row.words.size() < 5)
            refuse(row.line, i18n("pump \"{}\" has no pairs of keyword and value", pump.id), i18n("add HEAD with a curve, or POWER"));
        for (std::size_t i = 3; i + 1 < row.words.size(); i += 2) {
            const std::string key = upper(row.words[i]);
            if (key == "HEAD")
                pump.curve = row.words[i + 1];
            else if (key == "POWER")
                pump.power = number(row, i + 1) * (m_unit.metric ? 1000 : kHorsepowerW);
            else if (key == "SPEED")
                pump.speed = number(row, i + 1);
            else if (key == "PATTERN")
                pump.pattern = row.words[i + 1];
            else
                refuse(row.line, i18n("unknown keyword \"{}\"", row.words[i]), i18n("use HEAD, POWER, SPEED or PATTERN"));
        }
        if (pump.curve.empty() && !(pump.power > 0))
            refuse(row.line, i18n("pump \"{}\" has neither a curve nor a power", pump.id), i18n("add HEAD or POWER"));
        if (pump.speed < 0) refuse(row.line, i18n("negative speed"), i18n("correct the value"));
    }
}

void EpanetReader::valves()
{
    for (const auto& row : rows(Section::Valves)) {
        EpanetLink& valve = addLink(row, EpanetLink::Kind::Valve);
        if (row.words.size() < 6) refuse(row.line, i18np(row.words.size(), "has {} column", "has {} columns"), i18n("add the missing values"));
        valve.diameter = diameterMm(number(row, 3));
        valve.type = upper(row.words[4]);
        if (valve.type == "GPV" || valve.type == "PCV")
            valve.curve = row.words[5];
        else if (valve.type == "PRV" || valve.type == "PSV" || valve.type == "PBV" || valve.type == "FCV" || valve.type == "TCV")
            valve.setting = number(row, 5);
        else
            refuse(row.line, i18n("unknown valve type \"{}\"", row.words[4]), i18n("use PRV, PSV, PBV, FCV, TCV or GPV"));
        if (row.words.size() > 6) valve.minor = number(row, 6);
        const bool byPressure = valve.type == "PRV" || valve.type == "PSV" || valve.type == "FCV";
        if (byPressure && (m_nodes[valve.from].fixed || m_nodes[valve.to].fixed))
            refuse(row.line, i18n("valve \"{}\" of type {} ends at a reservoir or tank", valve.id, valve.type),
                   i18n("put a short pipe between them"));
    }
}

void EpanetReader::setStatus(EpanetLink& link, const std::string& word, int line)
{
    const std::string large = upper(word);
    if (link.check) refuse(line, i18n("the status of a check valve cannot be set"), i18n("remove the line"));
    if (large == "OPEN")
        link.status = EpanetStatus::Open;
    else if (large == "CLOSED")
        link.status = EpanetStatus::Closed;
    else if (large == "ACTIVE" && link.kind == EpanetLink::Kind::Valve)
        link.status = EpanetStatus::Active;
    else if (link.kind == EpanetLink::Kind::Pipe)
        refuse(line, i18n("unknown status \"{}\"", word), i18n("use OPEN or CLOSED"));
    else {
        const double value = number(line, word);
        (link.kind == EpanetLink::Kind::Pump ? link.speed : link.setting) = value;
        link.status = EpanetStatus::Active;
        if (link.kind == EpanetLink::Kind::Pump && value < 0) refuse(line, i18n("negative speed"), i18n("correct the value"));
    }
}

void EpanetReader::statuses()
{
    for (const auto& row : rows(Section::Status)) {
        if (row.words.size() < 2) refuse(row.line, i18np(row.words.size(), "has {} column", "has {} columns"), i18n("add the missing values"));
        const auto found = m_linkOf.find(row.words[0]);
        if (found == m_linkOf.end()) refuse(row.line, i18n("unknown link \"{}\"", row.words[0]), i18n("correct the id"));
        setStatus(m_links[found->second], row.words[1], row.line);
    }
    for (auto& link : m_links)
        if (link.kind == EpanetLink::Kind::Pump && !link.pattern.empty()) link.speed = factor(link.pattern, link.line);
}

/// LINK id status IF NODE id BELOW value · LINK id status AT TIME t.
void EpanetReader::control(const EpanetRow& row)
{
    const auto& w = row.words;
    if (w.size() < 6)
        refuse(row.line, i18np(w.size(), "has {} column", "has {} columns"), i18n("specify LINK id status IF NODE id ABOVE value, or AT TIME t"));
    const auto link = m_linkOf.find(w[1]);
    if (link == m_linkOf.end()) refuse(row.line, i18n("unknown link \"{}\"", w[1]), i18n("correct the id"));
    const std::string when = upper(w[3]), what = upper(w[4]);
    if (when == "AT") {
        if (what != "TIME") return note(row.line, i18n("time-of-day control has no effect"));
        if (seconds(row, 5) <= m_hour * 3600) setStatus(m_links[link->second], w[2], row.line);
        return;
    }
    if (when != "IF" || w.size() < 8) refuse(row.line, i18n("unknown control"), i18n("specify IF NODE id ABOVE value, or AT TIME t"));
    const EpanetNode& at = m_nodes[node(row, 5)];
    const std::string side = upper(w[6]);
    if (side != "ABOVE" && side != "BELOW") refuse(row.line, i18n("unknown control"), i18n("specify ABOVE or BELOW"));
    if (!at.tank) return note(row.line, i18n("control by the pressure at \"{}\" has no effect: only tank levels are evaluated", at.id));
    const double level = at.elevation + lengthM(number(row, 7));
    if (side == "BELOW" ? at.head <= level : at.head >= level) setStatus(m_links[link->second], w[2], row.line);
}

void EpanetReader::controls()
{
    for (const auto& row : rows(Section::Controls)) control(row);
}

void EpanetReader::tags()
{
    for (const auto& row : rows(Section::Tags))
        if (row.words.size() > 2 && upper(row.words[0]) == "LINK" && m_linkOf.contains(row.words[1])) m_out.tags[row.words[1]] = row.words[2];
}

} // namespace hw::importers::epanet
