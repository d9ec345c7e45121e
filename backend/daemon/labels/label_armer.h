// SPDX-License-Identifier: GPL-3.0-or-later
// Sees to it that every label triggers. These are the labels of the index after a start or a mount, those that the kernel makes,
// and those of file systems of which the index may not know all.
#pragma once

#include <map>
#include <set>

#include "daemon/core/account.h"
#include "daemon/labels/label_index.h"
#include "daemon/labels/shadow_service.h"
#include "daemon/log/activity_log.h"
#include "daemon/lookups/lookups.h"

namespace tacet {

class LabelArmer {
public:
    struct Surroundings {
        KernelLink& kernel;
        Lookups& lookups;
        Signals& signals;
        const Clock& clock;
        Scheduler& scheduler;
    };

    // A folder limits where labels are looked for. Without it that is the whole machine.
    LabelArmer(LabelStore& labels, LabelIndex& index, ShadowService& shadows, ActivityLog& log, std::string folder,
               Surroundings surroundings);

    // Looks at every entry. done is called when all that can be armed is, and at once without the module.
    void arm(std::function<void()> done = {});
    // Takes in files of an index that was lost, as far as their inodes carry a label.
    void adopt(std::vector<std::string> paths);
    // The index may lack labels on all file systems. They are looked through after the next look at every entry.
    void distrust();

    void on_labelled(const Notice& notice);
    void on_stale(const Notice& notice);

    // Tells whether the store knows of every label, or where it may lack one.
    bool is_settled() const;
    // Returns nothing if every label is known and in force, as far as its file system is mounted. Otherwise it returns
    // "being-rebuilt" or "files-failed".
    std::string state() const;

private:
    static constexpr std::size_t batch = 64;
    static constexpr std::uint32_t derived_max = limit_of(Resource::Derived);

    struct Refresh {
        uid_t account = own_account;
        std::string path;
        pid_t pid = 0;
    };

    // The entries of one request, and what is asked about each.
    struct Part {
        std::vector<LabelledFile> entries;
        std::vector<SoughtFile> sought;
    };

    void arm_batch();
    void look_at(uid_t account, Part part, std::function<void()> done);
    void end_pass();
    void keep(const std::vector<LabelledFile>& entries, std::vector<Finding> findings);
    void keep_one(const LabelledFile& sought, Finding finding, std::vector<LabelledFile>& ret_changed);
    void try_again_later();
    void look_through();
    void await_look();
    void give_up_look();
    void take_look(LookupReply reply);
    void take_in(const FoundFile& file);
    void end_file_system(const std::string& file_system);
    void end_look(bool whole);
    void fail(const std::string& file_system);
    void settle(const Notice& notice, Finding finding);
    bool has_room(uid_t user);
    void refresh_soon(std::int64_t id, Refresh refresh);
    void refresh_all();
    bool transact(const std::function<void()>& changes);
    bool transact_of_look(const std::function<void()>& changes);

    LabelStore& labels_;
    LabelIndex& index_;
    ShadowService& shadows_;
    ActivityLog& log_;
    std::string folder_;
    Surroundings around_;

    bool is_passing_ = false;
    bool passes_again_ = false;
    std::int64_t position_ = 0;
    std::vector<std::function<void()>> after_pass_;
    std::unique_ptr<Pending> retry_;

    bool is_distrusted_ = false;      // until a look has come to its end
    bool is_noted_ = true;            // tells whether the store knows that it is distrusted
    bool is_distrusted_anew_ = false; // tells whether that came during the running look
    bool looks_again_ = false;        // tells whether the running look is followed by another one
    std::unique_ptr<Pending> look_;
    std::unique_ptr<Pending> overdue_;
    std::string looked_at_;   // is the file system that is being looked through
    bool has_missed_ = false; // tells whether a file there could not be taken in
    bool has_hidden_ = false; // tells whether a place there could not be looked at
    // Looks leave these out for a while, since a part of them could not be looked at.
    std::set<std::string> failed_;
    bool is_full_ = false; // tells whether a file found no room in its account
    std::unique_ptr<Pending> failed_retry_;

    std::size_t notices_ = 0; // is how many are being looked at
    std::map<std::int64_t, Refresh> to_refresh_;
    std::unique_ptr<Pending> refresh_;
};

} // namespace tacet
