import { describe, expect, test } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { bytes, hex, newRecordedState, recordedHeights } from './golden.js';
import { type Op, verifyOps } from './verify.js';

interface Answer {
  readonly key: string;
  readonly value: string | null;
  readonly height: string;
  readonly proofOps: {
    readonly ops: readonly { readonly type: string; readonly key: string; readonly data: string }[];
  };
}

const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

/** Answers of abci_query with proofs, in recorded order. */
function provedAnswers(
  file: string,
): readonly { readonly answer: Answer; readonly ops: readonly Op[]; readonly headerAppHash: string | undefined }[] {
  interface Line {
    readonly res?: { readonly body?: string };
    readonly header_at_height_plus_1?: { readonly app_hash: string };
  }
  return goldenLines<Line>(file)
    .filter((line) => line.res?.body?.includes('ics23:iavl') === true && line.res.body.includes('"proofOps"'))
    .map((line) => {
      const parsed = JSON.parse(line.res?.body ?? '') as { readonly result: { readonly response: Answer } };
      const answer = parsed.result.response;
      const ops = answer.proofOps.ops.map((op) => ({
        type: op.type,
        key: fromBase64(op.key),
        data: fromBase64(op.data),
      }));
      return { answer, ops, headerAppHash: line.header_at_height_plus_1?.app_hash };
    });
}

describe.skipIf(!hasGolden)('recorded IAVL proofs of a Go node', () => {
  test('equal ours byte for byte', () => {
    const answers = provedAnswers('faces/comet-rpc.jsonl');
    const heights = recordedHeights();
    const state = newRecordedState(Object.keys(heights[0]?.roots ?? {}), 714);
    for (const recorded of heights) state.play(recorded);
    for (const { answer, ops } of answers) {
      const height = Number(answer.height);
      const proved = state.multistore.prove(
        'upgrade',
        fromBase64(answer.key),
        toHeight(BigInt(height)),
        state.valueAt(height),
      );
      expect(proved).toEqual({ ok: true, ops });
    }
    process.stdout.write(`recorded proofs equal to ours: ${answers.length}\n`);
    expect(answers.length).toBeGreaterThan(0);
  });

  test('of a chain with IBC pass the verifier of these tests', () => {
    const answers = provedAnswers('faces/ibc.jsonl').filter(({ headerAppHash }) => headerAppHash !== undefined);
    const outcomes = answers.map(({ answer, ops, headerAppHash }) =>
      verifyOps(
        ops,
        bytes(headerAppHash ?? ''),
        'ibc',
        fromBase64(answer.key),
        answer.value === null ? undefined : fromBase64(answer.value),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== 'verified')).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasGolden)('an IAVL proof against a recorded app hash', () => {
  test('verifies for present and absent keys of every store, at the newest and the oldest provable height', () => {
    const heights = recordedHeights().slice(0, 230);
    const state = newRecordedState(Object.keys(heights[0]?.roots ?? {}), 100);
    for (const recorded of heights) state.play(recorded);
    const outcomes = new Map<string, number>();
    let present = 0;
    for (const height of [230, 131]) {
      const appHash = bytes(heights[height - 1]?.appHash ?? '');
      const valueOf = state.valueAt(height);
      for (const store of state.multistore.stores) {
        const entries = [
          ...(state.multistore.readerAt(toHeight(BigInt(height)), () => new Uint8Array())?.range(store, {}) ?? []),
        ];
        const sampled = entries
          .filter((_, index) => index % 7 === 0 || index === entries.length - 1)
          .slice(0, 12)
          .map(({ key }) => key);
        present += sampled.length;
        const absent = [bytes('00000000'), bytes('ffffffff'), ...sampled.map((key) => Uint8Array.of(...key, 0))];
        for (const key of [...sampled, ...absent]) {
          const proved = state.multistore.prove(store, key, toHeight(BigInt(height)), valueOf);
          const outcome = proved.ok
            ? verifyOps(proved.ops, appHash, store, key, valueOf(store, key))
            : proved.error.code;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }
    }
    process.stdout.write(`proofs verified against recorded app hashes: ${outcomes.get('verified') ?? 0}\n`);
    expect([...outcomes.keys()]).toEqual(['verified']);
    expect(present, 'keys that are present').toBe(137);
  }, 120_000);

  test('is refused outside of the provable heights and for an unknown store', () => {
    const heights = recordedHeights().slice(0, 12);
    const state = newRecordedState(Object.keys(heights[0]?.roots ?? {}), 10);
    for (const recorded of heights) state.play(recorded);
    const key = bytes('00');
    expect(state.multistore.prove('acc', key, toHeight(2n), state.valueOf)).toEqual({
      ok: false,
      error: { code: 'state-pruned', height: 2n, lowest: 3n },
    });
    expect(state.multistore.prove('acc', key, toHeight(13n), state.valueOf)).toEqual({
      ok: false,
      error: { code: 'height-in-future', height: 13n, head: 12n },
    });
    expect(state.multistore.prove('no', key, toHeight(12n), state.valueOf)).toEqual({
      ok: false,
      error: { code: 'bad-query', message: 'no such store: no' },
    });
  });
});

describe.skipIf(!hasGolden)('the verifier of IAVL proofs', () => {
  test('refuses a proof for another app hash, another value or an absent value', () => {
    const heights = recordedHeights().slice(0, 3);
    const state = newRecordedState(Object.keys(heights[0]?.roots ?? {}), 10);
    for (const recorded of heights) state.play(recorded);
    const [entry] = state.multistore.reader(state.valueOf).range('acc', {});
    const proved = state.multistore.prove('acc', entry?.key ?? bytes(''), toHeight(3n), state.valueOf);
    if (!proved.ok || entry === undefined) throw new Error('not proved');
    const appHash = bytes(heights[2]?.appHash ?? '');
    expect(verifyOps(proved.ops, appHash, 'acc', entry.key, entry.value)).toBe('verified');
    expect(verifyOps(proved.ops, bytes(heights[1]?.appHash ?? ''), 'acc', entry.key, entry.value)).not.toBe('verified');
    expect(verifyOps(proved.ops, appHash, 'acc', entry.key, bytes(`${hex(entry.value)}00`))).not.toBe('verified');
    expect(verifyOps(proved.ops, appHash, 'acc', entry.key, undefined)).not.toBe('verified');
  });
});
