// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal_filter.h"

#include <algorithm>
#include <array>

namespace tacet::cli {
namespace {

constexpr char escape = '\x1b';
constexpr std::size_t control_max = 256;
constexpr std::size_t title_max = 1024;

// The sequences "CSI prefix ... last" that pass, where the dots stand for numbers: the prefix, what stands before the last byte,
// and the last bytes. They move the cursor, edit and colour the screen, set modes, and ask what kind of terminal it is. All
// others are left out: moving windows, telling titles (t), printing (i), checksums of the screen (*y), and what is not known.
struct Passing {
    std::string_view prefix;
    std::string_view intermediate;
    std::string_view last;
};
constexpr std::array passing{
    Passing{"", "", "@ABCDEFGHIJKLMPSTXZ`abcdefghlmnrsu"},
    Passing{"?", "", "JKhlnmrsu"},
    Passing{">", "", "cmu"},
    Passing{"<", "", "u"},
    Passing{"=", "", "cu"},
    Passing{"", " ", "q"},
    Passing{"", "!", "p"},
    Passing{"", "$", "prtvxz{"},
    Passing{"?", "$", "p"},
};

// Operating system commands that pass: colours, and marks of a shell's prompt. Titles (0, 1, 2) pass with a mark. Among those
// that do not are the clipboard (52), notifications (9, 99, 777), files and pictures (1337), links (8), the font (50) and the
// folder (7).
constexpr std::array<std::string_view, 10> passing_commands{"4", "10", "11", "12", "104", "110", "111", "112", "17", "133"};
constexpr std::array<std::string_view, 3> titles{"0", "1", "2"};

// Modes that a terminal usually has on. All others are off.
constexpr std::array<std::string_view, 2> usual_modes{"7", "25"};
// These are a terminal's own settings (autorepeat, blinking, columns), or are undone by others.
constexpr std::array<std::string_view, 6> kept_modes{"3", "4", "8", "12", "1048", "2026"};

bool contains(const auto& list, std::string_view word)
{
    return std::ranges::find(list, word) != list.end();
}

bool is_between(unsigned char byte, unsigned char first, unsigned char last)
{
    return byte >= first && byte <= last;
}

} // namespace

std::string TerminalFilter::pass(std::string_view text)
{
    passed_.clear();
    for (const char byte : text)
        take(static_cast<unsigned char>(byte));
    constexpr char shift_out = 14;
    has_sequences_ = has_sequences_ || passed_.find(escape) != std::string::npos || passed_.find(shift_out) != std::string::npos;
    return passed_;
}

void TerminalFilter::take(unsigned char byte)
{
    constexpr unsigned char cancel = 0x18;
    constexpr unsigned char substitute = 0x1a;
    if (state_ == State::Title || state_ == State::String) {
        take_string(byte);
    } else if (byte == escape) {
        state_ = State::Escape;
        sequence_.clear();
        continuations_ = 0;
        is_after_c2_ = false;
    } else if (byte == cancel || byte == substitute) {
        state_ = State::Text;
    } else if (state_ == State::Text || byte < 0x20) {
        // Other control characters have their effect in the midst of a sequence, too.
        take_text(byte);
    } else if (state_ == State::Escape) {
        begin(byte);
    } else if (state_ == State::Control) {
        take_control(byte);
    } else {
        // A character set: ESC, intermediates, and a last byte.
        sequence_ += static_cast<char>(byte);
        if (!is_between(byte, 0x20, 0x2f)) {
            passed_ += escape + sequence_;
            state_ = State::Text;
        } else if (sequence_.size() >= control_max) {
            state_ = State::Text;
        }
    }
}

// C1 controls are as good as ESC and a letter. They come as single bytes, or as characters of two bytes that begin with C2.
void TerminalFilter::take_text(unsigned char byte)
{
    constexpr unsigned char enquiry = 5;
    const bool is_c1 = is_between(byte, 0x80, 0x9f);
    if (is_after_c2_) {
        is_after_c2_ = false;
        continuations_ = 0;
        if (!is_c1)
            passed_ += {'\xc2', static_cast<char>(byte)};
    } else if (is_utf8_ && continuations_ > 0 && is_between(byte, lowest_, 0xbf)) {
        --continuations_;
        lowest_ = 0x80;
        passed_ += static_cast<char>(byte);
    } else {
        is_after_c2_ = is_utf8_ && byte == 0xc2;
        continuations_ = byte > 0xf4 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc3 ? 1 : 0;
        // A control may be spelt longer than it is.
        lowest_ = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
        if (!is_c1 && byte != enquiry && !is_after_c2_)
            passed_ += static_cast<char>(byte);
    }
}

void TerminalFilter::begin(unsigned char byte)
{
    state_ = State::Text;
    if (byte == '[') {
        state_ = State::Control;
    } else if (byte == ']') {
        state_ = State::Title;
    } else if (byte == 'P' || byte == 'X' || byte == '^' || byte == '_') {
        state_ = State::String;
    } else if (is_between(byte, 0x20, 0x2f)) {
        state_ = State::Intermediate;
        sequence_ = static_cast<char>(byte);
    } else if (byte < 0x80 && byte != '\\') {
        passed_ += {escape, static_cast<char>(byte)};
    }
}

void TerminalFilter::take_control(unsigned char byte)
{
    if (is_between(byte, 0x40, 0x7e)) {
        end_control(static_cast<char>(byte));
        state_ = State::Text;
    } else if (byte > 0x7e || sequence_.size() >= control_max) {
        // No sequence is so long. The rest of it is shown as text.
        state_ = State::Text;
    } else {
        sequence_ += static_cast<char>(byte);
    }
}

void TerminalFilter::end_control(char last)
{
    const std::size_t begin = sequence_.find_first_not_of("<=>?");
    const std::string prefix = sequence_.substr(0, begin);
    const std::size_t numbers_end = sequence_.find_last_of("0123456789:;<=>?");
    const std::string intermediate = numbers_end == std::string::npos ? sequence_ : sequence_.substr(numbers_end + 1);
    const bool passes = std::ranges::any_of(passing, [&](const Passing& known) {
        return known.prefix == prefix && known.intermediate == intermediate && known.last.find(last) != std::string_view::npos;
    });
    if (!passes)
        return;
    note_modes(last);
    passed_ += std::string{escape, '['} + sequence_ + last;
}

void TerminalFilter::note_modes(char last)
{
    has_margins_ = has_margins_ || (last == 'r' && !sequence_.starts_with('?'));
    has_key_modes_ = has_key_modes_ || (sequence_.starts_with('>') && (last == 'm' || last == 'u'));
    if (!sequence_.starts_with('?') || (last != 'h' && last != 'l'))
        return;
    for (std::size_t from = 1; from <= sequence_.size();) {
        const std::size_t to = std::min(sequence_.find(';', from), sequence_.size());
        const std::string mode = sequence_.substr(from, to - from);
        const bool is_usual = (last == 'h') == contains(usual_modes, mode);
        if (is_usual)
            modes_.erase(mode);
        else if (!contains(kept_modes, mode) && modes_.size() < control_max)
            modes_.insert(mode);
        from = to + 1;
    }
}

// Ends at BEL, at ST, or at the next sequence.
void TerminalFilter::take_string(unsigned char byte)
{
    constexpr unsigned char bell = 7;
    constexpr unsigned char c1_end = 0x9c;
    const bool is_title = state_ == State::Title;
    if (string_escapes_) {
        string_escapes_ = false;
        if (is_title && byte == '\\')
            end_title();
        state_ = State::Escape;
        sequence_.clear();
        take(byte);
    } else if (byte == escape) {
        string_escapes_ = true;
    } else if (byte == bell || byte == 0x18 || byte == 0x1a || (byte == c1_end && !is_utf8_)) {
        if (is_title && byte == bell)
            end_title();
        state_ = State::Text;
    } else if (is_title && byte >= 0x20 && sequence_.size() < title_max) {
        sequence_ += static_cast<char>(byte);
    }
}

void TerminalFilter::end_title()
{
    const std::size_t end = std::min(sequence_.find(';'), sequence_.size());
    const std::string_view command = std::string_view(sequence_).substr(0, end);
    std::string text;
    // What remains is checked like the text that is shown.
    TerminalFilter shown(is_utf8_);
    if (end < sequence_.size())
        text = shown.pass(std::string_view(sequence_).substr(end + 1));
    if (contains(titles, command)) {
        if (!has_title_)
            passed_ += "\x1b[22;0t";
        has_title_ = true;
        passed_ += std::string{escape, ']'}.append(command) + ";Private: " + text + '\a';
    } else if (contains(passing_commands, command)) {
        passed_ += std::string{escape, ']'}.append(command) + (end < sequence_.size() ? ";" + text : "") + '\a';
    }
}

std::string TerminalFilter::undo()
{
    std::string undone;
    for (const std::string& mode : modes_)
        undone += "\x1b[?" + mode + (contains(usual_modes, mode) ? 'h' : 'l');
    if (has_margins_)
        undone += "\x1b"
                  "7\x1b[r\x1b"
                  "8";
    if (has_key_modes_)
        undone += "\x1b[>4m\x1b[<u";
    if (has_title_)
        undone += "\x1b[23;0t";
    // Colours and character sets are as usual.
    if (has_sequences_)
        undone += "\x1b[m\x1b(B\x0f";
    modes_.clear();
    has_margins_ = has_key_modes_ = has_title_ = has_sequences_ = false;
    return undone;
}

} // namespace tacet::cli
