// SPDX-License-Identifier: GPL-3.0-or-later
// The open questions, with a limit for each person. Questions that a person would answer alike wait behind one prompt.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "daemon/core/account.h"
#include "daemon/core/question.h"

namespace tacet {

class QuestionQueue {
public:
    static constexpr std::size_t per_owner_max = limit_of(Resource::Questions);

    enum class Added { Leads, Follows, Full, Known };

    // The change in a group after one question left it.
    struct Removed {
        Question question;
        bool led = false;
        std::optional<QuestionId> successor;
    };

    Added add(Question question);
    std::optional<Removed> remove(QuestionId id);

    void set_deadline(QuestionId id, BootTime deadline);

    const Question* find(QuestionId id) const;
    // Returns the question and all that wait behind the same prompt, oldest first.
    std::vector<QuestionId> group_of(QuestionId id) const;
    std::vector<const Question*> leaders() const;
    std::vector<QuestionId> all() const;
    std::size_t size() const { return questions_.size(); }

private:
    std::list<Question> questions_; // in the order of arrival
};

// Tells whether person, executable, peer and file are the same, and both questions are equally sure.
bool is_alike(const Question& left, const Question& right);

} // namespace tacet
