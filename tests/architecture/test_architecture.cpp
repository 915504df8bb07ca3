// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;

namespace {

/// Folders in the order in which they may use each other: a source includes headers of its own room and of rooms before it. The order is
/// the one in which the CMake files add them, so that it is written once.
class Order {
public:
    explicit Order(const fs::path& root) : m_root(root)
    {
        for (const char* layer : {"core", "simulation", "importers", "views", "app"}) {
            for (const std::string& room : roomsOf(layer)) {
                const std::string folder = std::string(layer) + "/" + room;
                for (const std::string& inner : roomsOf(folder)) m_rooms.push_back(folder + "/" + inner); // below the room that they are in
                m_rooms.push_back(folder);
            }
            m_layers.push_back(layer);
        }
    }

    [[nodiscard]] const std::vector<std::string>& rooms() const { return m_rooms; }

    /// Where a file is: its layer, and its room in the layer's list; a file that no list names has no place among the rooms.
    struct Place {
        std::size_t layer = 0;
        std::optional<std::size_t> room;
        std::string name;
    };
    [[nodiscard]] std::optional<Place> placeOf(const std::string& file) const
    {
        for (std::size_t l = 0; l < m_layers.size(); ++l) {
            if (!file.starts_with(m_layers[l] + "/")) continue;
            for (std::size_t i = 0; i < m_rooms.size(); ++i)
                if (file.starts_with(m_rooms[i] + "/")) return Place{l, i, m_rooms[i]};
            return Place{l, std::nullopt, m_layers[l]};
        }
        return std::nullopt;
    }
    [[nodiscard]] static bool pointsUp(const Place& from, const Place& to)
    {
        return from.layer != to.layer ? to.layer > from.layer : from.room && to.room && *to.room > *from.room;
    }

    /// What is wrong with the includes of the tree, a line each.
    [[nodiscard]] std::vector<std::string> violations() const
    {
        std::vector<std::string> wrong;
        static const std::regex include("^\\s*#\\s*include \"([^\"]+)\"");
        for (const char* layer : {"core", "simulation", "importers", "views", "app"}) {
            if (!fs::exists(m_root / layer)) continue;
            for (const auto& entry : fs::recursive_directory_iterator(m_root / layer)) {
                const std::string extension = entry.path().extension().string();
                if (extension != ".h" && extension != ".cpp") continue;
                const std::string file = fs::relative(entry.path(), m_root).generic_string();
                std::ifstream in(entry.path());
                std::smatch match;
                for (std::string line; std::getline(in, line);) {
                    if (!std::regex_search(line, match, include)) continue;
                    const std::string header = match[1];
                    const auto from = placeOf(file), to = placeOf(header);
                    if (header.starts_with("tests/"))
                        wrong.push_back(file + ": includes " + header + ", which is part of the tests");
                    else if (from && to && pointsUp(*from, *to))
                        wrong.push_back(file + ": includes " + header + ", but " + from->name + " is below " + to->name);
                }
            }
        }
        std::ranges::sort(wrong);
        return wrong;
    }

private:
    /// Of `foreach(room a b c)` or `foreach(module a b c)` in the CMake file of a layer, or of a room with folders of its own.
    [[nodiscard]] std::vector<std::string> roomsOf(const std::string& layer) const
    {
        std::ifstream in(m_root / layer / "CMakeLists.txt");
        const std::string text((std::istreambuf_iterator<char>(in)), {});
        static const std::regex list("foreach\\((?:room|module)\\s([^)]*)\\)");
        std::smatch match;
        std::vector<std::string> rooms;
        if (!std::regex_search(text, match, list)) return rooms;
        std::istringstream words(match[1]);
        for (std::string word; words >> word;) rooms.push_back(word);
        return rooms;
    }

    fs::path m_root;
    std::vector<std::string> m_rooms, m_layers;
};

fs::path sourceRoot() { return fs::path(HW_RESOURCES).parent_path(); }

void write(const fs::path& path, const std::string& text)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

} // namespace

