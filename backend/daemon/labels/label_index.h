// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the index, the kernel and the inodes of one mind. docs/design/labels.md has the invariant.
#pragma once

#include <map>
#include <set>

#include "daemon/kernel_link/kernel_link.h"
#include "daemon/labels/found_file.h"
#include "daemon/labels/label_store.h"

namespace tacet {

// A LabelRight tells whose files a change may touch: one user's, or with authority everybody's.
struct LabelRight {
    uid_t user = 0;
    bool of_all = false;

    bool allows(uid_t owner) const { return of_all || user == owner; }
};

class LabelIndex {
public:
    LabelIndex(Database& database, LabelStore& store, KernelLink& kernel, const Clock& clock)
        : database_(database), store_(store), kernel_(kernel), clock_(clock)
    {
    }

    // Finds the entry of an inode that was seen since the daemon started. The kernel gave the numbers.
    std::optional<LabelledFile> find(const FileIdentity& identity);
    std::optional<LabelledFile> find(const FoundFile& file);
    // Returns the person whose data a label is about, for a file without an entry. If that is not one person, it returns root,
    // who is never asked.
    uid_t person_of(const Label& label) { return store_.person_of(label).value_or(0); }

    // Every change below is made inside of this. All of it holds, or nothing does, in the kernel too.
    Result<void> transact(const std::function<void()>& changes);

    struct Change {
        LabelledFile entry;
        bool changed = false;
    };
    // These fail with NotOwner, NotLabelled, TooMany, or the kernel's error. The owner is the inode's, as it is now.
    Result<Change> mark(const FoundFile& file, const std::string& kind, const LabelRight& right);
    Result<Change> unmark(const FoundFile& file, const LabelRight& right);
    // Removes the entries of files that were at the path and were not found at the last look, as their person wishes.
    Result<std::vector<LabelledFile>> forget(const std::string& path, const LabelRight& right);

    // Takes the finding of the entry's file. From now on the file triggers, or the entry tells why not. A derived file that is
    // gone leaves the index. entry.shadow then tells whether a current shadow file was handed over.
    void keep(LabelledFile& entry, Finding finding);
    // Takes in an inode that was found with a label. derived counts if there is no entry yet. It fails with NotLabelled if the
    // inode has no label.
    Result<LabelledFile> take_in(const FoundFile& file, bool derived);
    // Makes an entry for an inode that the kernel has labelled and nobody found. file_system is where it is, as far as known.
    LabelledFile note(const Notice& notice, const std::string& file_system);

    // A look through file systems begins. It completes none that is marked as incomplete from now on.
    void begin_look() { marked_.clear(); }
    // Notes that every label of the file system has an entry, or every label of all of them.
    void set_complete(const std::string& file_system);
    void set_all_complete();
    void set_seen(const std::string& file_system) { expect(store_.set_seen(file_system)); }
    // Notes that the file system may have labels without an entry. An empty name stands for all of them.
    void set_incomplete(const std::string& file_system);
    // Notes once more that all were incomplete before the look began.
    void repeat_incomplete() { expect(store_.set_incomplete()); }

    // Tells how many files have an entry by their numbers only, because the user's processes wrote them.
    std::size_t noted_of(uid_t user) const;

    // An entry has left the index for good. Its id is never given again.
    std::function<void(std::int64_t id)> on_removed;
    // Opens the shadow file to hand over with the label, if there is a current one.
    std::function<UniqueFd(const LabelledFile&, const FoundFile&)> open_shadow;

private:
    struct Opened {
        std::shared_ptr<UniqueFd> file;
        Label label;
        std::optional<LabelledFile> entry;
    };

    Result<Opened> open(const FoundFile& file, const LabelRight& right);
    Result<void> set_label(const Opened& opened, const Label& label);
    Presence arm(LabelledFile& entry, const FoundFile& file);
    void write(LabelledFile& entry, const FileIdentity& identity);
    void remove(std::int64_t id);
    void see(std::int64_t id, const FileIdentity& identity);
    void forget_place(std::int64_t id);
    void charge(std::int64_t id, uid_t account);
    void discharge(std::int64_t id);
    void expect(const Result<void>& written);

    Database& database_;
    LabelStore& store_;
    KernelLink& kernel_;
    const Clock& clock_;
    // These tell where the entries' inodes are, as long as their file systems are mounted. Both hold the same.
    std::map<FileIdentity, std::int64_t> seen_;
    std::map<std::int64_t, FileIdentity> places_;
    // Are marked as incomplete since the look began. An empty name stands for all.
    std::set<std::string> marked_;
    // Tells who wrote the files that only the kernel has seen. Their entries may be another person's.
    std::map<std::int64_t, uid_t> noted_;
    std::map<uid_t, std::size_t> noted_of_;
    // These belong to the open transaction.
    Result<void> written_;
    std::vector<std::int64_t> removed_;
    std::vector<std::function<void()>> undo_;
};

} // namespace tacet
