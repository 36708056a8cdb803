/** Streams trace output. */
import { hexData } from '../../../core/bytes/hex.js';
import type { TracePart } from '../../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import type { PullStream } from '../../../core/ports/pull-stream.js';
import { serverError } from '../errors.js';
import { type Answer, type Streamed, failed, ok } from '../method.js';
import { streamFrom } from '../pull-streams.js';
import { NOT_FOUND } from './run.js';

const encoder = new TextEncoder();

/** Answers a stream with one trace. */
export async function streamedTrace(parts: PullStream<TracePart>): Promise<Answer | Streamed> {
  const first = await parts.next();
  if (first === undefined) return NOT_FOUND;
  if (first.kind === 'end' && !first.trace.ok) {
    parts.end();
    return failed(serverError(first.trace.message));
  }
  return settled(streamFrom(textOfTrace(first, parts), () => parts.end()));
}

/** Answers the traces of a block's transactions, in order. */
export async function streamedBlock(
  hashes: readonly Uint8Array[],
  parts: PullStream<TracePart>,
): Promise<Answer | Streamed> {
  const first = await parts.next();
  // undefined when the block was reverted meanwhile
  return first === undefined ? NOT_FOUND : settled(streamFrom(textOfBlock(hashes, first, parts), () => parts.end()));
}

/** Reads a short stream completely and answers it as plain text; else answers the stream. */
async function settled(stream: PullStream<Uint8Array>): Promise<Answer | Streamed> {
  const begun: Uint8Array[] = [];
  let isLong = false;
  try {
    for (let bytes = 0; bytes < FIXED_LIMITS.shortStreamBytes;) {
      const text = await stream.next();
      if (text === undefined) return ok(Buffer.concat(begun).toString());
      begun.push(text);
      bytes += text.length;
    }
    isLong = true;
  } finally {
    if (!isLong) stream.end();
  }
  return { stream: { next: async () => begun.shift() ?? stream.next(), end: () => stream.end() } };
}

async function* textOfTrace(first: TracePart | undefined, parts: PullStream<TracePart>): AsyncGenerator<Uint8Array> {
  for (let part = first; ; part = await parts.next()) {
    if (part?.kind === 'piece') yield part.text;
    else if (part?.trace.ok === true) {
      yield encoder.encode(part.trace.json);
      return;
    } else throw new Error(`a streamed trace has no end: ${part?.trace.message ?? 'its block is gone'}`);
  }
}

async function* textOfBlock(
  hashes: readonly Uint8Array[],
  first: TracePart,
  parts: PullStream<TracePart>,
): AsyncGenerator<Uint8Array> {
  for (const [at, hash] of hashes.entries()) {
    const part = at === 0 ? first : await parts.next();
    const begin = `${at === 0 ? '[' : ','}{"txHash":"${hexData(hash)}",`;
    if (part?.kind === 'end' && !part.trace.ok) {
      yield encoder.encode(`${begin}"error":${JSON.stringify(part.trace.message)}}`);
    } else {
      yield encoder.encode(`${begin}"result":`);
      yield* textOfTrace(part, parts);
      yield encoder.encode('}');
    }
  }
  yield encoder.encode(']');
}
