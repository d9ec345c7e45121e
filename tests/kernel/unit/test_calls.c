// SPDX-License-Identifier: GPL-2.0-only
/* Rules that every row of the system-call table must keep. Compiles the module's own call.c. */
#include "call/call.c"

/* The numbers that x86-64 has skipped. */
#define GAP_BEGIN 337
#define GAP_END 424

static unsigned int failures;
static const struct tacet_call *row;

#define CHECK(condition)                                                        \
	do {                                                                    \
		if (!(condition)) {                                             \
			failures++;                                             \
			fprintf(stderr, "%s: not %s\n", row->name, #condition); \
		}                                                               \
	} while (0)

static bool is_compared(unsigned int argument)
{
	return row->compared & BIT(argument);
}

static unsigned int count_payloads(const struct tacet_buffer *buffers)
{
	unsigned int count = 0, i;

	for (i = 0; i < TACET_CALL_BUFFERS; i++)
		count += buffers[i].kind && buffers[i].flags & TACET_BUFFER_PAYLOAD;
	return count;
}

static bool has_size(const struct tacet_buffer *buffer)
{
	return buffer->kind == TACET_BUFFER_FIXED || buffer->kind == TACET_BUFFER_COUNTED ||
	       buffer->kind == TACET_BUFFER_RETURNED;
}

static bool has_length(const struct tacet_buffer *buffer)
{
	return buffer->kind != TACET_BUFFER_FIXED && buffer->kind != TACET_BUFFER_STRING &&
	       buffer->kind != TACET_BUFFER_MSGHDR && buffer->kind != TACET_BUFFER_SENT_LENGTHS &&
	       buffer->kind != TACET_BUFFER_HANDLE;
}

static void check_buffer(const struct tacet_buffer *buffer)
{
	CHECK(buffer->argument < TACET_CALL_ARGUMENTS);
	CHECK(buffer->length_argument < TACET_CALL_ARGUMENTS);
	CHECK(!is_compared(buffer->argument));
	CHECK(row->fd_argument != buffer->argument);
	CHECK(!!buffer->size == has_size(buffer));
	if (has_length(buffer))
		CHECK(buffer->length_argument != buffer->argument);
	if (buffer->kind == TACET_BUFFER_VALUE_LENGTH)
		CHECK(!is_compared(buffer->length_argument));
}

static void check_buffers(const struct tacet_buffer *buffers)
{
	unsigned int i;

	for (i = 0; i < TACET_CALL_BUFFERS; i++) {
		if (buffers[i].kind)
			check_buffer(&buffers[i]);
		if (i && buffers[i].kind)
			CHECK(buffers[i - 1].kind);
	}
	CHECK(count_payloads(buffers) <= 1);
}

static void check_directions(void)
{
	const u8 when = TACET_BUFFER_ALWAYS | TACET_BUFFER_INTERRUPTED | TACET_BUFFER_POSITIVE;
	unsigned int i;

	for (i = 0; i < TACET_CALL_BUFFERS; i++) {
		u8 in = row->in[i].kind, out = row->out[i].kind;

		CHECK(in < TACET_BUFFER_RETURNED);
		CHECK(out != TACET_BUFFER_STRING && out != TACET_BUFFER_ADDRESS);
		CHECK(!(row->in[i].flags & when));
	}
}

static void check_output(void)
{
	const struct tacet_buffer *buffer = row->in;

	CHECK(!count_payloads(row->out));
	/* Only what is sent to a file has to be told from the rest. */
	if (!count_payloads(row->in) && row->fd_argument == TACET_NO_FD)
		return;
	CHECK(count_payloads(row->in) == 1);
	while (!(buffer->flags & TACET_BUFFER_PAYLOAD))
		buffer++;
	/* Another length is another output, not another way. */
	if (has_length(buffer) && buffer->kind != TACET_BUFFER_MMSGHDR)
		CHECK(!is_compared(buffer->length_argument));
}

static void check_flags(void)
{
	if (row->kind == TACET_CALL_READ) {
		CHECK(row->fd_argument >= 0);
		CHECK(count_payloads(row->out) == 1);
	}
	if (row->flags & TACET_CALL_POSITIONED) {
		CHECK(row->kind == TACET_CALL_READ || row->kind == TACET_CALL_OUTPUT);
		CHECK(is_compared(3));
	}
	if (row->flags & TACET_CALL_CONNECTS)
		CHECK(row->kind == TACET_CALL_OUTPUT);
	if (row->flags & TACET_CALL_ORDERED)
		CHECK(row->kind == TACET_CALL_BOTH || row->kind == TACET_CALL_MMAP);
	if (row->flags & TACET_CALL_WRITES)
		CHECK(row->kind == TACET_CALL_OUTPUT);
	if (row->flags & (TACET_CALL_ASKS | TACET_CALL_TIME))
		CHECK(row->kind == TACET_CALL_REPLAY);
}

/* Of one thread each by itself, of several in the original's order. */
static bool is_replayed_in_turns(void)
{
	return row->kind == TACET_CALL_LOCAL && row->flags & TACET_CALL_TURNS && row->fd_argument == TACET_NO_FD &&
	       !row->in[0].kind && !row->out[0].kind;
}

static bool is_bare(void)
{
	return !row->compared && !row->flags && row->fd_argument == TACET_NO_FD && !row->in[0].kind &&
	       !row->out[0].kind;
}

static void check_kind(void)
{
	CHECK(row->kind < TACET_CALL_KINDS);
	CHECK((row->kind == TACET_CALL_REFUSE) == (row->refusal < 0));
	if (row->kind == TACET_CALL_OUTPUT)
		check_output();
	if (row->kind == TACET_CALL_BOTH)
		CHECK(!row->in[0].kind && !row->out[0].kind);
	CHECK(!(row->flags & TACET_CALL_TURNS) || is_replayed_in_turns());
	if ((row->kind == TACET_CALL_LOCAL && !is_replayed_in_turns()) || row->kind == TACET_CALL_TAINT ||
	    row->kind == TACET_CALL_REFUSE)
		CHECK(is_bare());
}

static void check_row(void)
{
	CHECK(row->fd_argument >= TACET_NO_FD && row->fd_argument < TACET_CALL_ARGUMENTS);
	if (row->fd_argument >= 0)
		CHECK(is_compared(row->fd_argument));
	CHECK(row->compared < BIT(TACET_CALL_ARGUMENTS));
	check_kind();
	check_flags();
	check_buffers(row->in);
	check_buffers(row->out);
	check_directions();
}

static bool is_gap(unsigned int number)
{
	return number >= GAP_BEGIN && number < GAP_END;
}

static void check_lookup(unsigned int number, const struct tacet_call *expected)
{
	row = tacet_call_lookup(number);
	CHECK(row == expected);
	CHECK(row->fd_argument == TACET_NO_FD);
}

int main(void)
{
	unsigned int number, rows = 0;

	for (number = 0; number < ARRAY_SIZE(calls); number++) {
		if (is_gap(number)) {
			check_lookup(number, &missing);
			continue;
		}
		if (!calls[number].name) {
			fprintf(stderr, "number %u has no row\n", number);
			failures++;
			continue;
		}
		row = tacet_call_lookup(number);
		CHECK(row == &calls[number]);
		check_row();
		rows++;
	}
	check_lookup(ARRAY_SIZE(calls), &missing);
	check_lookup(__X32_SYSCALL_BIT, &x32);
	check_lookup(~0U, &x32);
	printf("%u rows, %u failures\n", rows, failures);
	return failures != 0;
}
