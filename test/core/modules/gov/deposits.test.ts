/** Minimum initial and later deposits of proposals (cosmos-sdk v0.53 `x/gov/keeper/deposit.go`). */
import { describe, expect, it } from 'vitest';
import * as v1 from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { account } from '../../app/dev-chain.js';
import { achr, GovChain } from './gov-chain.js';

const FAILED = 'failed to execute message; message index: 0: ';
const submit = (chain: GovChain, deposit: bigint, expedited = false) =>
  chain.send(0, v1.MsgSubmitProposalSchema, {
    proposer: account(0).address,
    initialDeposit: deposit === 0n ? [] : achr(deposit),
    title: 't',
    summary: 's',
    metadata: 'm',
    expedited,
  });
const tooSmall = (was: string, need: string) => ({
  codespace: 'gov',
  code: 16,
  log: `${FAILED}was (${was}), need (${need}): minimum deposit is too small`,
});

describe('the initial deposit of a proposal', () => {
  it('must be a ratio of the minimum deposit, rounded half to even', () => {
    // 1.5 and 2.5 of 1000
    for (const ratio of ['0.0015', '0.0025']) {
      const chain = new GovChain({ min_initial_deposit_ratio: ratio, min_deposit_ratio: '0' });
      expect(submit(chain, 1n)).toEqual(tooSmall('1achr', '2achr'));
      expect(submit(chain, 2n).code).toBe(0);
    }
  });

  it('must be a ratio of the higher minimum for an expedited proposal', () => {
    const chain = new GovChain({ min_initial_deposit_ratio: '0.1', min_deposit_ratio: '0' });
    expect(submit(chain, 100n).code).toBe(0);
    expect(submit(chain, 499n, true)).toEqual(tooSmall('499achr', '500achr'));
    expect(submit(chain, 500n, true).code).toBe(0);
  });

  it('may be empty when the ratio is 0, but not when the ratio yields less than a unit', () => {
    const free = new GovChain({ min_initial_deposit_ratio: '0', min_deposit_ratio: '0' });
    const part = new GovChain({ min_initial_deposit_ratio: '0.0001', min_deposit_ratio: '0' });
    expect(submit(free, 0n).code).toBe(0);
    expect(submit(part, 0n)).toEqual(tooSmall('', '0achr'));
    expect(submit(part, 1n).code).toBe(0);
  });
});

describe('a later deposit', () => {
  it('must be a ratio of the minimum deposit, truncated to whole units', () => {
    const chain = new GovChain({ min_deposit_ratio: '0.0029' });
    submit(chain, 100n);
    const deposit = (amount: bigint) =>
      chain.send(1, v1.MsgDepositSchema, { proposalId: 1n, depositor: account(1).address, amount: achr(amount) });
    expect(deposit(1n)).toEqual({
      codespace: 'gov',
      code: 16,
      log: `${FAILED}received 1achr but need at least one of the following: 2achr: minimum deposit is too small`,
    });
    expect(deposit(2n).code).toBe(0);
  });
});
