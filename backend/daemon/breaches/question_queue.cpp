// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/breaches/question_queue.h"

#include <algorithm>

namespace tacet {

bool is_alike(const Question& left, const Question& right)
{
    return left.owner == right.owner && left.executable == right.executable && left.file == right.file
           && left.label == right.label && left.sink == right.sink && left.address == right.address && left.port == right.port
           && left.target == right.target && left.tainted == right.tainted && left.can_take_over == right.can_take_over
           && left.removes == right.removes && left.in_session == right.in_session;
}

QuestionQueue::Added QuestionQueue::add(Question question)
{
    if (find(question.id) != nullptr)
        return Added::Known;
    const auto same_owner = [&](const Question& other) { return other.owner == question.owner; };
    if (static_cast<std::size_t>(std::ranges::count_if(questions_, same_owner)) >= per_owner_max)
        return Added::Full;
    const bool follows = std::ranges::any_of(questions_, [&](const Question& other) { return is_alike(other, question); });
    questions_.push_back(std::move(question));
    return follows ? Added::Follows : Added::Leads;
}

std::optional<QuestionQueue::Removed> QuestionQueue::remove(QuestionId id)
{
    const auto found = std::ranges::find(questions_, id, &Question::id);
    if (found == questions_.end())
        return std::nullopt;
    const std::vector<QuestionId> group = group_of(id);
    Removed removed{std::move(*found), group.front() == id, std::nullopt};
    if (removed.led && group.size() > 1)
        removed.successor = group[1];
    questions_.erase(found);
    return removed;
}

void QuestionQueue::set_deadline(QuestionId id, BootTime deadline)
{
    const auto found = std::ranges::find(questions_, id, &Question::id);
    if (found != questions_.end())
        found->deadline = deadline;
}

const Question* QuestionQueue::find(QuestionId id) const
{
    const auto found = std::ranges::find(questions_, id, &Question::id);
    return found == questions_.end() ? nullptr : &*found;
}

std::vector<QuestionId> QuestionQueue::group_of(QuestionId id) const
{
    std::vector<QuestionId> group;
    const Question* question = find(id);
    if (question == nullptr)
        return group;
    for (const Question& other : questions_) {
        if (is_alike(*question, other))
            group.push_back(other.id);
    }
    return group;
}

std::vector<const Question*> QuestionQueue::leaders() const
{
    std::vector<const Question*> leaders;
    for (const Question& question : questions_) {
        const bool follows = std::ranges::any_of(leaders, [&](const Question* leader) { return is_alike(*leader, question); });
        if (!follows)
            leaders.push_back(&question);
    }
    return leaders;
}

std::vector<QuestionId> QuestionQueue::all() const
{
    std::vector<QuestionId> ids;
    for (const Question& question : questions_)
        ids.push_back(question.id);
    return ids;
}

} // namespace tacet
