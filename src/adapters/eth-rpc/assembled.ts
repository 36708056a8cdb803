/** Long answers, which are written in slices: the event loop runs between them, and no slice waits for the whole. */
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { onFirstCall } from '../../core/on-first-call.js';
import { type RpcError, limitExceeded } from './errors.js';
import { type Answer, type MethodContext, type Streamed, failed, ok } from './method.js';
import { streamFrom } from './pull-streams.js';

const encoder = new TextEncoder();
/** Bytes of a decoded log, or of its text: what a log of an answer in progress holds at least. */
const LOG_BYTES = 352;

/**
 * Joins parts to an answer in slices. A long answer is streamed if the connection allows it, else `refused` may limit
 * its length.
 */
export async function assembled(
  parts: Iterable<string>,
  { timers, connection }: Pick<MethodContext, 'timers' | 'connection'>,
  refused: (length: number) => RpcError | undefined = () => undefined,
): Promise<Answer | Streamed> {
  const slices = sliced(parts);
  let text = slices.next().value ?? '';
  if (connection.takesStreams && text.length >= FIXED_LIMITS.ethAnswerBytesPerTurn)
    return { stream: streamFrom(encoded(text, slices, timers), () => undefined) };
  for (;;) {
    const error = refused(text.length);
    if (error !== undefined) return failed(error);
    const slice = slices.next().value;
    if (slice === undefined) return ok(text);
    text += slice;
    await timers.yield();
  }
}

/** Assembles an answer with many logs. Those that are in progress are limited together, as large bodies are. */
export async function assembledLogs(
  count: number,
  parts: Iterable<string>,
  context: Pick<MethodContext, 'timers' | 'connection' | 'limits' | 'largeAnswers'>,
): Promise<Answer | Streamed> {
  const { limits, largeAnswers } = context;
  const bytes = count * LOG_BYTES;
  if (bytes < limits.largeAnswerBytes) return assembled(parts, context);
  if (!largeAnswers.take(bytes))
    return failed(limitExceeded(`limit pendingAnswerBytes (${limits.pendingAnswerBytes}) exceeded`));
  const release = onFirstCall(() => largeAnswers.give(bytes));
  const answer = await assembled(parts, context).catch((error: unknown) => {
    release();
    throw error;
  });
  if (!('stream' in answer)) {
    release();
    return answer;
  }
  const { stream } = answer;
  return {
    stream: {
      next: () => stream.next(),
      end() {
        stream.end();
        release();
      },
    },
  };
}

/** Parts of a JSON array of items, each of which has parts itself. */
export function* arrayParts<Item>(
  items: Iterable<Item>,
  partsOf: (item: Item) => Iterable<string>,
): Generator<string, undefined> {
  yield '[';
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* partsOf(item);
  }
  yield ']';
}

/** Joins parts to texts of at least `ethAnswerBytesPerTurn` bytes each, except the last. */
function* sliced(parts: Iterable<string>): Generator<string, undefined> {
  let slice = '';
  for (const part of parts) {
    slice += part;
    if (slice.length < FIXED_LIMITS.ethAnswerBytesPerTurn) continue;
    yield slice;
    slice = '';
  }
  yield slice;
}

async function* encoded(
  first: string,
  others: Iterable<string>,
  timers: MethodContext['timers'],
): AsyncGenerator<Uint8Array, void> {
  yield encoder.encode(first);
  for (const slice of others) {
    await timers.yield();
    yield encoder.encode(slice);
  }
}
