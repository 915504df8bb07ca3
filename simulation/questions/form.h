// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/analyses.h"
#include "simulation/questions/scenario_kind.h"

#include <functional>
#include <type_traits>

namespace hw::sim {
inline namespace questions {

/// The parameters of a kind and where each of them goes, said once: a field, and the place in `Target` that takes its value. A place is a
/// pointer to a member, or a function from Target& to a reference. What is absent (it does not count, or has no default) leaves its place alone.
template <class Target>
class Form {
public:
    using Set = std::function<void(Target&, const Json& value)>;

    /// `set` gets the checked value.
    Form& take(Field field, Set set)
    {
        m_sets.emplace_back(field.key, std::move(set));
        m_fields.push_back(std::move(field));
        return *this;
    }
    /// As it is.
    template <class Place>
    Form& to(Place place, Field field)
    {
        return take(std::move(field), [place](Target& target, const Json& value) {
            auto& at = std::invoke(place, target);
            at = value.get<std::remove_reference_t<decltype(at)>>();
        });
    }
    /// A number that people write in another unit: its place gets it times `factor`.
    template <class Place>
    Form& scaled(Place place, double factor, Field field)
    {
        return take(std::move(field),
                    [place, factor](Target& target, const Json& value) { std::invoke(place, target) = value.get<double>() * factor; });
    }
    /// A number that people count from 1 and programs from 0.
    template <class Place>
    Form& from1(Place place, Field field)
    {
        return take(std::move(field), [place](Target& target, const Json& value) { std::invoke(place, target) = value.get<int>() - 1; });
    }
    /// One of some words, as name() has them.
    template <class Place, class Enum, std::size_t Count>
    Form& oneOf(Place place, const Enum (&choices)[Count], Field field)
    {
        const std::vector<Enum> all(std::begin(choices), std::end(choices));
        return take(std::move(field), [place, all](Target& target, const Json& value) {
            for (const Enum choice : all)
                if (value == name(choice)) std::invoke(place, target) = choice;
        });
    }
    /// The numbers of a selection; none for "all".
    template <class Place>
    Form& some(Place place, Field field)
    {
        return take(std::move(field), [place](Target& target, const Json& value) {
            std::invoke(place, target) = value.is_array() ? value.get<std::vector<int>>() : std::vector<int>();
        });
    }
    /// A list of objects, each with a form of its own.
    template <class Place, class Entry>
    Form& each(Place place, const Form<Entry>& entry, Field field)
    {
        return take(std::move(field), [place, entry](Target& target, const Json& list) {
            auto& at = std::invoke(place, target);
            at.clear();
            for (const Json& value : list) at.push_back(entry.read(value));
        });
    }
    /// One that changes what is shown, or that somebody else reads.
    Form& also(Field field)
    {
        m_fields.push_back(std::move(field));
        return *this;
    }

    [[nodiscard]] const std::vector<Field>& fields() const { return m_fields; }
    /// `parameters`: complete and checked, see readParameters().
    [[nodiscard]] Target read(const Json& parameters, Target start = {}) const
    {
        for (const auto& [key, set] : m_sets)
            if (const auto at = parameters.find(key); at != parameters.end()) set(start, *at);
        return start;
    }

private:
    std::vector<Field> m_fields;
    std::vector<std::pair<std::string, Set>> m_sets;
};

/// A kind that asks about a design, of which everything is said by a form: `run` gets the target filled in.
template <class Target, class Run>
[[nodiscard]] ScenarioKind formKind(std::string name, Text summary, const Form<Target>& form, Run run)
{
    return {std::move(name), std::move(summary), true, form.fields(),
            [form, run](const ScenarioDesign& design, const Json& parameters, const Progress& progress) {
                return run(design, form.read(parameters), progress);
            }};
}

/// The same for a question that needs no design.
template <class Target, class Run>
[[nodiscard]] Analysis formAnalysis(std::string name, Text summary, const Form<Target>& form, Run run)
{
    return {std::move(name), std::move(summary), form.fields(),
            [form, run](const Json& parameters, const Progress& progress) { return run(form.read(parameters), progress); }};
}

} // namespace questions
} // namespace hw::sim
