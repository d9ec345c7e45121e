// SPDX-License-Identifier: GPL-3.0-or-later
// Finds out what a session has done to its files. It reads with the caller's rights, and passes over files that it may not
// read.
#pragma once

#include <sys/stat.h>

#include "common/session_changes.h"
#include "common/unique_fd.h"

namespace tacet {

// One copied-on-write mount. Both sides are directories.
struct Layer {
    std::string point; // its place in the session, "/" or "/home"
    UniqueFd upper;    // the files that the session wrote
    UniqueFd lower;    // the files that the session found
};

// A place that was empty when the session got it.
struct FreshPlace {
    std::string point;
    uid_t owner = 0; // only this person's regular files count
};

class ChangeWalk {
public:
    // root: the session's own root directory, as its programs see it. It must stay open.
    explicit ChangeWalk(int root) : root_(root) {}

    void add(const Layer& layer);
    void add(const FreshPlace& place);
    // Returns the changes, sorted by path. If there are too many, only some of them.
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
