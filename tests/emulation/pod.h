// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "simulation/emulation/naming.h"
#include "tests/emulation/pod_template.h"

#include <string>

/// The sample pod of the emulator: seven NVL72 racks with what serves them, cooled by liquid, fed from two sides.
inline hw::FiguresPtr podFigures(const std::string& name = "nvl72", const hw::ParameterValues& values = {{"segments", 1}})
{
    static const auto catalog = hw::Catalog::load(HW_RESOURCES "/catalog");
    const auto design = podTemplate(name);
    return hw::figuresOf(hw::instantiate(*design, *design->complete(values), *catalog).value()).value();
}

/// A hall under test, by names.
struct Pod {
    explicit Pod(const hw::emulation::Options& options = {}, hw::FiguresPtr figures = podFigures())
        : hall(hw::emulation::Hall::of(std::move(figures), options).value())
    {
    }
    [[nodiscard]] hw::EntityRef entity(const std::string& name) const
    {
        const auto found = hw::findEntity(*hall->model().s, *hall->model().parts, name);
        if (!found) throw std::runtime_error("no " + name);
        return *found;
    }
    [[nodiscard]] hw::DeviceId device(const std::string& name) const { return hw::DeviceId(entity(name).id); }
    [[nodiscard]] double truth(const std::string& name, hw::emulation::Reading reading, int part = 0) const
    {
        const auto no = hall->find(entity(name), reading, part);
        if (!no) throw std::runtime_error("no such sensor of " + name);
        return hall->truth(*no);
    }
    /// What is wrong with a deed; empty: it is done at the next step.
    std::string act(const std::string& line)
    {
        const auto deed = hw::emulation::readLine(line);
        if (!deed) return deed.error().text();
        const auto done = hall->apply(*deed, line);
        return done ? std::string() : done.error().text();
    }
    /// Several, one after the other.
    template <class... More>
    std::string act(const std::string& line, const std::string& next, const More&... more)
    {
        const std::string first = act(line);
        return first + act(next, more...);
    }
    /// So many seconds on, `each` after every one.
    template <class F>
    void run(int seconds, F&& each)
    {
        for (int i = 0; i < seconds; ++i) {
            const auto values = hall->advance(hall->nowMs() + 1000);
            each(values);
        }
    }
    void run(int seconds)
    {
        run(seconds, [](const auto&) {});
    }

    std::unique_ptr<hw::emulation::Hall> hall;
};
