// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/units.h"
#include "core/foundation/model/words.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hw {

/// How far a catalog value can be trusted: read in a vendor's or standard's document, read in a
/// secondary source, assumed, or derived by a formula from other values.
enum class Confidence : char { A = 'A', B = 'B', Assumed = 'C', Derived = 'D' };

/// A value with where it comes from. Results that rest on an assumed one say so.
template <class T>
struct Fact {
    T value{};
    std::string source;
    Confidence confidence = Confidence::Assumed;
    [[nodiscard]] bool assumed() const { return confidence == Confidence::Assumed; }
};

/// A data interface of a device: a whole physical socket, or one of the two ports of a twin-port socket
/// (OSFP 2 x 400G: one module with two connectors serves two interfaces).
struct Interface {
    std::string name;        ///< as the vendor prints it: swp1, nic3p2
    std::string slug;        ///< NetBox interface type: 400gbase-x-qsfp112
    Gbps rate;               ///< of this interface, one direction
    std::vector<int> splits; ///< ports that it can be broken out into besides 1, e.g. {2, 4}
    bool management = false;
    std::uint16_t socket = 0; ///< physical socket of the device, numbered from 0 in the order of interfaces
    std::string twin;         ///< slug of the socket that two interfaces share; empty: the socket is its own
    std::vector<int> lanes;   ///< Gb/s of one electrical lane that it can drive; empty: not stated
    [[nodiscard]] const std::string& socketSlug() const { return twin.empty() ? slug : twin; }
    [[nodiscard]] int perSocket() const { return twin.empty() ? 1 : 2; } ///< interfaces that share its socket
};

/// A power supply's or feed's socket; `maximumDraw` 0 = not stated.
struct PowerInlet {
    std::string name;
    std::string type;
    Milliwatts maximumDraw;
};
/// A socket that feeds others: of a PDU, a busway tap, a transformer's outgoing way.
struct PowerOutlet {
    std::string name, type;
    std::string inlet; ///< name of the inlet behind it, may be empty
    char leg = 0;      ///< 'A', 'B', 'C' of a three-phase feed, 0 = none or all three
};

/// What a piece of power equipment is in the chain from the utility to the plug.
enum class PowerElement : std::uint8_t { None, Utility, Transformer, Switchgear, Generator, Ups, StaticSwitch, Switchboard, Busway, Pdu, Shelf };
HW_WORDS(PowerElement, "none", "utility", "transformer", "switchgear", "generator", "ups", "static-switch", "switchboard", "busway", "pdu", "shelf")

/// What power equipment can carry, loses and stores. What is 0 or empty is not stated.
struct PowerSpec {
    PowerElement element = PowerElement::None;
    Fact<MillivoltAmperes> apparent;       ///< rating
    Fact<std::int32_t> continuousPermille; ///< of that rating, which it may carry all the time; 0 = not stated
    Fact<Milliwatts> noLoadLoss;           ///< while it is live
    Fact<Milliwatts> loadLoss;             ///< at the rating, on top of it; grows with the square of the load
    /// (load, efficiency), each of 1: of a UPS or rectifier, ascending by load.
    Fact<std::vector<std::pair<double, double>>> efficiency;
    Fact<MilliwattHours> battery;         ///< energy when new
    Fact<std::int32_t> endOfLifePermille; ///< of that energy that is left at the end of its life
};

/// Where coolant enters and leaves: a pair of connections, supply and return. Links join one that takes to one that feeds.
struct CoolantPort {
    std::string name;
    bool feeds = false;    ///< it supplies others; otherwise it takes
    std::string connector; ///< uqd-08, lqc-1in, flange-dn150 …
};

/// What a piece of cooling equipment is in the chain from the outside air to the cabinet.
enum class CoolingElement : std::uint8_t {
    None,
    Manifold,  ///< in a rack: its devices depend on it
    Header,    ///< a pair of pipes with branches, over a row or in a room
    Cdu,       ///< parts the cabinets' loop from facility water
    Pump,      ///< or a set of them
    Valve,     ///< on a header or branch
    Exchanger, ///< plates between two facility loops
    Tank,      ///< of cold water
    Chiller,
    DryCooler,
    Tower,
    FanWall,
    Crah,
    InRow,
    RearDoor
};
HW_WORDS(CoolingElement, "none", "manifold", "header", "cdu", "pump", "valve", "exchanger", "tank", "chiller", "dry-cooler", "tower", "fan-wall",
         "crah", "in-row", "rear-door")

/// What a way through a device takes off the pressure: `kilopascal` at `lpm`, elsewhere with the flow to the power of `exponent`.
struct FlowLoss {
    Fact<double> kilopascal, lpm;
    double exponent = 2;
};

/// Capacity of a heat rejector against its rating, and its efficiency, at one outdoor temperature and one of what it supplies.
struct RejectionPoint {
    double ambientC = 0, supplyC = 0, share = 1, cop = 0; ///< cop 0 = not stated
};

