import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as v1 from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { account } from '../../app/dev-chain.js';
import { achr, any, GOV, GovChain } from './gov-chain.js';

const from = fc.integer({ min: 0, max: 3 });
const proposal = fc.bigInt({ min: 1n, max: 5n });
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('submit' as const),
      from,
      amount: fc.bigInt({ min: 0n, max: 6000n }),
      expedited: fc.boolean(),
      spends: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('deposit' as const), from, proposal, amount: fc.bigInt({ min: 1n, max: 2000n }) }),
    fc.record({ kind: fc.constant('vote' as const), from, proposal, option: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ kind: fc.constant('cancel' as const), from, proposal }),
    fc.record({ kind: fc.constant('wait' as const), seconds: fc.bigInt({ min: 1n, max: 25n }) }),
  ),
  { maxLength: 25 },
);
type Step = (typeof steps extends fc.Arbitrary<infer All> ? All : never) extends (infer One)[] ? One : never;

function take(chain: GovChain, step: Step): void {
  if (step.kind === 'wait') return void chain.block(step.seconds);
  const signer = account(step.from).address;
  switch (step.kind) {
    case 'submit':
      return void chain.send(step.from, v1.MsgSubmitProposalSchema, {
        proposer: signer,
        initialDeposit: step.amount === 0n ? [] : achr(step.amount),
        title: 't',
        summary: 's',
        metadata: 'm',
        expedited: step.expedited,
        messages: step.spends
          ? [any(MsgSendSchema, { fromAddress: GOV, toAddress: signer, amount: achr(1_000_000n) })]
          : [],
      });
    case 'deposit':
      return void chain.send(step.from, v1.MsgDepositSchema, {
        proposalId: step.proposal,
        depositor: signer,
        amount: achr(step.amount),
      });
    case 'vote':
      return void chain.send(step.from, v1.MsgVoteSchema, {
        proposalId: step.proposal,
        voter: signer,
        option: step.option,
      });
    case 'cancel':
      return void chain.send(step.from, v1.MsgCancelProposalSchema, { proposalId: step.proposal, proposer: signer });
  }
}

it('governance holds every deposit, and keeps the supply, after any sequence of messages and waits', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const chain = new GovChain();
      for (const step of sequence) {
        take(chain, step);
        expect(chain.brokenInvariants()).toEqual([]);
      }
      // ends every period
      for (let period = 0; period < 3; period += 1) chain.block(30n);
      expect(chain.brokenInvariants()).toEqual([]);
      expect(chain.balance(GOV)).toBe(0n);
    }),
    { numRuns: 25 },
  );
});
