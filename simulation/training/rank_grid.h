// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "simulation/formulas/training_volume.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hw::sim {
inline namespace training {

/// The ways in which a training job is cut.
enum class Dimension : std::uint8_t { Tensor, Context, Expert, Data, Pipeline };
inline constexpr int kDimensions = 5;
/// "tp", "cp", "ep", "dp", "pp".
[[nodiscard]] const char* shortName(Dimension dimension);

/// Which dimension runs fastest from rank to rank, the innermost first. Megatron-LM's default is tp-cp-ep-dp-pp.
using RankOrder = std::array<Dimension, kDimensions>;
inline constexpr RankOrder kMegatronOrder{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data, Dimension::Pipeline};

/// Reads "tp-cp-ep-dp-pp" in any order; dimensions that are left out follow at the end in the order above.
/// Errors: Unreadable for an unknown or doubled name, or an empty text.
[[nodiscard]] Result<RankOrder> parseRankOrder(std::string_view text);
[[nodiscard]] std::string text(const RankOrder& order);

/// Ranks that communicate with each other. Gradients are reduced over data and context together (as their replicas of the
/// parameters are the same); those of experts over what is left of that after the experts are spread.
enum class Communicator : std::uint8_t { Tensor, Context, Expert, Gradient, ExpertGradient, Pipeline };
inline constexpr int kCommunicators = 6;
[[nodiscard]] const char* name(Communicator communicator);

/// All groups of one communicator, as strides over ranks: nothing is stored per rank.
class GroupSet {
public:
    struct Axis {
        std::uint32_t size = 1, stride = 1;
    };
    GroupSet(std::vector<Axis> inside, std::vector<Axis> outside);

    [[nodiscard]] std::uint32_t groups() const { return m_groups; }
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    /// Rank of member `i` of group `g`; members in ascending rank, groups by their first rank's coordinates.
    [[nodiscard]] std::uint32_t rank(std::uint32_t g, std::uint32_t i) const { return walk(m_outside, g) + walk(m_inside, i); }

private:
    static std::uint32_t walk(const std::vector<Axis>& axes, std::uint32_t number)
    {
        std::uint32_t rank = 0;
        for (const auto& axis : axes) rank += number % axis.size * axis.stride, number /= axis.size;
        return rank;
    }
    std::vector<Axis> m_inside, m_outside; ///< by ascending stride
    std::uint32_t m_groups = 1, m_size = 1;
};

/// Ranks of a job and their coordinates, numbered as Megatron-LM's RankGenerator does: dense layers by (tp, cp, dp, pp) in the
/// order given, expert layers by (tp, ep, rest of dp · cp, pp) in the same order.
class RankGrid {
public:
    /// Errors: Refused when the expert ranks do not divide dp · cp, or when dense and expert layers would disagree about the
    /// pipeline stage or the tensor rank of a rank (experts split, and pp between dp and ep in the order).
    [[nodiscard]] static Result<RankGrid> make(const Parallelism& cut, const RankOrder& order = kMegatronOrder);

    [[nodiscard]] std::uint32_t ranks() const { return m_ranks; }
    [[nodiscard]] GroupSet groups(Communicator communicator) const;
    [[nodiscard]] std::uint32_t pipelineStage(std::uint32_t rank) const { return rank / m_dense[4].stride % m_dense[4].size; }

private:
    RankGrid() = default;
    [[nodiscard]] GroupSet split(const std::array<GroupSet::Axis, kDimensions>& axes, std::initializer_list<Dimension> inside) const;

    std::uint32_t m_ranks = 1;
    std::array<GroupSet::Axis, kDimensions> m_dense, m_expert; ///< by Dimension
};

} // namespace training
} // namespace hw::sim