/// What cools, and what is cooled by liquid. What is 0 or empty is not stated.
struct CoolingSpec {
    CoolingElement element = CoolingElement::None;
    std::vector<CoolantPort> ports;
    Fact<std::string> coolant; ///< that it is meant for: water, pg25
    // Of what is cooled by liquid
    Fact<std::vector<std::pair<double, double>>> flowNeed; ///< (supply °C, L/min a kW of heat to liquid), ascending: the warmer, the more
    Fact<double> warmestSupplyC;                           ///< of its class: W32, W45 …
    FlowLoss loss;                                         ///< between its own connections: plates, hoses and manifold inside
    Fact<double> liters;                                   ///< of coolant inside, of the loop that it takes from
    Fact<double> bearsKpa;                                 ///< gauge pressure that it may be worked at, on the side of cabinets
    // Of CDUs, pumps, exchangers
    Fact<double> approachK;    ///< of `capacity`: supply of the loop over supply of the facility
    Fact<double> headKpa;      ///< that its pumps leave for the loop outside at the rated flow
    Fact<double> reliefKpa;    ///< gauge pressure at which its relief valve opens: the loop that it feeds sees no more
    FlowLoss facilityLoss;     ///< of its facility side at that side's rated flow
    Fact<double> feedLiters;   ///< of coolant inside, of the loop that it feeds
    bool onReturn = false;     ///< of an exchanger: it takes the return water of its facility side, and adds its heat to that
    int pumps = 0, spares = 0; ///< inside it: so many, of which so many may fail
    // Of headers, valves, couplings
    Fact<double> innerMm, roughnessMm; ///< of a header's pipes
    Fact<double> kv;                   ///< m³/h at 1 bar
    // Of heat rejection
    std::vector<RejectionPoint> points; ///< by ambient, then supply
    std::string pointsSource;
    Confidence pointsConfidence = Confidence::Assumed;
    Fact<double> restartS; ///< from a loss of power to full capacity
    // Of air
    Fact<double> airM3s, faceM2;
    bool leakSensor = false, isolates = false; ///< it detects a leak; it can be shut off from its loop
};

/// Of a patch panel: where cables meet, each position one connector from behind and one from the front. In cassettes one connector from
/// behind is divided over several positions.
struct PanelSpec {
    int positions = 0;     ///< in front; 0: it is none
    std::string connector; ///< in front: mpo-12-apc, lc-duplex …
    std::string rear;      ///< behind; empty: the same
    int perRear = 1;       ///< positions on one connector behind, next to each other
    Fact<double> pairLoss; ///< dB of one way through it, at most: its mated pairs; 0 = the project's setting for each
    [[nodiscard]] const std::string& behind() const { return rear.empty() ? connector : rear; }
};

/// A server, switch, PDU, busway … (NetBox device type plus our sidecar).
struct DeviceSpec {
    std::string manufacturer, partNumber;
    int halfUnits = 0; ///< height in half rack units
    bool fullDepth = true;
    std::string airflow; ///< NetBox slug, e.g. front-to-rear
    Fact<Grams> weight;
    Fact<Millimeters> width, depth, height;      ///< outer size; height only for floor-standing equipment
    Fact<Milliwatts> typical, design, nameplate; ///< without pluggable optics unless opticsIncluded
    bool opticsIncluded = false;                 ///< the power figures contain the pluggable modules
    Fact<std::int32_t> liquidPermille;           ///< share of the heat that goes to coolant, 1/1000
    Fact<Money> price;
    int accelerators = 0;
    std::string acceleratorClass = "gpu";          ///< of machines that run each other's programs: gpu, tpu …
    std::map<std::string, Fact<double>> teraflops; ///< per accelerator, dense, by precision: fp16, fp8 …
    Fact<Milliwatts> capacity;                     ///< of power and cooling equipment: what it can carry or remove
    std::string removes;                           ///< heat that cooling equipment takes: air or liquid; empty for others
    Fact<double> coolantLpm;                       ///< of a coolant distribution unit: liters per minute that it can pump
    PowerSpec power;                               ///< of power equipment
    CoolingSpec cooling;                           ///< of cooling equipment and of what liquid cools
    PanelSpec panel;                               ///< of patch panels
    Fact<Gbps> switching;                          ///< capacity of the switch chip, one direction (sum of its ports)
    int scaleUpDomain = 0;                         ///< accelerators that reach each other's memory directly, 0 = not stated
    Fact<Gbps> scaleUpRate;                        ///< of one accelerator into that domain, one direction
    std::vector<Interface> interfaces;
    std::vector<PowerInlet> inlets;
    std::vector<PowerOutlet> outlets;
};

struct RackSpec {
    int heightU = 48;
    Fact<Millimeters> width, depth, height;
    Fact<Grams> weight, maxWeight;
    Fact<Milliwatts> powerLimit; ///< what its cooling can take
    Fact<Money> price;
};

