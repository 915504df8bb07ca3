// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/sighting.h"

#include "core/operations/asbuilt/names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace hw::asbuilt {

std::vector<Sighting> sightingsOf(const Snapshot& s)
{
    std::vector<Sighting> all;
    const auto& t = s.observations;
    t.forEach([&](ObservationId id) {
        all.push_back({t.witness[id],
                       t.fromDevice[id],
                       t.fromPort[id],
                       t.toDevice[id],
                       t.toPort[id],
                       t.rate[id].count(),
                       t.lanes[id],
                       t.label[id],
                       t.source[id],
                       t.date[id],
                       {}});
    });
    return all;
}

namespace {

void addObservation(Snapshot& s, const Sighting& one)
{
    auto& t = s.observations;
    const auto id = t.insert();
    t.witness.set(id, one.witness);
    t.fromDevice.set(id, one.fromDevice);
    t.fromPort.set(id, one.fromPort);
    t.toDevice.set(id, one.toDevice);
    t.toPort.set(id, one.toPort);
    t.rate.set(id, Gbps(one.rateGbps));
    t.lanes.set(id, one.lanes);
    t.label.set(id, one.label);
    t.source.set(id, one.source);
    t.date.set(id, one.date);
}

std::size_t dropOlder(Snapshot& s, const Capture& capture)
{
    std::set<std::string> heard;
    for (const Sighting& one : capture.sightings) {
        heard.insert(one.fromDevice);
        if (speaksForBoth(one.witness) && !one.toDevice.empty()) heard.insert(one.toDevice);
    }
    auto& t = s.observations;
    std::vector<ObservationId> gone;
    t.forEach([&](ObservationId id) {
        if (t.witness[id] != capture.witness) return;
        if (heard.contains(t.fromDevice[id]) || (speaksForBoth(capture.witness) && heard.contains(t.toDevice[id]))) gone.push_back(id);
    });
    for (const auto id : gone) t.erase(id);
    return gone.size();
}

} // namespace

namespace {

void learn(Snapshot& s, const Capture& capture, const DeviceNames& names, Stored& done)
{
    std::map<std::string, DeviceId> known;
    s.hardwareIds.forEach([&](HardwareIdId id) { known.emplace(s.hardwareIds.value[id], s.hardwareIds.device[id]); });
    for (const auto& [name, number] : capture.ids) {
        const auto device = names.byName(name);
        if (!device || number.empty()) continue;
        const auto [at, fresh] = known.emplace(number, *device);
        if (!fresh && at->second != *device)
            done.doubts.push_back({number, i18n("assigned to {}, but a capture reports it at {}; assignment unchanged", s.devices.name[at->second],
                                                s.devices.name[*device])});
        if (!fresh) continue;
        const auto row = s.hardwareIds.insert();
        s.hardwareIds.device.set(row, *device);
        s.hardwareIds.value.set(row, number);
        ++done.learned;
    }
}

} // namespace

Stored store(Snapshot& s, const Capture& given)
{
    Stored done;
    const auto rules = NameRules::of(s);
    const std::vector<NameRule> forDevices = rules ? rules->devices : std::vector<NameRule>();
    learn(s, given, DeviceNames(s, forDevices), done);
    Capture capture = given;
    const DeviceNames names(s, forDevices); // with what was learned
    for (Sighting& one : capture.sightings)
        if (!one.toId.empty() && (one.toDevice.empty() || (!names.find(one.toDevice) && names.find(one.toId)))) one.toDevice = one.toId;
    done.replaced = dropOlder(s, capture);
    for (const Sighting& one : capture.sightings) addObservation(s, one);
    done.added = capture.sightings.size();
    return done;
}

void forgetObservations(Snapshot& s)
{
    for (const auto id : s.observations.ids()) s.observations.erase(id);
}

std::string lowerCase(std::string_view text)
{
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return out;
}

std::string hardwareId(std::string_view text)
{
    std::string digits;
    std::string_view rest = text;
    const bool guid = rest.starts_with("0x") || rest.starts_with("S-") || rest.starts_with("H-") || rest.starts_with("R-");
    if (guid) rest.remove_prefix(2);
    for (const char c : rest) {
        if (!guid && (c == ':' || c == '-' || c == '.')) continue;
        if (!std::isxdigit(static_cast<unsigned char>(c))) return {};
        digits += char(std::tolower(static_cast<unsigned char>(c)));
    }
    if (guid || (digits.size() == 16 && digits.size() == text.size()))
        return digits.empty() || digits.size() > 16 ? std::string() : "0x" + std::string(16 - digits.size(), '0') + digits;
    if (digits.size() != 12 || digits.size() == text.size()) return {};
    std::string out;
    for (std::size_t i = 0; i < 12; i += 2) out += (i ? ":" : "") + digits.substr(i, 2);
    return out;
}

} // namespace hw::asbuilt
