// SPDX-License-Identifier: GPL-3.0-or-later
// Finds out what a session has done to its files. Reads with the caller's rights; what it may not read it passes over.
#pragma once

#include <sys/stat.h>

#include "common/session_changes.h"
#include "common/unique_fd.h"

namespace tacet {

// One copied-on-write mount. All are directories.
struct Layer {
    std::string point; // in the session, "/" or "/home"
    UniqueFd upper;    // what it wrote
    UniqueFd lower;    // what it found
};

// A place that the session got empty.
struct FreshPlace {
    std::string point;
    uid_t owner = 0; // only this person's regular files count
};

class ChangeWalk {
public:
    // root: the session's own, as its programs see it. It must stay open.
    explicit ChangeWalk(int root) : root_(root) {}

    void add(const Layer& layer);
    void add(const FreshPlace& place);
    // Sorted by path; of too many, some.
    std::vector<SessionChange> finish();

private:
    struct Folder;

    void walk(const Folder& folder);
    void visit(const Folder& folder, const std::string& name);
    void visit_lost(const Folder& folder);
    void walk_fresh(int directory, const std::string& path, uid_t owner, unsigned depth);
    bool is_full() const;
    void note(ChangeType change, const std::string& path, const struct stat& status);

    int root_;
    std::vector<SessionChange> changes_;
    std::size_t path_bytes_ = 0;
};

} // namespace tacet
