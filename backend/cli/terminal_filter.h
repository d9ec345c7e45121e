// SPDX-License-Identifier: GPL-3.0-or-later
// What the person's terminal gets of a private program's output. Text, colours and the cursor pass. Sequences that would act
// outside of the window, or have the terminal tell what it shows, are left out. A title is marked as that of a private program.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace tacet::cli {

class TerminalFilter {
public:
    // is_utf8: whether the terminal takes the bytes from 0x80 to 0x9f for parts of characters, not for controls.
    explicit TerminalFilter(bool is_utf8) : is_utf8_(is_utf8) {}

    // Returns what passes. A sequence may be cut between two calls, so its end is waited for.
    std::string pass(std::string_view text);
    // Returns the sequences that undo what the program has left switched on: mouse reports, the other screen, colours.
    std::string undo();

private:
    enum class State { Text, Escape, Intermediate, Control, Title, String };

    void take(unsigned char byte);
    void take_text(unsigned char byte);
    void begin(unsigned char byte);
    void take_control(unsigned char byte);
    void take_string(unsigned char byte);
    void end_control(char last);
    void end_title();
    void note_modes(char last);

    bool is_utf8_;
    State state_ = State::Text;
    std::string sequence_; // after ESC, without what introduces it
    std::string passed_;
    std::size_t continuations_ = 0; // bytes that the current character still has
    unsigned char lowest_ = 0;      // of the next continuation
    bool is_after_c2_ = false;
    bool string_escapes_ = false; // the string's last byte was ESC
    bool has_sequences_ = false;
    bool has_title_ = false;
    bool has_margins_ = false;
    bool has_key_modes_ = false;
    std::set<std::string, std::less<>> modes_; // private modes that differ from a terminal's usual ones
};

} // namespace tacet::cli
