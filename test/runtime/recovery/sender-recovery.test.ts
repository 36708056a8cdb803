import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import type { EthereumTransaction } from '../../../src/core/ethereum/transaction.js';
import { recoverSender, type SenderResult } from '../../../src/core/ethereum/transaction-sender.js';
import { type RecoveryThread, SenderRecovery } from '../../../src/runtime/recovery/sender-recovery.js';
import { chain } from '../../core/app/dev-chain.js';
import { rawOf } from '../../core/app/ethereum-chain.js';
import { crypto } from '../../core/app/support.js';

/** Signed transactions; every fifth has an impossible s, and every seventh an altered r. */
async function transactions(count: number): Promise<readonly EthereumTransaction[]> {
  const made: EthereumTransaction[] = [];
  for (let nonce = 0; nonce < count; nonce += 1) {
    const decoded = decodeTransaction(await rawOf(nonce % 3, { nonce }));
    if (!decoded.ok) throw new Error(decoded.message);
    const { transaction } = decoded;
    const wrong = nonce % 5 === 4 ? { s: 0n } : nonce % 7 === 6 ? { r: transaction.r + 1n } : {};
    made.push({ ...transaction, ...wrong });
  }
  return made;
}

/** A recovery whose turns end, and whose thread works, when the test says so. */
function recovery({ batch = 256 } = {}) {
  let endTurn: (() => void) | undefined;
  const away: { readonly size: number; readonly work: () => void; readonly lose: () => void }[] = [];
  let started = 0;
  const start = (): RecoveryThread => {
    started += 1;
    return {
      recover: (inputs) =>
        new Promise((resolve, reject) => {
          away.push({
            size: inputs.length,
            work: () => resolve(inputs.map((one) => crypto.recoverSecp256k1(one.digest, one.signature, one.yParity))),
            lose: () => reject(new Error('exit code 1')),
          });
        }),
      stop: () => Promise.resolve(),
    };
  };
  const senders = new SenderRecovery({
    crypto,
    evmChainId: chain.evmChainId,
    timers: { after: (_milliseconds, run) => ((endTurn = run), () => undefined) },
    limits: { senderRecoveryBatch: batch },
    start,
  });
  const turn = async (): Promise<void> => {
    const run = endTurn;
    endTurn = undefined;
    run?.();
    await settled();
  };
  return { senders, turn, away, started: () => started };
}

const settled = async (): Promise<void> => {
  for (let index = 0; index < 50; index += 1) await Promise.resolve();
};
const expected = (transaction: EthereumTransaction): SenderResult =>
  recoverSender(crypto, transaction, chain.evmChainId);

describe('senders of raw transactions', () => {
  it('are recovered on the main thread when the transactions come alone', async () => {
    const { senders, turn, started } = recovery();
    for (const one of await transactions(6)) {
      expect(senders.recover(one)).toEqual(expected(one));
      await turn();
    }
    expect(started()).toBe(0);
  });

  it('are recovered in batches on a thread when many come together, in order, also when the thread is lost', async () => {
    const all = await transactions(40);
    const step = fc.constantFrom('send', 'send', 'send', 'turn', 'work', 'lose');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.integer({ min: 4, max: 9 }), async (steps, batch) => {
        const { senders, turn, away, started } = recovery({ batch });
        const answers: { readonly of: number; readonly sender: SenderResult }[] = [];
        let sent = 0;
        const send = (transaction: EthereumTransaction): void => {
          const of = sent;
          sent += 1;
          const sender = senders.recover(transaction);
          if (!(sender instanceof Promise)) answers.push({ of, sender });
          else void sender.then((value) => answers.push({ of, sender: value }));
        };
        const valid = all.filter((one) => one.s > 0n);
        for (const one of steps) {
          const next = valid[sent];
          if (one === 'send' && next !== undefined) send(next);
          else if (one === 'turn') await turn();
          else if (one === 'work') away.shift()?.work();
          else if (one === 'lose') away.shift()?.lose();
          await settled();
          expect(away.length).toBeLessThanOrEqual(1);
          expect(away[0]?.size ?? batch).toBeLessThanOrEqual(batch);
        }
        for (let round = 0; round < 40; round += 1) {
          away.shift()?.work();
          await settled();
          await turn();
        }
        expect(answers).toEqual(valid.slice(0, sent).map((one, of) => ({ of, sender: expected(one) })));
        expect(started()).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });

  it('are refused at once for impossible signatures and other chain ids', async () => {
    const { senders } = recovery();
    const [one] = await transactions(1);
    if (one === undefined) throw new Error('no transaction');
    expect(senders.recover({ ...one, s: 0n })).toEqual({
      ok: false,
      message: 'invalid sender: invalid transaction v, r, s values',
    });
    expect(senders.recover({ ...one, chainId: 5n })).toMatchObject({ ok: false });
  });
});
