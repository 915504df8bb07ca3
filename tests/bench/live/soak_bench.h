// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

struct SoakOptions {
    int seconds = 600, perSecond = 100'000, channels = 20'000;
    int together = 20; ///< values of a message
};

/// A broker (Debian's mosquitto), a publisher in a process of its own, mosquitto_sub that counts beside us, and the follower with the MQTT
/// source and a store. Prints what was published, counted and stored, memory and processor time on the way. False: something is missing.
bool benchSoak(std::ostream& out, const SoakOptions& options);

/// The publisher: values of sensors in JSON, `together` to a message, `perSecond` values a second, for `channels` channels, over a socket of
/// its own (MQTT 3.1.1, QoS 0). Prints how many values it published. Gives the exit code.
int publish(int port, int seconds, int perSecond, int channels, int together);

} // namespace hw::bench
