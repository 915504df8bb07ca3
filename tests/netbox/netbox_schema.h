// SPDX-License-Identifier: GPL-3.0-or-later
// The fields, choices and keys of NetBox's tables, as far as the server for tests checks them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace netbox_schema {

enum class Kind { Text, Slug, Int, Number, Bool, Choice, Ref, Refs, Json, Tags, CustomFields, Terminations, Mappings };

struct Field {
    std::string name;
    Kind kind = Kind::Text;
    bool required = false;
    std::string of;            ///< Ref: the table; Choice: the list; Terminations, Mappings: the side
    int most = 0;              ///< characters, or the largest number
    std::string without;       ///< default of a choice
    int since = 4, until = 99; ///< minor releases of 4.x that have it
};

struct Table {
    std::string name;       ///< "dcim/sites"
    std::string objectType; ///< "dcim.site"
    std::vector<Field> fields;
    std::vector<std::vector<std::string>> keys; ///< unique together; a row with null in one of them is not compared
    int since = 4;
    bool branched = true;
    bool oneByOne = false; ///< a list is validated one by one
};

const std::map<std::string, Table>& tables();
bool allows(const std::string& choices, const std::string& value, int minor);

} // namespace netbox_schema
