// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes whose freed memory is cleared. Callers open the transaction.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "contract/codes.h"
#include "daemon/store/database.h"

namespace tacet {

class MemoryStore {
public:
    explicit MemoryStore(Database& database) : database_(database) {}

    Result<contract::MemoryScope> scope();
    Result<void> set_scope(contract::MemoryScope scope);
    // Returns those that are cleared, in the contract's order.
    Result<std::vector<contract::MemoryLayer>> layers();
    Result<void> set_layer(contract::MemoryLayer layer, bool cleared);
    // Returns the programs that a person chose, in order.
    Result<std::vector<std::string>> programs(uid_t owner);
    // Returns those of everybody, each once.
    Result<std::vector<std::string>> all_programs();
    // Returns how many an account has, and their bytes.
    struct Use {
        std::size_t programs = 0;
        std::size_t bytes = 0;
    };
    Result<Use> use_of(uid_t account);
    Result<void> add_program(uid_t owner, const std::string& path);
    // Tells whether it was there.
    Result<bool> remove_program(uid_t owner, const std::string& path);

private:
    Database& database_;
};

} // namespace tacet
