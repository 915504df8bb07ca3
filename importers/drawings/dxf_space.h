// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn: entities of the model space, of a sheet or of a block, as DXF text (AC1021).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hw::drawings {

struct At {
    double x = 0, y = 0;
    friend bool operator==(const At&, const At&) = default;
};

/// Numbers of the objects of a file: each once, in hexadecimal.
class Handles {
public:
    [[nodiscard]] std::uint64_t next() { return m_next++; }
    [[nodiscard]] std::uint64_t seed() const { return m_next; } ///< the next that is free

private:
    std::uint64_t m_next = 0x100; ///< lower ones are those of the tables
};

/// A text as DXF has it: no control characters, no codes by accident, no broken characters.
[[nodiscard]] std::string dxfText(std::string_view utf8);
/// A name of a layer, block or layout: characters that no program takes become underscores. Never empty.
[[nodiscard]] std::string dxfName(std::string_view utf8);
/// "1234.5": at most six decimals, never an exponent.
[[nodiscard]] std::string dxfNumber(double value);

enum class Across : std::uint8_t { Left, Middle, Right };
enum class Upright : std::uint8_t { Base, Middle, Top };

struct Writing {
    std::string text{}; ///< UTF-8
    At at{};
    double height = 100, angle = 0; ///< degrees
    Across across = Across::Left;
    Upright upright = Upright::Base;
};

/// An attribute of a block, or its value in one insertion.
struct Attribute {
    std::string tag{}, prompt{}; ///< prompt: of the definition only
    Writing writing{};
    bool hidden = false;
    std::string layer{}; ///< empty: that of the insertion
};

struct Insertion {
    std::string block{};
    At at{};
    double angle = 0, scale = 1; ///< degrees
    std::vector<Attribute> attributes{};
};

/// A window of a sheet onto the model.
struct Viewport {
    At middle{};                  ///< on the sheet
    double width = 0, height = 0; ///< on the sheet
    At sees{};                    ///< the point of the model in its middle
    double scale = 1;             ///< 100 for 1:100
};

class DxfFile;

/// Receives entities. Lengths are mm; of a sheet mm of paper.
class DxfSpace {
public:
    void line(const std::string& layer, At a, At b);
    /// `width`: of the line, 0 = thin.
    void polyline(const std::string& layer, const std::vector<At>& points, bool closed, double width = 0);
    void rectangle(const std::string& layer, At low, At high) { polyline(layer, {low, {high.x, low.y}, high, {low.x, high.y}}, true); }
    void circle(const std::string& layer, At center, double radius);
    void filled(const std::string& layer, At low, At high); ///< a filled rectangle
    void triangle(const std::string& layer, At a, At b, At c);
    void write(const std::string& layer, const Writing& writing);
    void define(const std::string& layer, const Attribute& attribute); ///< of a block
    void insert(const std::string& layer, const Insertion& insertion);
    /// Along x or y: `a` and `b` are measured, `line` is a point of the dimension line.
    void dimension(const std::string& layer, At a, At b, At line, bool upright, double textHeight);
    void viewport(const std::string& layer, const Viewport& viewport);
    [[nodiscard]] bool empty() const { return m_text.empty(); }

private:
    friend class DxfFile;
    DxfSpace(DxfFile& file, std::uint64_t owner, bool paper) : m_file(&file), m_owner(owner), m_paper(paper) {}
    void begin(std::string_view kind, const std::string& layer, std::string_view marker);
    void begin(std::string_view kind, const std::string& layer, std::string_view marker, std::uint64_t handle, std::uint64_t owner);
    void put(int code, std::string_view value);
    void put(int code, double value);
    void put(int code, std::int64_t value);
    void put(int code, At at); ///< code, code + 10, code + 20
    void writing(const Writing& writing);
    void attribute(const std::string& layer, const Attribute& attribute, bool definition, std::uint64_t owner);

    DxfFile* m_file;
    std::uint64_t m_owner;
    bool m_paper = false, m_attributes = false; ///< a block: it defines some
    int m_viewports = 1;                        ///< with the sheet's own
    std::string m_text;
};

} // namespace hw::drawings
