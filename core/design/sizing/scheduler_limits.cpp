// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/parts_of_size.h"

namespace hw::sizing {

std::vector<SchedulerNote> passedSchedulerLimits(std::int64_t servers)
{
    struct Limit {
        TextId name;
        std::int64_t nodes;
        TextId source;
    };
    static constexpr Limit limits[] = {
        {TextId("one Kubernetes cluster as quoted for 10K-accelerator clusters"), 2000,
         TextId("overview of 10K clusters: 2,000 nodes of 16 accelerators are 32,000 (secondary source)")},
        {TextId("one Kubernetes cluster as documented (kubernetes.io)"), 5000,
         TextId("kubernetes.io, Considerations for large clusters: no more than 5,000 nodes")},
        {TextId("largest published single cluster (OpenAI, 2021)"), 7500,
         TextId("OpenAI, Scaling Kubernetes to 7,500 nodes (2021); 131,072 accelerators at 16 per node are 8,192 "
                "nodes, which exceeds it")},
    };
    std::vector<SchedulerNote> notes;
    for (const auto& limit : limits)
        if (servers > limit.nodes) notes.push_back({limit.name, limit.nodes, servers, limit.source});
    return notes;
}

} // namespace hw::sizing