struct TransceiverSpec {
    Gbps rate;
    std::vector<std::string> fits;                  ///< interface slugs whose cage takes it
    std::string standard;                           ///< what it speaks unsplit: 400gbase-sr4
    std::string signal;                             ///< of one lane; both ends must agree: 850nm-100g-pam4, 1310nm-100g-pam4
    int lanes = 1;                                  ///< optical lanes per direction of the whole module; a breakout gives each port lanes / n
    std::vector<int> splits;                        ///< ports that the optics allow besides one for each connector
    std::string connector;                          ///< mpo-12-apc, lc-duplex …
    int connectors = 1;                             ///< of the module: 2 = twin-port, each with half of the lanes and a cable of its own
    int fibers = 0;                                 ///< that one connector uses; 0 = two a lane (one duplex pair for lc)
    int hostLane = 0;                               ///< Gb/s of one electrical lane to the device; 0 = as the optical ones
    std::map<std::string, Fact<Millimeters>> reach; ///< by cable medium slug: mmf-om4 → 100 m
    std::map<std::string, Fact<double>> lossBudget; ///< by cable medium slug: dB that fiber, connectors and splices may take
    Fact<Milliwatts> typical, maximum;
    Fact<Money> price;
};

struct CableSpec {
    std::string medium;       ///< NetBox cable type slug: mmf-om4, smf-os2, dac-passive, power
    std::string connector;    ///< at the undivided end
    std::string legConnector; ///< at the other end; the same unless stated
    int trunks = 1;           ///< connectors at the undivided end; more than 1: a shuffle, every trunk has fibers to every leg
    int legs = 1;             ///< connectors at the other end: 1 = straight, n = breakout into n
    int fibers = 0;           ///< in one trunk connector, evenly over the legs; 0 = not stated (copper)
    int positions = 1;        ///< more than 1: so many straight cords in one sheath, pre-terminated for patch panels
    bool crosses = true;      ///< its pairs change sides (TIA-568 method B, duplex A to B); a straight one (method A) does not
    /// Copper that plugs straight into sockets: their interface slugs. Empty: a cord between transceivers.
    std::vector<std::string> fits;
    Fact<Gbps> rate;         ///< of a direct cable's undivided end, 0 = any that its sockets have
    Fact<Millimeters> reach; ///< of a direct cable
    Fact<Millimeters> diameter;
    Fact<Millimeters> bend; ///< least radius when laid
    Fact<std::int32_t> gramsPerMeter;
    Fact<std::int32_t> milliamperes;       ///< of a power cable: what it may carry
    Fact<double> squareMm;                 ///< of one conductor
    Fact<double> milliohms, reactance;     ///< of a power cable or duct: mΩ/m of a phase, warm (90 °C), and at 50 Hz
    Fact<double> innerMm, roughnessMm, kv; ///< of a hose or pipe; of its two couplings together, m³/h at 1 bar
    Fact<double> bearsKpa;                 ///< of a hose or pipe with its couplings: gauge pressure that it may be worked at
    Fact<double> ratedLpm;                 ///< of a hose: flow that its couplings are rated for
    std::vector<Millimeters> stocked;      ///< lengths that can be bought, ascending
    Fact<Money> priceFixed, pricePerMeter;
};

/// True when a port of module `a`, broken out into `splitA` ports, can talk to one of module `b`:
/// the same signal on the same number of lanes, and each optic allows its split. A module is broken out into as
/// many ports as it has connectors at least. The reach of such a pair is the shorter one.
[[nodiscard]] bool interoperate(const TransceiverSpec& a, int splitA, const TransceiverSpec& b, int splitB);
/// Fibers that one connector of the module uses.
[[nodiscard]] int fibersOf(const TransceiverSpec& module);
/// True when the module goes into the interface's socket: shape, whole rate and electrical lanes.
[[nodiscard]] bool fits(const TransceiverSpec& module, const Interface& interface);
/// True for optics that are part of their device (co-packaged): they fit interfaces that are no cages, and are not bought.
[[nodiscard]] bool isBuiltIn(const TransceiverSpec& module);
/// True when the cable joins `a` at its undivided end (trunks) to `b` at its legs: connectors and fibers.
[[nodiscard]] bool mates(const CableSpec& cable, const TransceiverSpec& a, const TransceiverSpec& b);

struct TraySpec {
    std::string form = "tray"; ///< tray, ladder, basket, duct
    Fact<Millimeters> width, height;
    Fact<std::int32_t> gramsPerMeter, bearsGramsPerMeter; ///< its own weight; what it carries
    Fact<Money> pricePerMeter;
};

/// One part type of the catalog or of a project.
struct Part {
    std::string slug;
    std::string model; ///< for people: "DGX B200"
    std::string description;
    std::string reviewed;                     ///< date of the last review of its values, ISO 8601
    Fact<double> failuresPerYear;             ///< of one piece; 0 = not stated
    Fact<std::int32_t> repairHours, leadDays; ///< to mend or replace it; from order to delivery
    std::variant<DeviceSpec, RackSpec, TransceiverSpec, CableSpec, TraySpec> spec;
    std::string definition; ///< the YAML text that it was read from (stored in projects)
};

} // namespace hw
