// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/explore/explore.h"
#include "simulation/questions/scenario_kind.h"

#include <nlohmann/json.hpp>

namespace hw::sim {
inline namespace explore {

namespace {

/// Figures that limits and objectives may name.
constexpr const char* kFigures[] = {"accelerators", "racks",     "it_w",           "facility_w",     "pue",        "capital",
                                    "cost_hour",    "cost_year", "goodput",        "goodput_per_mw", "worst_loss", "worst_loss_share",
                                    "errors",       "phases",    "capital_per_gpu"};

class RequestReader {
public:
    explicit RequestReader(const std::string& where) { m_out.where = where; }

    Result<ExploreRequest> read(std::string_view text)
    {
        m_out.given = Json::parse(text, nullptr, false);
        if (m_out.given.is_discarded())
            return fail(ErrorCode::Unreadable, m_out.where, i18n("invalid JSON"), i18n("check brackets, commas and quotes"));
        for (const auto& step :
             {&RequestReader::head, &RequestReader::designs, &RequestReader::goodput, &RequestReader::limits, &RequestReader::objectives})
            if (const auto fine = (this->*step)(); !fine) return tl::unexpected(fine.error());
        return std::move(m_out);
    }

private:
    tl::unexpected<Error> bad(const std::string& key, Text what, Text todo) const
    {
        return fail(ErrorCode::Unreadable, m_out.where + ": " + key, std::move(what), std::move(todo));
    }

    static bool known(const std::string& figure) { return std::ranges::find(kFigures, figure) != std::end(kFigures); }
    Result<void> checkFigure(const std::string& key, const std::string& figure) const
    {
        if (known(figure)) return {};
        return bad(key, i18n("unknown figure '{}'", figure),
                   i18n("choose one of {}", listedNames(std::vector<std::string>(std::begin(kFigures), std::end(kFigures)))));
    }

    Result<void> head()
    {
        const Json& root = m_out.given;
        if (!root.is_object()) return bad("explore", i18n("not an object"), i18n("see docs/explore.md"));
        for (const auto& [key, value] : root.items())
            if (key != "schema" && key != "name" && key != "designs" && key != "goodput" && key != "limits" && key != "objectives")
                return bad(key, i18n("unknown key"), i18n("use name, designs, goodput, limits, objectives"));
        if (root.contains("schema") && root["schema"] != "hallwright.explore/1")
            return bad("schema", i18n("not an exploration request"), i18n("specify \"hallwright.explore/1\""));
        if (root.contains("name") && !root["name"].is_string()) return bad("name", i18n("not a string"), i18n("put it in quotes"));
        m_out.name = root.value("name", std::string("explore"));
        return {};
    }

    Result<void> designs()
    {
        const Json& root = m_out.given;
        if (!root.contains("designs") || !root["designs"].is_array() || root["designs"].empty())
            return bad("designs", i18n("no designs"), i18n("list at least one {{\"template\": …}}"));
        for (std::size_t i = 0; i < root["designs"].size(); ++i)
            if (const auto fine = family(root["designs"][i], "designs[" + std::to_string(i) + "]"); !fine) return fine;
        return {};
    }

    /// One template with all combinations of what varies; the last parameter varies fastest.
    Result<void> family(const Json& one, const std::string& place)
    {
        if (!one.is_object() || !one.contains("template") || !one["template"].is_string())
            return bad(place, i18n("no template"), i18n("specify {{\"template\": NAME}}"));
        for (const auto& [key, value] : one.items())
            if (key != "template" && key != "set" && key != "vary")
                return bad(place + "." + key, i18n("unknown key"), i18n("use template, set, vary"));
        Candidate base{one["template"].get<std::string>(), {}};
        if (one.contains("set")) {
            if (!one["set"].is_object()) return bad(place + ".set", i18n("not an object"), i18n("specify {{\"parameter\": value}}"));
            for (const auto& [name, value] : one["set"].items()) {
                if (value.is_structured() || value.is_null())
                    return bad(place + ".set." + name, i18n("not a single value"), i18n("specify a number or a string"));
                base.parameters[name] = value;
            }
        }
        std::vector<Candidate> all{base};
        if (one.contains("vary")) {
            if (!one["vary"].is_object()) return bad(place + ".vary", i18n("not an object"), i18n("specify {{\"parameter\": [values]}}"));
            for (const auto& [name, values] : one["vary"].items()) {
                const std::string key = place + ".vary." + name;
                if (base.parameters.contains(name)) return bad(key, i18n("also in 'set'"), i18n("remove one of the two"));
                if (!values.is_array() || values.empty()) return bad(key, i18n("not a list"), i18n("specify [value, value, …]"));
                if (all.size() * values.size() + m_out.candidates.size() > kMostDesigns)
                    return bad(key, i18n("more than {:L} designs", kMostDesigns), i18n("shorten the lists"));
                std::vector<Candidate> next;
                for (const Candidate& c : all)
                    for (const Json& value : values) {
                        if (value.is_structured() || value.is_null()) return bad(key, i18n("not a single value"), i18n("specify numbers or strings"));
                        next.push_back(c);
                        next.back().parameters[name] = value;
                    }
                all = std::move(next);
            }
        }
        std::ranges::move(all, std::back_inserter(m_out.candidates));
        return {};
    }

    Result<void> goodput()
    {
        if (!m_out.given.contains("goodput")) return {};
        m_out.goodput = m_out.given["goodput"];
        const auto* kind = findScenarioKind("design-goodput");
        if (!m_out.goodput.is_object() || !kind) return bad("goodput", i18n("not an object"), i18n("specify the parameters of design-goodput"));
        const auto complete = readParameters(m_out.goodput, kind->fields);
        if (!complete) return bad("goodput." + complete.error().where, complete.error().what, complete.error().todo);
        return {};
    }

    Result<void> limits()
    {
        if (!m_out.given.contains("limits")) return {};
        if (!m_out.given["limits"].is_object()) return bad("limits", i18n("not an object"), i18n("specify {{\"figure\": {{\"max\": value}}}}"));
        for (const auto& [figure, bound] : m_out.given["limits"].items()) {
            const std::string key = "limits." + figure;
            if (const auto fine = checkFigure(key, figure); !fine) return fine;
            Bound out{figure, {}, {}};
            if (!bound.is_object() || bound.empty())
                return bad(key, i18n("no minimum or maximum"), i18n("specify {{\"min\": value, \"max\": value}} or one of them"));
            for (const auto& [name, value] : bound.items()) {
                if ((name != "min" && name != "max") || !value.is_number())
                    return bad(key + "." + name, i18n("not a minimum or maximum"), i18n("specify min or max as a number"));
                (name == "min" ? out.least : out.most) = value.get<double>();
            }
            m_out.limits.push_back(std::move(out));
        }
        return {};
    }

    Result<void> objectives()
    {
        if (!m_out.given.contains("objectives")) {
            m_out.objectives = {{"cost_hour", false}, {"goodput_per_mw", true}, {"worst_loss_share", false}};
            return {};
        }
        const Json& list = m_out.given["objectives"];
        if (!list.is_array() || list.empty()) return bad("objectives", i18n("not a list"), i18n("specify [{{\"figure\": NAME, \"best\": \"low\"}}]"));
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string key = "objectives[" + std::to_string(i) + "]";
            const Json& one = list[i];
            if (!one.is_object() || !one.contains("figure") || !one["figure"].is_string() || !one.contains("best") || one.size() != 2 ||
                (one["best"] != "low" && one["best"] != "high"))
                return bad(key, i18n("not an objective"), i18n("specify {{\"figure\": NAME, \"best\": \"low\" or \"high\"}}"));
            if (const auto fine = checkFigure(key, one["figure"].get<std::string>()); !fine) return fine;
            m_out.objectives.push_back({one["figure"].get<std::string>(), one["best"] == "high"});
        }
        return {};
    }

    ExploreRequest m_out;
};

} // namespace

Result<ExploreRequest> parseExploreRequest(std::string_view text, const std::string& where) { return RequestReader(where).read(text); }

} // namespace explore
} // namespace hw::sim
