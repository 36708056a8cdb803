import { expect, it } from 'vitest';
import type { PrepareProposalRequest } from '../../../src/core/application-requests.js';
import { NO_RESULTS } from '../../../src/core/comet/encoded-results.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { EMPTY_STATE } from '../../../src/core/state/overlay.js';
import { nextBlockOf } from '../../../src/runtime/pool/next-block.js';

const NOTHING = new Uint8Array(0);
const tx = { tx: NOTHING, gasLimit: 21_000n, verified: true, accounts: [] };
const block: PrepareProposalRequest = {
  height: toHeight(8n),
  time: toTimeNs(0n),
  chainId: 'c',
  proposerAddress: NOTHING,
  nextValidatorsHash: NOTHING,
  previousAppHash: NOTHING,
  lastCommitVotes: [],
  lastCommitRound: 0,
  misbehavior: [],
  txs: Array.from({ length: 50 }, () => tx),
};

/** An application whose transactions take a millisecond each. */
function runs(milliseconds: number, deadline: number) {
  let now = 0;
  const asked: number[] = [];
  let forgotten = 0;
  const execute = nextBlockOf(
    {
      prepareProposal(_state, { txs }, isLate = () => false) {
        asked.push(txs.length);
        const taken: number[] = [];
        for (const place of txs.keys()) {
          if (isLate()) break;
          taken.push(place);
          now += 1;
        }
        return { kind: 'prepared', taken };
      },
      finalizePrepared: () => ({
        kind: 'executed',
        results: NO_RESULTS,
        writes: [{ store: 's', key: Uint8Array.of(1), value: undefined }],
        upgradeHeight: undefined,
        touched: [],
        upgradeApplied: undefined,
      }),
      forgetState: () => (forgotten += 1),
    },
    { kind: 'next-block', block, milliseconds },
    () => now,
    deadline,
  );
  return { made: execute(EMPTY_STATE), asked, forgotten: () => forgotten };
}

it.each([
  [1_000, 1_000, 50],
  [20, 1_000, 20],
  [1_000, 7, 7],
  [0, 1_000, 0],
])('a block takes transactions for %i ms, and not after its deadline at %i', (milliseconds, deadline, count) => {
  const { made, asked, forgotten } = runs(milliseconds, deadline);
  expect(made?.taken).toHaveLength(count);
  // The hooks run alone first, so that the ranges that they miss do not make all transactions execute again.
  expect(asked).toEqual([0, 50]);
  expect(forgotten()).toBe(4);
});