/// Arrows between folders point down only, and there is no circle.
class ArchitectureTest : public QObject {
    Q_OBJECT

private slots:
    void includesPointDown()
    {
        const Order order(sourceRoot());
        QVERIFY(order.rooms().size() > 50);
        const auto wrong = order.violations();
        std::string all;
        for (const std::string& line : wrong) all += line + "\n";
        QVERIFY2(wrong.empty(), all.c_str());
    }

    /// A folder that no list names would escape the check.
    void everyRoomOfCoreIsListed()
    {
        const Order order(sourceRoot());
        std::string missing;
        for (const auto& wing : fs::directory_iterator(sourceRoot() / "core"))
            if (wing.is_directory())
                for (const auto& room : fs::directory_iterator(wing.path()))
                    if (room.is_directory()) {
                        const std::string name = fs::relative(room.path(), sourceRoot()).generic_string();
                        if (std::ranges::find(order.rooms(), name) == order.rooms().end()) missing += name + "\n";
                    }
        QVERIFY2(missing.empty(), missing.c_str());
    }

    /// A room that orders its folders orders all of them.
    void everyFolderOfARoomIsListed()
    {
        const Order order(sourceRoot());
        std::size_t inner = 0;
        std::string missing;
        for (const std::string& room : order.rooms()) {
            const auto isOf = [&](const std::string& other) { return other.starts_with(room + "/"); };
            if (std::ranges::none_of(order.rooms(), isOf)) continue;
            for (const auto& folder : fs::directory_iterator(sourceRoot() / room)) {
                if (!folder.is_directory()) continue;
                ++inner;
                const std::string name = fs::relative(folder.path(), sourceRoot()).generic_string();
                if (std::ranges::find(order.rooms(), name) == order.rooms().end()) missing += name + "\n";
            }
        }
        QVERIFY(inner >= 5); // of core/operations/monitoring
        QVERIFY2(missing.empty(), missing.c_str());
    }

    void upwardArrowsCirclesAndTestsAreFound()
    {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        write(root / "core/CMakeLists.txt", "foreach(room\n        foundation/base foundation/model\n        physics/power)\nendforeach()\n");
        write(root / "core/foundation/base/a.h", "#include \"core/foundation/model/b.h\"\n");
        write(root / "core/foundation/model/b.h", "#include \"core/foundation/base/a.h\"\n#include \"tests/model/c.h\"\n");
        write(root / "core/physics/power/p.cpp", "#include \"core/foundation/base/a.h\"\n  #include \"simulation/s.h\"\n");
        write(root / "simulation/s.h", "#include \"core/physics/power/p.h\"\n");
        write(root / "core/physics/power/CMakeLists.txt", "foreach(room\n        near far)\nendforeach()\n");
        write(root / "core/physics/power/near/n.h", "#include \"core/physics/power/far/f.h\"\n#include \"core/physics/power/p.h\"\n");
        write(root / "core/physics/power/far/f.h", "#include \"core/physics/power/near/n.h\"\n");
        write(root / "core/physics/power/p.h", "#include \"core/physics/power/far/f.h\"\n");
        const auto wrong = Order(root).violations();
        QCOMPARE(wrong.size(), std::size_t(5));
        QCOMPARE(wrong[2], std::string("core/physics/power/near/n.h: includes core/physics/power/far/f.h, but core/physics/power/near is below "
                                       "core/physics/power/far"));
        QCOMPARE(
            wrong[3],
            std::string("core/physics/power/near/n.h: includes core/physics/power/p.h, but core/physics/power/near is below core/physics/power"));
        QCOMPARE(
            wrong[0],
            std::string("core/foundation/base/a.h: includes core/foundation/model/b.h, but core/foundation/base is below core/foundation/model"));
        QCOMPARE(wrong[1], std::string("core/foundation/model/b.h: includes tests/model/c.h, which is part of the tests"));
        QCOMPARE(wrong[4], std::string("core/physics/power/p.cpp: includes simulation/s.h, but core/physics/power is below simulation"));
    }
};

QTEST_GUILESS_MAIN(ArchitectureTest)
#include "test_architecture.moc"
