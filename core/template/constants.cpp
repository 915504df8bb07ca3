// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

/// Evaluates each value after those that it reads, whatever their order in the file.
class ConstantSolver {
public:
    ConstantSolver(const TemplateSpec& spec, Scope& scope) : m_spec(spec), m_scope(scope)
    {
        for (std::size_t i = 0; i < spec.values.size(); ++i) {
            const auto& [name, text] = spec.values[i];
            if (scope.contains(name)) throw mistake(text.where, fmt::format("'{}' is a parameter already", name), "rename one of the two");
            if (!m_index.emplace(name, i).second) throw mistake(text.where, fmt::format("the value '{}' is declared twice", name), "leave one out");
        }
        m_state.assign(spec.values.size(), State::New);
    }

    void solve(std::size_t i)
    {
        const auto& [name, text] = m_spec.values[i];
        if (m_state[i] == State::Done) return;
        if (m_state[i] == State::Open) throw mistake(text.where, fmt::format("the value '{}' needs itself", name), "break the circle");
        m_state[i] = State::Open;
        for (const auto& used : namesUsed(text))
            if (const auto found = m_index.find(used); found != m_index.end()) solve(found->second);
        m_scope[name] = double(Expression(text, m_scope).whole());
        m_state[i] = State::Done;
    }

private:
    enum class State { New, Open, Done };
    const TemplateSpec& m_spec;
    Scope& m_scope;
    std::map<std::string, std::size_t> m_index;
    std::vector<State> m_state;
};

} // namespace

void Generator::evaluateConstants()
{
    for (const auto& parameter : m_spec.parameters) m_constants[parameter.name] = double(m_values.at(parameter.name));
    ConstantSolver solver(m_spec, m_constants);
    for (std::size_t i = 0; i < m_spec.values.size(); ++i) solver.solve(i);
}

} // namespace hw
