// SPDX-License-Identifier: GPL-3.0-or-later
// A room as a case of OpenFOAM: mesh, fields, settings.
#include "simulation/air/openfoam.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

namespace hw::sim::air {

namespace {

constexpr double kKelvin = 273.15;
constexpr double kIntensity = 0.05, kMixingLength = 0.07; ///< turbulence of supplied air: 5 %, and 7 % of a duct of 1 m, in m (assumed)

std::string header(std::string_view kind, std::string_view place, std::string_view object)
{
    constexpr const char* kHead =
        "FoamFile\n{{\n    version 2.0;\n    format ascii;\n    class {};\n    location \"{}\";\n    object {};\n}}\n\n"; // no text
    return fmt::format(kHead, kind, place, object);
}

constexpr float kPorous =
    10; ///< loss from which a face is a porous cell: the jump of a baffle follows the flow one iteration later and would diverge

/// A rack with all its bands, or an air unit: its intake and outlet are a boundary each. One pair per rack, because the time of an iteration grows
/// with the number of boundaries.
struct FoamExchange {
    std::string name;
    air::Patch intake, outlet;
    double flow = 0, heatW = 0, supplyC = 0;
    bool plant = false;
    std::size_t first = 0; ///< number of the first of its exchanges in the room
};

std::vector<FoamExchange> joined(const Room& room)
{
    std::vector<FoamExchange> out;
    std::map<int, std::size_t> ofOwner;
    for (std::size_t number = 0; number < room.exchanges.size(); ++number) {
        const Exchange& e = room.exchanges[number];
        if (e.flow <= 0) continue;
        const auto found = e.plant || e.owner < 0 ? ofOwner.end() : ofOwner.find(e.owner);
        if (found == ofOwner.end()) {
            if (!e.plant && e.owner >= 0) ofOwner[e.owner] = out.size();
            out.push_back({e.name, e.intake, e.outlet, e.flow, e.heatW, e.supplyC, e.plant, number});
            continue;
        }
        FoamExchange& rack = out[found->second];
        for (const auto& [to, from] : {std::pair{&rack.intake, &e.intake}, std::pair{&rack.outlet, &e.outlet}}) {
            to->faces.insert(to->faces.end(), from->faces.begin(), from->faces.end());
            to->area += from->area;
        }
        rack.flow += e.flow, rack.heatW += e.heatW;
    }
    return out;
}

/// Faces of the case, in its order: those inside by the number of their lower cell, then the boundaries.
struct FoamMesh {
    struct Patch {
        std::string name, type; ///< type with its further entries
        std::vector<std::pair<std::uint8_t, std::uint32_t>> faces;
        std::vector<char> lower; ///< by face: the air is on its lower side
    };
    std::vector<std::int32_t> number; ///< by cell, −1 = no air
    std::size_t cells = 0;
    Patch inside;
    std::vector<Patch> patches;
    std::vector<float> losses;                                          ///< of pairs of baffles
    std::map<std::pair<int, double>, std::vector<std::int32_t>> porous; ///< cells by axis and by loss a meter
    std::vector<FoamExchange> exchanges;
};

FoamMesh meshOf(const Room& room)
{
    const Grid& g = room.grid;
    FoamMesh out;
    out.number.assign(g.total(), -1);
    const auto each = [&](auto&& f) {
        for (int k = 1; k <= g.count(2); ++k)
            for (int j = 1; j <= g.count(1); ++j)
                for (int i = 1; i <= g.count(0); ++i)
                    if (const std::size_t c = g.at(i, j, k); !room.solid[c]) f(c);
    };
    each([&](std::size_t c) { out.number[c] = std::int32_t(out.cells++); });
    FoamMesh::Patch walls{"walls", "type wall;", {}, {}}; // no text
    std::map<float, std::vector<std::pair<std::uint8_t, std::uint32_t>>> baffles;
    each([&](std::size_t c) {
        for (std::uint8_t a = 0; a < 3; ++a) {
            const std::size_t up = c + g.stride(a);
            if (room.face[a][up] == Face::Open) {
                const float loss = room.loss[a][up];
                if (loss > 0 && loss < kPorous)
                    baffles[loss].emplace_back(a, std::uint32_t(up));
                else
                    out.inside.faces.emplace_back(a, std::uint32_t(up));
                if (loss >= kPorous) { // on both sides: the flow of a face follows from both cells
                    auto& cells = out.porous[{a, double(loss) / g.spacing(a, g.place(up)[a])}];
                    for (const std::size_t cell : {c, up}) cells.push_back(out.number[cell]);
                }
            }
            for (const bool lower : {true, false}) { // the face above has its air below
                const std::size_t f = lower ? up : c;
                if (room.face[a][f] != Face::Wall) continue;
                walls.faces.emplace_back(a, std::uint32_t(f));
                walls.lower.push_back(lower);
            }
        }
    });
    out.inside.lower.assign(out.inside.faces.size(), 1);
    out.patches.push_back(std::move(walls));
    out.exchanges = joined(room);
    for (std::size_t e = 0; e < out.exchanges.size(); ++e)
        for (const bool intake : {true, false}) {
            const air::Patch& from = intake ? out.exchanges[e].intake : out.exchanges[e].outlet;
            FoamMesh::Patch patch{fmt::format("e{}_{}", e, intake ? "in" : "out"), "type patch;", {}, {}}; // no text
            for (const std::size_t f : from.faces) {
                patch.faces.emplace_back(std::uint8_t(from.axis), std::uint32_t(f));
                patch.lower.push_back(out.number[f] < 0);
            }
            out.patches.push_back(std::move(patch));
        }
    for (const auto& [loss, faces] : baffles) {
        const std::size_t pair = out.losses.size();
        out.losses.push_back(loss);
        for (const bool lower : {true, false})
            out.patches.push_back({fmt::format("baffle{}_{}", pair, lower ? "low" : "high"),
                                   fmt::format("type cyclic;\n        transform noOrdering;\n        neighbourPatch baffle{}_{};", pair, // no text
                                               lower ? "high" : "low"),                                                                  // no text
                                   faces, std::vector<char>(faces.size(), char(lower))});
    }
    return out;
}

void addMesh(const Room& room, const FoamMesh& mesh, std::vector<FoamFile>& files)
{
    const Grid& g = room.grid;
    std::vector<std::int32_t> vertex(g.total(), -1);
    std::string points, faces, owner, neighbor, boundary;
    std::size_t pointCount = 0, faceCount = 0;
    const auto point = [&](std::size_t at) {
        if (vertex[at] < 0) {
            vertex[at] = std::int32_t(pointCount++);
            const auto p = g.place(at);
            fmt::format_to(std::back_inserter(points), "({:.9g} {:.9g} {:.9g})\n", g.edge(0, p[0]), g.edge(1, p[1]), g.edge(2, p[2]));
        }
        return vertex[at];
    };
    const auto face = [&](int a, std::size_t f, bool lower) {
        const std::size_t b = g.stride((a + 1) % 3), c = g.stride((a + 2) % 3);
        std::array<std::size_t, 4> corners{f, f + b, f + b + c, f + c}; // along the axis
        if (!lower) std::swap(corners[1], corners[3]);                  // outward
        fmt::format_to(std::back_inserter(faces), "4({} {} {} {})\n", point(corners[0]), point(corners[1]), point(corners[2]), point(corners[3]));
        fmt::format_to(std::back_inserter(owner), "{}\n", mesh.number[lower ? f - g.stride(a) : f]);
        ++faceCount;
    };
    for (const auto& [a, f] : mesh.inside.faces) {
        face(a, f, true);
        fmt::format_to(std::back_inserter(neighbor), "{}\n", mesh.number[f]);
    }
    for (const FoamMesh::Patch& patch : mesh.patches) {
        fmt::format_to(std::back_inserter(boundary), "    {}\n    {{\n        {}\n        nFaces {};\n        startFace {};\n    }}\n", patch.name,
                       patch.type, patch.faces.size(), faceCount); // no text
        for (std::size_t i = 0; i < patch.faces.size(); ++i) face(patch.faces[i].first, patch.faces[i].second, patch.lower[i]);
    }
    std::string zones;
    std::size_t zoneCount = 0;
    for (std::size_t e = 0; e < mesh.exchanges.size(); ++e) {
        const FoamExchange& x = mesh.exchanges[e];
        if (x.plant || x.heatW <= 0) continue;
        ++zoneCount;
        fmt::format_to(std::back_inserter(zones), "heat{}\n{{\n    type cellZone;\n    cellLabels List<label> {}(", e, // no text
                       x.outlet.faces.size());                                                                         // no text
        for (const std::size_t f : x.outlet.faces)
            fmt::format_to(std::back_inserter(zones), "{} ", mesh.number[x.outlet.sign > 0 ? f : f - g.stride(x.outlet.axis)]);
        zones += ");\n}\n";
    }
    std::size_t leaks = 0;
    for (const auto& [place, cells] : mesh.porous) {
        constexpr const char* kZone = "leak{}\n{{\n    type cellZone;\n    cellLabels List<label> {}({});\n}}\n"; // no text
        fmt::format_to(std::back_inserter(zones), kZone, leaks++, cells.size(), fmt::join(cells, " "));
        ++zoneCount;
    }
    const std::string place = "constant/polyMesh"; // no text
    const auto add = [&](const char* name, const char* kind, std::size_t count, const std::string& content) {
        files.push_back({place + "/" + name, header(kind, place, name) + fmt::format("{}\n(\n", count) + content + ")\n"});
    };
    add("points", "vectorField", pointCount, points);                   // no text
    add("faces", "faceList", faceCount, faces);                         // no text
    add("owner", "labelList", faceCount, owner);                        // no text
    add("neighbour", "labelList", mesh.inside.faces.size(), neighbor);  // no text
    add("boundary", "polyBoundaryMesh", mesh.patches.size(), boundary); // no text
    add("cellZones", "regIOobject", zoneCount, zones);                  // no text
}

/// What a field has at its boundaries, where most have the same.
struct FoamField {
    std::string name, kind, dimensions, inside, wall, intake, outlet, baffle; ///< intake, outlet: unless written by number
};

void addFields(const HallPlan& hall, const Room& room, const FoamMesh& mesh, const Solver* start, std::vector<FoamFile>& files)
{
    const Grid& g = room.grid;
    std::string u, t;
    if (start) {
        u = fmt::format("nonuniform List<vector>\n{}\n(\n", mesh.cells), t = fmt::format("nonuniform List<scalar>\n{}\n(\n", mesh.cells); // no text
        for (std::size_t c = 0; c < g.total(); ++c) {
            if (mesh.number[c] < 0) continue;
            std::array<double, 3> v{};
            for (std::size_t a = 0; a < 3; ++a) v[a] = (start->fields.velocity[a][c] + start->fields.velocity[a][c + g.stride(int(a))]) / 2;
            fmt::format_to(std::back_inserter(u), "({:.5g} {:.5g} {:.5g})\n", v[0], v[1], v[2]);
            fmt::format_to(std::back_inserter(t), "{:.7g}\n", start->fields.celsius[c] + kKelvin);
        }
        u += ")", t += ")";
    } else {
        u = "uniform (0 0 0)", t = fmt::format("uniform {:.7g}", hall.supplyC + kKelvin); // no text
    }
    double fastest = 0.1;
    for (const FoamExchange& e : mesh.exchanges)
        if (e.outlet.area > 0) fastest = std::max(fastest, e.flow / e.outlet.area);
    const double k = 1.5 * kIntensity * kIntensity * fastest * fastest, epsilon = std::pow(0.09, 0.75) * std::pow(k, 1.5) / kMixingLength;
    const auto fixed = [](double value) { return fmt::format("type fixedValue; value uniform {:.6g};", value); };              // no text
    const std::string open = "type zeroGradient;", flux = "type fixedFluxPressure; value uniform 0;", cyclic = "type cyclic;"; // no text
    const std::vector<FoamField> fields{
        {"U", "volVectorField", "[0 1 -1 0 0 0 0]", u, "type noSlip;", "", "", cyclic},                          // no text
        {"T", "volScalarField", "[0 0 0 1 0 0 0]", t, open, open, "", cyclic},                                   // no text
        {"p_rgh", "volScalarField", "[0 2 -2 0 0 0 0]", "uniform 0", flux, flux, flux, ""},                      // no text
        {"k", "volScalarField", "[0 2 -2 0 0 0 0]", fmt::format("uniform {:.6g}", k),                            // no text
         fmt::format("type kqRWallFunction; value uniform {:.6g};", k), open, fixed(k), cyclic},                 // no text
        {"epsilon", "volScalarField", "[0 2 -3 0 0 0 0]", fmt::format("uniform {:.6g}", epsilon),                // no text
         fmt::format("type epsilonWallFunction; value uniform {:.6g};", epsilon), open, fixed(epsilon), cyclic}, // no text
        {"nut", "volScalarField", "[0 2 -1 0 0 0 0]", "uniform 0", "type nutkWallFunction; value uniform 0;",    // no text
         "type calculated; value uniform 0;", "type calculated; value uniform 0;", cyclic},                      // no text
        {"alphat", "volScalarField", "[0 2 -1 0 0 0 0]", "uniform 0",                                            // no text
         "type alphatJayatillekeWallFunction; Prt 0.9; value uniform 0;", "type calculated; value uniform 0;",   // no text
         "type fixedValue; value uniform 0;", cyclic}}; // no heat is conducted back into what blows    // no text
    for (const FoamField& field : fields) {
        std::string out = header(field.kind, "0", field.name) +
                          fmt::format("dimensions {};\ninternalField {};\nboundaryField\n{{\n", field.dimensions, field.inside); // no text
        const auto add = [&](std::string_view name, std::string_view what) {
            fmt::format_to(std::back_inserter(out), "    {} {{ {} }}\n", name, what);
        };
        add("walls", field.wall);
        for (std::size_t e = 0; e < mesh.exchanges.size(); ++e) {
            const FoamExchange& x = mesh.exchanges[e];
            for (const bool intake : {true, false}) {
                const air::Patch& patch = intake ? x.intake : x.outlet;
                std::string what = intake ? field.intake : field.outlet;
                if (field.name == "U") {
                    std::array<double, 3> v{};
                    v[std::size_t(patch.axis)] = patch.sign * x.flow / patch.area;
                    what = fmt::format("type fixedValue; value uniform ({:.17g} {:.17g} {:.17g});", v[0], v[1], v[2]); // no text
                } else if (field.name == "T" && !intake) {
                    what = x.plant ? fixed((start ? start->outletC(x.first) : x.supplyC) + kKelvin)
                                   : fmt::format("type outletMappedUniformInlet; outletPatch e{}_in; value uniform {:.6g};", e, // no text
                                                 hall.supplyC + kKelvin);                                                       // no text
                }
                add(fmt::format("e{}_{}", e, intake ? "in" : "out"), what); // no text
            }
        }
        for (std::size_t pair = 0; pair < mesh.losses.size(); ++pair)
            for (const char* side : {"low", "high"})
                add(fmt::format("baffle{}_{}", pair, side),
                    field.baffle.empty()
                        ? fmt::format(
                              "type porousBafflePressure; patchType cyclic; D 0; I {:.6g}; length 1; jump uniform 0; value uniform 0;", // no text
                              mesh.losses[pair])                                                                                        // no text
                        : field.baffle);
        files.push_back({"0/" + field.name, out + "}\n"});
    }
}

void addSettings(const HallPlan& hall, const FoamMesh& mesh, const FoamOptions& options, std::vector<FoamFile>& files)
{
    const Air air;
    const auto dictionary = [&](const char* folder, const char* name, const std::string& content) {
        files.push_back({std::string(folder) + "/" + name, header("dictionary", folder, name) + content}); // no text
    };
    files.push_back(
        {"constant/g", header("uniformDimensionedVectorField", "constant", "g") + "dimensions [0 1 -2 0 0 0 0];\nvalue (0 0 -9.81);\n"}); // no text
    dictionary("constant", "transportProperties",
               fmt::format("transportModel Newtonian;\nnu {:g};\nbeta {:.6g};\nTRef {:.6g};\nPr {:g};\nPrt 0.9;\n", air.viscosity,
                           1 / (hall.supplyC + kKelvin), hall.supplyC + kKelvin, air.prandtl)); // no text
    dictionary("constant", "turbulenceProperties",
               "simulationType RAS;\nRAS\n{\n    RASModel kEpsilon;\n    turbulence on;\n    printCoeffs off;\n}\n"); // no text
    std::string heat;
    for (std::size_t e = 0; e < mesh.exchanges.size(); ++e)
        if (const FoamExchange& x = mesh.exchanges[e]; !x.plant && x.heatW > 0)
            fmt::format_to(
                std::back_inserter(heat),
                "heat{}\n{{\n    type scalarSemiImplicitSource;\n    active yes;\n    selectionMode cellZone;\n    cellZone heat{};\n" // no text
                "    volumeMode absolute;\n    injectionRateSuSp {{ T ({:.9g} 0); }}\n}}\n",
                e, e, x.heatW / hall.wattsPerM3sK); // no text
    std::size_t leaks = 0;
    for (const auto& [place, cells] : mesh.porous) {
        std::array<double, 3> loss{};
        loss[std::size_t(place.first)] = place.second;
        fmt::format_to(
            std::back_inserter(heat),
            "leak{0}\n{{\n    type explicitPorositySource;\n    active yes;\n    explicitPorositySourceCoeffs\n    {{\n" // no text
            "        selectionMode cellZone;\n        cellZone leak{0};\n        type DarcyForchheimer;\n        d (0 0 0);\n"
            "        f ({1:.6g} {2:.6g} {3:.6g});\n"
            "        coordinateSystem {{ type cartesian; origin (0 0 0); rotation {{ type axes; e1 (1 0 0); e2 (0 1 0); }} }}\n    }}\n}}\n",
            leaks++, loss[0], loss[1], loss[2]); // no text
    }
    dictionary("constant", "fvOptions", heat);
    dictionary(
        "system", "controlDict",
        fmt::format("application {1};\nstartFrom startTime;\nstartTime 0;\nstopAt endTime;\nendTime {0};\ndeltaT 1;\n" // no text
                    "writeControl timeStep;\nwriteInterval {0};\npurgeWrite 1;\nwriteFormat ascii;\nwritePrecision 14;\nwriteCompression off;\n"
                    "timeFormat general;\ntimePrecision 6;\nrunTimeModifiable no;\n",
                    options.iterations, kFoamSolver)); // no text
    dictionary("system", "fvSchemes",
               "ddtSchemes { default steadyState; }\ngradSchemes { default Gauss linear; }\n" // no text
               "divSchemes\n{\n    default none;\n    div(phi,U) bounded Gauss upwind;\n    div(phi,T) bounded Gauss upwind;\n"
               "    div(phi,k) bounded Gauss upwind;\n    div(phi,epsilon) bounded Gauss upwind;\n    div((nuEff*dev2(T(grad(U))))) Gauss "
               "linear;\n}\n"
               "laplacianSchemes { default Gauss linear orthogonal; }\ninterpolationSchemes { default linear; }\nsnGradSchemes { default orthogonal; "
               "}\n"); // no text
    dictionary("system", "fvSolution",
               "solvers\n{\n    p_rgh { solver PCG; preconditioner DIC; tolerance 1e-8; relTol 0.05; }\n" // no text
               "    \"(U|T|k|epsilon)\" { solver PBiCGStab; preconditioner DILU; tolerance 1e-9; relTol 0.1; }\n}\n"
               "SIMPLE\n{\n    nNonOrthogonalCorrectors 0;\n    pRefCell 0;\n    pRefValue 0;\n"
               "    residualControl { p_rgh 1e-4; U 1e-5; T 1e-6; \"(k|epsilon)\" 1e-4; }\n}\n"
               "relaxationFactors\n{\n    fields { p_rgh 0.7; }\n    equations { U 0.3; T 0.7; \"(k|epsilon)\" 0.3; }\n}\n"); // no text
    std::array<int, 3> parts{1, 1, 1};
    std::size_t longest = 0;
    for (std::size_t a = 1; a < 3; ++a)
        if (hall.plan.room.high[a] > hall.plan.room.high[longest]) longest = a;
    parts[longest] = std::max(options.processes, 1);
    constexpr const char* kParts = "numberOfSubdomains {};\nmethod simple;\nsimpleCoeffs {{ n ({} {} {}); delta 0.001; }}\n"; // no text
    dictionary("system", "decomposeParDict", fmt::format(kParts, parts[longest], parts[0], parts[1], parts[2]));
}

} // namespace

Result<std::vector<FoamFile>> foamCase(const HallPlan& hall, const Room& room, const FoamOptions& options, const Solver* start)
{
    if (room.regions != 1)
        return fail(ErrorCode::Refused, hall.name, i18n("its air is parted into {} spaces without connection", room.regions),
                    i18n("leave openings between them, or use the embedded solver"));
    std::vector<FoamFile> files;
    const FoamMesh mesh = meshOf(room);
    addMesh(room, mesh, files);
    addFields(hall, room, mesh, start, files);
    addSettings(hall, mesh, options, files);
    const bool parallel = options.processes > 1;
    // What a cluster runs is a copy elsewhere, started in the folder of the case.
    std::string script = fmt::format("#!/bin/sh\ncase \"$0\" in\n*/Allrun) cd \"$(dirname \"$0\")\" || exit 1 ;;\nesac\n{}"
                                     "[ \"$(id -u)\" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
                                     "set -e\n{} -help | grep Using:\n", // no text
                                     kFoamSettings, kFoamSolver);
    if (parallel)
        script += fmt::format("rm -rf processor*\ndecomposePar\n"                             // no text
                              "mpirun --oversubscribe --mca mpi_yield_when_idle 1 -np {} {} " // no text
                              "-parallel\nreconstructPar -latestTime\n",                      // no text
                              options.processes, kFoamSolver);
    else
        script += fmt::format("{}\n", kFoamSolver);
    script += "echo \"Allrun: finished\"\n"; // no text
    files.push_back({kFoamScript, script});
    std::string note =
        words(i18n("Air of {} as an OpenFOAM case ({:L} cells), written by Hallwright; sh Allrun solves it", hall.name, mesh.cells)) + "\n\n";
    for (std::size_t e = 0; e < mesh.exchanges.size(); ++e)
        fmt::format_to(std::back_inserter(note), "e{}: {} ({:.3f} m3/s, {:.0f} W)\n", e, mesh.exchanges[e].name, mesh.exchanges[e].flow,
                       mesh.exchanges[e].heatW); // no text
    files.push_back({kFoamNote, note});
    return files;
}

Result<std::vector<double>> foamTemperatures(const std::string& text, const std::string& where, std::size_t cells)
{
    const auto bad = [&](const Text& what) { return fail(ErrorCode::Unreadable, where, what, i18n("run the case again")); };
    const std::size_t field = text.find("internalField");
    if (field == std::string::npos) return bad(i18n("no internalField found"));
    const std::size_t end = text.find(';', field), list = text.find('(', field);
    const std::string kind = text.substr(field, std::min(end, text.size()) - field);
    std::vector<double> out;
    if (kind.find("nonuniform") == std::string::npos) {
        const std::size_t at = kind.find("uniform");
        if (at == std::string::npos || end == std::string::npos) return bad(i18n("internalField has no values"));
        out.assign(cells, std::strtod(kind.c_str() + at + 7, nullptr) - kKelvin);
    } else {
        if (list == std::string::npos) return bad(i18n("internalField has no values"));
        const char* p = text.c_str() + list + 1;
        for (char* next = nullptr; out.size() <= cells; p = next) {
            const double value = std::strtod(p, &next);
            if (next == p) break;
            out.push_back(value - kKelvin);
        }
    }
    if (out.size() != cells) return bad(i18n("{:L} values instead of {:L}", out.size(), cells));
    for (const double value : out)
        if (!std::isfinite(value) || value < -kKelvin) return bad(i18n("a temperature is not a number; the solution has diverged"));
    return out;
}

} // namespace hw::sim::air
