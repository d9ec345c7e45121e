// SPDX-License-Identifier: GPL-3.0-or-later
// The commands. Each returns an exit code, and throws UsageError or sdbus::Error.
#pragma once

#include <span>

#include "cli/arguments.h"
#include "cli/exit_code.h"

namespace tacet::cli {

struct Command {
    const char* name; // "noun verb" or "noun"
    const char* usage;
    const char* help;
    std::vector<OptionRule> options;
    int (*run)(const Arguments& arguments);
    // What follows the first word belongs to another program.
    bool runs_program = false;
};

int run_status(const Arguments& arguments);
int run_doctor(const Arguments& arguments);
int run_pause(const Arguments& arguments);
int run_resume(const Arguments& arguments);
int run_label_add(const Arguments& arguments);
int run_label_remove(const Arguments& arguments);
int run_label_show(const Arguments& arguments);
int run_label_list(const Arguments& arguments);
int run_label_guard(const Arguments& arguments);
int run_breach_list(const Arguments& arguments);
int run_breach_answer(const Arguments& arguments);
int run_rule_list(const Arguments& arguments);
int run_rule_add(const Arguments& arguments);
int run_rule_remove(const Arguments& arguments);
int run_log(const Arguments& arguments);
int run_watch(const Arguments& arguments);
int run_run(const Arguments& arguments);
int run_session_list(const Arguments& arguments);
int run_session_end(const Arguments& arguments);
int run_session_paste(const Arguments& arguments);
int run_session_copy(const Arguments& arguments);
int run_session_files(const Arguments& arguments);
int run_session_keep(const Arguments& arguments);

} // namespace tacet::cli
