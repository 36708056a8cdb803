/** The actions that claims pay for, and what the end of the airdrop does. */
import { describe, expect, it } from 'vitest';
import { getAccount, setAccount } from '../../../../src/core/modules/auth/accounts.js';
import { getBalance, setBalance } from '../../../../src/core/modules/bank/balances.js';
import { claimAction } from '../../../../src/core/modules/claims/claim.js';
import { endBlock } from '../../../../src/core/modules/claims/end-block.js';
import { claimsEthereumHooks, claimsGovHooks } from '../../../../src/core/modules/claims/hooks.js';
import { airdropEnd, defaultParams, setParams } from '../../../../src/core/modules/claims/params.js';
import { allRecords, getRecord, setRecord } from '../../../../src/core/modules/claims/records.js';
import { CHAIN_LIMITS } from '../../../../src/core/limits/limits.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { Action } from '../../../../src/core/proto/evmos/claims/v1/claims_pb.js';
import { moduleAddress, parseAddress } from '../../../../src/core/sdk/codec/address.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { GasMeter, MeteredStore } from '../../../../src/core/sdk/module/gas.js';
import type { ExecutedTransaction } from '../../../../src/core/sdk/module/hooks.js';
import { account, contextOf } from '../../app/dev-chain.js';
import { later, laterChain } from '../../app/later-chain.js';
import { crypto } from '../../app/support.js';

const HOUR = 3_600_000_000_000n;
const NONE = [false, false, false, false];
const START = toTimeNs(1_000n * HOUR);
const params = { ...defaultParams('achr'), isEnabled: true, start: START, untilDecay: HOUR, ofDecay: HOUR };
const ESCROW = moduleAddress(crypto, 'claims');
const WHO = parseAddress('chron', account(1).address) ?? new Uint8Array();

/** An airdrop of 400 for one account, at a time after its start. */
function airdrop(change: Partial<typeof params> = {}, after = 0n): Context {
  const context = { ...contextOf(laterChain(), later), time: toTimeNs(START + after) };
  setParams(context, { ...params, ...change });
  setRecord(context, WHO, { initial: 400n, completed: NONE });
  setBalance(context, ESCROW, 'achr', 400n);
  return context;
}

const done = (context: Context) => getRecord(context, WHO)?.completed;
const executed = (status: ExecutedTransaction['status']): ExecutedTransaction =>
  ({ transaction: { to: undefined }, sender: WHO, gasUsed: 21_000n, status }) as ExecutedTransaction;

describe('an action', () => {
  it('is paid for only while claims are enabled, from the start to the end of the airdrop', () => {
    for (const context of [airdrop({ isEnabled: false }), airdrop({}, -1n), airdrop({}, 2n * HOUR + 1n)]) {
      claimAction(context, WHO, Action.VOTE);
      expect([done(context), getBalance(context, ESCROW, 'achr')]).toEqual([NONE, 400n]);
    }
    const context = airdrop();
    claimAction(context, WHO, Action.VOTE);
    expect([done(context), getBalance(context, ESCROW, 'achr')]).toEqual([[true, false, false, false], 300n]);
  });

  it('is a vote, and an Ethereum transaction that succeeds', () => {
    const context = airdrop();
    claimsEthereumHooks.postTxProcessing(context, executed('failed'));
    expect(done(context)).toEqual(NONE);
    claimsEthereumHooks.postTxProcessing(context, executed('success'));
    claimsGovHooks.afterProposalVote?.(context, 1n, WHO);
    expect(done(context)).toEqual([true, false, true, false]);
    expect(getBalance(context, ESCROW, 'achr')).toBe(200n);
  });

  it('succeeds without a claim when the escrow cannot pay', () => {
    const context = airdrop();
    setBalance(context, ESCROW, 'achr', 0n);
    claimAction(context, WHO, Action.DELEGATE);
    expect([done(context), context.events]).toEqual([NONE, []]);
  });

  it('costs no gas while claims are disabled', () => {
    const context = airdrop({ isEnabled: false });
    const gas = new GasMeter(undefined);
    claimAction({ ...context, gas, store: new MeteredStore(context.store, gas) }, WHO, Action.DELEGATE);
    expect(gas.consumed).toBe(0n);
  });
});

describe('the end of the airdrop', () => {
  const ended = (): Context => ({ ...airdrop(), time: toTimeNs(airdropEnd(params) + 1n) });

  it('leaves the coins of a vesting account that never sent a transaction', () => {
    const context = ended();
    const found = getAccount(context, WHO);
    if (found?.kind !== 'base') throw new Error('a plain account');
    const schedule = { kind: 'permanent' } as const;
    const coins = { originalVesting: [], delegatedFree: [], delegatedVesting: [] };
    setAccount(context, WHO, { kind: 'vesting', base: found.base, schedule, end: 0n, ...coins });
    const before = getBalance(context, WHO, 'achr');
    endBlock(context);
    expect([getBalance(context, WHO, 'achr'), getRecord(context, WHO)]).toEqual([before, undefined]);
    expect(before).toBeGreaterThan(0n);
  });

  it('removes a bounded number of records in each block', () => {
    const context = ended();
    for (let index = 0; index < CHAIN_LIMITS.claimsRecordsEndedByBlock; index += 1)
      setRecord(context, Uint8Array.of(index >> 8, index & 255, ...new Uint8Array(18)), {
        initial: 4n,
        completed: NONE,
      });
    endBlock(context);
    expect([...allRecords(context)]).toHaveLength(1);
    endBlock(context);
    expect([...allRecords(context)]).toHaveLength(0);
  });
});
