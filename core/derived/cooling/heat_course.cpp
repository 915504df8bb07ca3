// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/heat_course.h"

#include <algorithm>
#include <cmath>

namespace hw::cooling {

namespace {

/// `amount` times part over whole.
std::int64_t partOf(std::int64_t amount, double part, double whole) { return whole > 0 ? std::llround(double(amount) * (part / whole)) : 0; }

} // namespace

HeatTransient::HeatTransient(std::vector<HeatLoop> loops, std::vector<HeatCabinet> cabinets)
    : m_loops(std::move(loops)), m_cabinets(std::move(cabinets)), m_loop(m_loops.size()), m_cabinet(m_cabinets.size())
{
}

void HeatTransient::restart()
{
    std::ranges::fill(m_loop, Store());
    std::ranges::fill(m_cabinet, Store());
    m_now = 0;
}

std::optional<std::int64_t> HeatTransient::lasts(const Store& store, Heat most)
{
    if (store.rate <= 0) return std::nullopt;
    const Heat left = std::max<Heat>(0, most - store.taken);
    return left / store.rate + (left % store.rate != 0);
}

void HeatTransient::pass(Store& store, Heat most, std::int64_t ms)
{
    if (store.rate <= 0) return;
    store.warmed = true;
    const Heat left = std::max<Heat>(0, most - store.taken);
    store.taken = ms > left / store.rate ? std::max(store.taken, most) : store.taken + store.rate * ms;
}

/// Coolant that stops stands as warm as its loop is; when it flows again its warmth spreads over the loop.
void HeatTransient::stand(std::size_t cabinet, bool now, std::span<const Store> before)
{
    Store& own = m_cabinet[cabinet];
    if (own.stands == now) return;
    own.stands = now;
    const std::uint32_t at = m_cabinets[cabinet].loop;
    Store& loop = m_loop[at];
    if (now) {
        const Heat part = std::min(loop.taken, partOf(before[at].taken, double(m_cabinets[cabinet].most), double(m_loops[at].most)));
        own.taken = part;
        loop.taken -= part;
    } else {
        loop.taken = std::min(loop.taken + own.taken, std::max(loop.taken, m_loops[at].most));
        loop.warmed = loop.warmed || own.taken > 0;
        own.taken = 0;
    }
}

void HeatTransient::settle(std::span<const LoopNow> now, std::span<const CabinetNow> cabinets)
{
    const std::vector<Store> before = m_loop;
    for (std::size_t i = 0; i < cabinets.size(); ++i) {
        stand(i, cabinets[i].stands, before);
        m_cabinet[i].rate = cabinets[i].stands ? cabinets[i].heat.count() : 0;
    }
    std::vector<std::int64_t> kept(now.size(), 0); // by facility loop
    for (std::uint32_t i = 0; i < now.size(); ++i) {
        m_loop[i].rate = now[i].own.count();
        double whole = 0;
        for (const auto& onward : m_loops[i].onward) whole += onward.share;
        if (whole <= 0) m_loop[i].rate += now[i].upstream.count();
        for (const auto& onward : m_loops[i].onward) kept[onward.loop] += partOf(now[i].upstream.count(), onward.share * onward.gives, whole);
    }
    for (std::uint32_t i = 0; i < kept.size(); ++i)
        if (kept[i] > 0) share(i, kept[i], now);
}

/// Heat that facility water keeps warms up all that gives its heat to it and flows, by the same kelvins. Air adds no store of its own.
void HeatTransient::share(std::uint32_t facility, std::int64_t kept, std::span<const LoopNow> now)
{
    std::vector<std::uint32_t> group{facility};
    const auto in = [&](std::uint32_t i) { return std::ranges::find(group, i) != group.end(); };
    const auto joins = [&](std::uint32_t i) { // it gives its heat to one of the group, or takes that of a facility loop of the group
        if (in(i) || !now[i].flows) return false;
        if (std::ranges::any_of(m_loops[i].onward, [&](const auto& onward) { return in(onward.loop); })) return true;
        if (!now[i].keeps) return false; // what stays before it never comes to it
        return std::ranges::any_of(group, [&](std::uint32_t g) {
            return m_loops[g].kind == HeatLoop::Kind::Facility &&
                   std::ranges::any_of(m_loops[g].onward, [&](const auto& onward) { return onward.loop == i; });
        });
    };
    for (bool more = true; more;) {
        more = false;
        for (std::uint32_t i = 0; i < m_loops.size(); ++i)
            if (joins(i)) group.push_back(i), more = true;
    }
    double whole = 0;
    for (const std::uint32_t i : group)
        if (m_loops[i].kind != HeatLoop::Kind::Air) whole += m_loops[i].perKelvin();
    for (const std::uint32_t i : group) m_loop[i].rate += partOf(kept, m_loops[i].perKelvin(), whole);
}

std::optional<std::int64_t> HeatTransient::soonest() const
{
    std::optional<std::int64_t> next;
    const auto at = [&](const std::optional<std::int64_t>& lasts) {
        if (lasts) next = std::min(m_now + *lasts, next.value_or(m_now + *lasts));
    };
    for (std::size_t i = 0; i < m_loop.size(); ++i)
        if (m_loops[i].kind != HeatLoop::Kind::Facility && !loopHot(i)) at(loopLasts(i));
    for (std::size_t i = 0; i < m_cabinet.size(); ++i)
        if (!cabinetHot(i)) at(cabinetLasts(i));
    return next;
}

std::size_t HeatTransient::countHot() const
{
    std::size_t hot = 0;
    for (std::size_t i = 0; i < m_loop.size(); ++i) hot += loopHot(i);
    for (std::size_t i = 0; i < m_cabinet.size(); ++i) hot += cabinetHot(i);
    return hot;
}

void HeatTransient::passTo(std::int64_t ms)
{
    const std::size_t before = countHot();
    for (std::size_t i = 0; i < m_loop.size(); ++i) pass(m_loop[i], m_loops[i].most, ms - m_now);
    for (std::size_t i = 0; i < m_cabinet.size(); ++i) pass(m_cabinet[i], m_cabinets[i].most, ms - m_now);
    m_now = ms;
    if (countHot() > before) comeTogether();
}

void HeatTransient::comeTogether()
{
    constexpr std::int64_t kTogetherMs = 10;
    const auto take = [](Store& store, Heat most) {
        if (const auto left = lasts(store, most); store.warmed && left && *left <= kTogetherMs) store.taken = std::max(store.taken, most);
    };
    for (std::size_t i = 0; i < m_loop.size(); ++i) take(m_loop[i], m_loops[i].most);
    for (std::size_t i = 0; i < m_cabinet.size(); ++i) take(m_cabinet[i], m_cabinets[i].most);
}

} // namespace hw::cooling
