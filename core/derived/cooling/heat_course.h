// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/units.h"

#include <optional>
#include <span>
#include <vector>

/// What warms up while heat is not taken out, and how long that takes. Plain values; knows no design.
///
/// Assumed: a loop whose coolant flows warms up as one, whatever part of its heat is short; coolant that stands in a cabinet takes up that
/// cabinet's heat alone, and brings it along when it flows again; facility water that still flows but is not cooled warms up together with
/// every loop that gives its heat to it, and with the condenser water behind it where that is not cooled either, all by the same kelvins: the
/// loop with the least margin is at its limit first; what has warmed up stays warm.
namespace hw::cooling {

using Heat = std::int64_t; ///< mW for a millisecond, as the energy of batteries

/// A loop, or the air of a room.
struct HeatLoop {
    enum class Kind : std::uint8_t { Liquid, Facility, Air };
    Kind kind = Kind::Liquid;
    Heat most = 0; ///< that it takes up to its limit
    /// Facility water that takes a share of its heat when all is well.
    struct Onward {
        std::uint32_t loop = 0;
        double share = 1;
        double gives = 1; ///< to it, for each watt of that share: more by fans and pumps between
    };
    std::vector<Onward> onward{};
    double limitK = 1; ///< by which it is warmer with `most`
    [[nodiscard]] double perKelvin() const { return limitK > 0 ? double(most) / limitK : 0; }
};

/// The coolant in a cabinet and its manifold.
struct HeatCabinet {
    std::uint32_t loop = 0;
    Heat most = 0;
};

/// Heat that a loop keeps from some moment on, what stands in cabinets left out.
struct LoopNow {
    Milliwatts own;      ///< for want of its own units, pumps and ways
    Milliwatts upstream; ///< because the facility water that it gives its heat to is not cooled
    bool flows = true;
    bool keeps = true; ///< of facility water behind other facility water: some of its heat is not taken out of it
};
struct CabinetNow {
    Milliwatts heat;
    bool stands = false; ///< nothing flows in it
};

/// Follows the warmth of loops and cabinets through states that hold for a while. Times are ms from the failure. Not shared between threads.
class HeatTransient {
public:
    HeatTransient(std::vector<HeatLoop> loops, std::vector<HeatCabinet> cabinets);

    void restart();
    /// What holds from now on, by loop and cabinet.
    void settle(std::span<const LoopNow> loops, std::span<const CabinetNow> cabinets);
    /// When the next loop or cabinet comes to its limit, if all stays so; facility water by itself has none.
    [[nodiscard]] std::optional<std::int64_t> soonest() const;
    /// What would come to its limit within 10 ms of another does so with it: apart are only roundings.
    void passTo(std::int64_t ms);

    [[nodiscard]] const std::vector<HeatLoop>& loops() const { return m_loops; }
    [[nodiscard]] const std::vector<HeatCabinet>& cabinets() const { return m_cabinets; }
    [[nodiscard]] Milliwatts loopRate(std::size_t i) const { return Milliwatts(m_loop[i].rate); }
    [[nodiscard]] Milliwatts cabinetRate(std::size_t i) const { return Milliwatts(m_cabinet[i].rate); }
    /// Until the limit at its present rate; none where it does not warm up, 0 where it is there.
    [[nodiscard]] std::optional<std::int64_t> loopLasts(std::size_t i) const { return lasts(m_loop[i], m_loops[i].most); }
    [[nodiscard]] std::optional<std::int64_t> cabinetLasts(std::size_t i) const { return lasts(m_cabinet[i], m_cabinets[i].most); }
    [[nodiscard]] bool loopHot(std::size_t i) const { return m_loops[i].kind != HeatLoop::Kind::Facility && isHot(m_loop[i], m_loops[i].most); }
    [[nodiscard]] bool cabinetHot(std::size_t i) const { return isHot(m_cabinet[i], m_cabinets[i].most); }
    [[nodiscard]] Heat loopTaken(std::size_t i) const { return m_loop[i].taken; }
    [[nodiscard]] Heat cabinetTaken(std::size_t i) const { return m_cabinet[i].taken; }
    [[nodiscard]] bool stands(std::size_t cabinet) const { return m_cabinet[cabinet].stands; }

private:
    struct Store {
        Heat taken = 0;
        std::int64_t rate = 0;
        bool stands = false; ///< of cabinets
        bool warmed = false; ///< it took something up
    };
    [[nodiscard]] static bool isHot(const Store& store, Heat most) { return store.warmed && store.taken >= most; }
    [[nodiscard]] static std::optional<std::int64_t> lasts(const Store& store, Heat most);
    static void pass(Store& store, Heat most, std::int64_t ms);
    [[nodiscard]] std::size_t countHot() const;
    void comeTogether();
    void stand(std::size_t cabinet, bool now, std::span<const Store> before);
    void share(std::uint32_t facility, std::int64_t kept, std::span<const LoopNow> now);

    std::vector<HeatLoop> m_loops;
    std::vector<HeatCabinet> m_cabinets;
    std::vector<Store> m_loop, m_cabinet;
    std::int64_t m_now = 0;
};

} // namespace hw::cooling
