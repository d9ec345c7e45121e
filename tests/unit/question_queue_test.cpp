// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "daemon/breaches/question_queue.h"

namespace tacet {
namespace {

using testing::ElementsAre;
using Added = QuestionQueue::Added;

Question make_question(QuestionId id, const std::string& executable = "/usr/bin/curl", uid_t owner = 1000)
{
    Question question;
    question.id = id;
    question.owner = owner;
    question.executable = executable;
    question.file = "/home/user/salaries.csv";
    question.address = "192.0.2.7";
    question.port = 80;
    return question;
}

TEST(QuestionQueue, LikeQuestionsFollowTheFirst)
{
    QuestionQueue queue;
    EXPECT_EQ(queue.add(make_question(5)), Added::Leads);
    EXPECT_EQ(queue.add(make_question(3)), Added::Follows);
    EXPECT_EQ(queue.add(make_question(9, "/usr/bin/wget")), Added::Leads);
    EXPECT_EQ(queue.add(make_question(5)), Added::Known);
    EXPECT_THAT(queue.group_of(3), ElementsAre(5, 3));
    EXPECT_EQ(queue.leaders().size(), 2U);
}

TEST(QuestionQueue, WhatAPersonWouldAnswerDifferentlyIsNotAlike)
{
    const Question question = make_question(1);
    for (auto change : std::vector<void (*)(Question&)>{
             [](Question& other) { other.owner = 1001; }, [](Question& other) { other.executable = "/bin/nc"; },
             [](Question& other) { other.file = "/x"; }, [](Question& other) { other.address = "192.0.2.8"; },
             [](Question& other) { other.port = 81; }, [](Question& other) { other.tainted = true; },
             [](Question& other) { other.can_take_over = true; }, [](Question& other) { other.in_session = true; },
             [](Question& other) { other.label = make_label({1}); }, [](Question& other) { other.sink = Sink::Device; }}) {
        Question other = make_question(2);
        change(other);
        EXPECT_FALSE(is_alike(question, other));
    }
}

TEST(QuestionQueue, NextOfTheGroupTakesThePrompt)
{
    QuestionQueue queue;
    queue.add(make_question(1));
    queue.add(make_question(2));
    const auto removed = queue.remove(1);
    EXPECT_TRUE(removed->led);
    EXPECT_EQ(removed->successor, 2U);
    EXPECT_FALSE(queue.remove(2)->successor);
    EXPECT_FALSE(queue.remove(2));
}

TEST(QuestionQueue, IsBoundedForEachPerson)
{
    QuestionQueue queue;
    for (QuestionId id = 0; id < QuestionQueue::per_owner_max; ++id)
        queue.add(make_question(id));
    EXPECT_EQ(queue.add(make_question(1000)), Added::Full);
    EXPECT_EQ(queue.add(make_question(1000, "/usr/bin/curl", 1001)), Added::Leads);
}

} // namespace
} // namespace tacet
