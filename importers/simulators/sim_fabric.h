// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"
#include "simulation/training/presets.h"
#include "simulation/training/workload_fabric.h"

#include <map>

namespace hw::importers {

// Latencies that a design does not state, as SimAI's generators assume them (confidence C).
inline constexpr double kScaleUpLinkNs = 25, kLinkNs = 500;

/// A network of a design as simulators see it: GPUs 0 … n - 1 in the order of servers, scale-up domains, switches by level, links between them.
struct SimFabric {
    SnapshotPtr design;
    std::string network;
    sim::WorkloadFabric fabric;
    sim::Accelerator accelerator; ///< rates; named after the server type where the library does not know it
    double linkNs = kLinkNs;      ///< of every data link

    /// Parallel links between two switches, or between a GPU and a switch, as one.
    struct Bundle {
        std::uint32_t a = 0, b = 0; ///< lower and higher end: a GPU or switch vertex; a switch vertex
        std::int64_t gbps = 0;      ///< of all of them
        std::uint32_t links = 0;
    };
    std::vector<Bundle> access;          ///< GPU to switch, by GPU
    std::vector<Bundle> trunks;          ///< switch to switch, by lower and higher vertex
    std::vector<std::uint32_t> switches; ///< vertices that a link of the network reaches, by level, then vertex

    [[nodiscard]] std::uint32_t gpus() const { return fabric.gpuCount(); }
    [[nodiscard]] std::uint32_t domains() const { return fabric.domainOfHost.empty() ? 0 : fabric.domainOfHost.back() + 1; }
    [[nodiscard]] std::uint32_t domainOf(std::uint32_t gpu) const { return fabric.domainOfHost[gpu / fabric.gpusPerHost]; }
    [[nodiscard]] std::string hostName(std::uint32_t gpu) const { return design->devices.name[fabric.hosts[gpu / fabric.gpusPerHost]]; }
    [[nodiscard]] std::string switchName(std::uint32_t vertex) const { return design->devices.name[fabric.graph->at(vertex).device]; }
    [[nodiscard]] int level(std::uint32_t vertex) const { return fabric.graph->at(vertex).level; }
    [[nodiscard]] bool parallel() const; ///< a bundle of several links exists
};

/// Active servers, their NICs in the job's network (default: backend) and the switches above them. Errors: as workloadFabric() and
/// designScaleUp(); Refused for a latency that is no number.
[[nodiscard]] Result<SimFabric> simFabric(const exchange::ExportJob& job);

/// GPUs of every scale-up domain. Refused (`format` says for whom) when they are not the same for all.
[[nodiscard]] Result<std::uint32_t> gpusPerDomain(const SimFabric& fabric, const std::string& format);

/// --link-latency-ns.
[[nodiscard]] exchange::FormatOption linkLatencyOption();

/// "0.0005ms", "400Gbps": a number without trailing zeros and its unit.
[[nodiscard]] std::string milliseconds(double nanoseconds);
/// The number of a GPU in its server from 1: "server,gpu" rows of a CSV file.
[[nodiscard]] std::string gpuTable(const SimFabric& fabric, const char* first);

/// notes.txt of every folder: what it is, what it was made of, what is assumed and what is lost. Also marks the folder as one of ours.
inline constexpr const char* kNotesFile = "notes.txt";
[[nodiscard]] std::string notes(const Text& title, const std::vector<Text>& lines);

} // namespace hw::importers
