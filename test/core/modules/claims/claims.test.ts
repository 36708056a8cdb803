/** Claims: the decay, computed by hand, payments for actions, and the end of the airdrop. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimableAmount } from '../../../../src/core/modules/claims/claim.js';
import { claimsEthereumHooks } from '../../../../src/core/modules/claims/hooks.js';
import { defaultParams, updateParams, paramsMessage } from '../../../../src/core/modules/claims/params.js';
import { getBalance } from '../../../../src/core/modules/bank/balances.js';
import { getCommunityPool } from '../../../../src/core/modules/distribution/community-pool.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { MsgDelegateSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { Action } from '../../../../src/core/proto/evmos/claims/v1/claims_pb.js';
import * as pb from '../../../../src/core/proto/evmos/claims/v1/query_pb.js';
import { encodeAddress, parseAddress } from '../../../../src/core/sdk/codec/address.js';
import { moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { contextOver, FACTS } from '../distribution/support.js';
import { account, brokenInvariants, contextOf, signed } from '../../app/dev-chain.js';
import { expectFoundedAgain } from '../../app/founded-again.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { bech32Of, eventsAt, GENESIS_TIME, later, LATER_CHAIN, laterChain, moduleOf } from '../../app/later-chain.js';
import { crypto } from '../../app/support.js';

const HOUR = 3_600_000_000_000n;
const NONE = [false, false, false, false];
const params = { ...defaultParams('achr'), isEnabled: true, start: toTimeNs(0n), untilDecay: HOUR, ofDecay: HOUR };
const address = (index: number): Uint8Array => parseAddress('chron', account(index).address) ?? new Uint8Array();
const record = (index: number, amount: bigint) => ({
  address: account(index).address,
  initial_claimable_amount: amount.toString(),
  actions_completed: NONE,
});
const airdrop = () =>
  laterChain(
    {
      claims: {
        params: {
          enable_claims: true,
          airdrop_start_time: '0001-01-01T00:00:00Z',
          duration_until_decay: '3600s',
          duration_of_decay: '3600s',
          claims_denom: 'achr',
        },
        claims_records: [record(1, 400n), record(2, 800n)],
      },
    },
    { claims: 1200n },
  );

describe('an action', () => {
  it.each([
    [0n, 100n],
    [HOUR, 100n],
    [HOUR + HOUR / 4n, 75n],
    [HOUR + HOUR / 2n, 50n],
    [HOUR + (HOUR * 9n) / 10n, 10n],
    [2n * HOUR, 0n],
    [3n * HOUR, 0n],
  ])('after %s ns pays %s of the 100 coins of an action', (time, claimable) => {
    const of = { initial: 400n, completed: NONE };
    expect(claimableAmount(of, Action.VOTE, params, toTimeNs(time))).toEqual({
      claimable,
      remainder: 100n - claimable,
    });
    const done = { initial: 400n, completed: [true, false, false, false] };
    expect(claimableAmount(done, Action.VOTE, params, toTimeNs(time))).toEqual({ claimable: 0n, remainder: 0n });
  });

  it('is worth less over time, and never more than a quarter of the claim', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 1n << 100n), fc.bigInt(0n, 3n * HOUR), fc.bigInt(0n, HOUR), (initial, from, step) => {
        const at = (time: bigint) => claimableAmount({ initial, completed: NONE }, Action.EVM, params, toTimeNs(time));
        const [before, after] = [at(from), at(from + step)];
        expect(after.claimable <= before.claimable).toBe(true);
        expect(before.claimable + before.remainder).toBe(initial / 4n);
        expect(before.claimable >= 0n && before.remainder >= 0n).toBe(true);
      }),
    );
  });
});

describe('a chain with an airdrop', () => {
  const delegation = (from: number, sequence: bigint) =>
    signed(from, sequence, MsgDelegateSchema, {
      delegatorAddress: account(from).address,
      validatorAddress: encodeAddress('chronvaloper', address(0)),
      amount: { denom: 'achr', amount: '1000000000000000000' },
    });

  it('pays for a delegation once, less during the decay, and the rest to the community pool', () => {
    const dev = airdrop();
    expect(brokenInvariants(dev, later)).toEqual([]);
    expect(eventsAt(dev, GENESIS_TIME + 1n, delegation(1, 0n))).toContain(
      `claim sender=${account(1).address} amount=100achr action=ACTION_DELEGATE msg_index=0`,
    );
    expect(eventsAt(dev, GENESIS_TIME + 2n, delegation(1, 1n)).filter((event) => event.startsWith('claim '))).toEqual(
      [],
    );
    const pool = () => getCommunityPool(contextOf(dev, later)).find(({ denom }) => denom === 'achr')?.amount ?? 0n;
    const before = pool();
    expect(eventsAt(dev, GENESIS_TIME + HOUR + HOUR / 4n, delegation(2, 0n))).toContain(
      `claim sender=${account(2).address} amount=150achr action=ACTION_DELEGATE msg_index=0`,
    );
    expect(pool() - before).toBeGreaterThanOrEqual(50n * 10n ** 18n);
    expect(brokenInvariants(dev, later)).toEqual([]);
    const { claims, initialClaimableAmount } = dev.query(
      '/evmos.claims.v1.Query/ClaimsRecord',
      pb.QueryClaimsRecordRequestSchema,
      { address: account(2).address },
      pb.QueryClaimsRecordResponseSchema,
    );
    expect(initialClaimableAmount).toBe('800');
    expect(claims.map(({ completed, claimableAmount: amount }) => [completed, amount])).toEqual([
      [false, '150'],
      [true, '0'],
      [false, '150'],
      [false, '150'],
    ]);
    expectFoundedAgain(dev.state, { version: chronicle, chain: LATER_CHAIN, at: dev.at(), founding: dev.founding });
  });

  it('needs the Ethereum hook only for senders with a record, while claims are enabled', () => {
    const dev = airdrop();
    const context = contextOf(dev, later);
    const transaction = { to: undefined } as never;
    expect(claimsEthereumHooks.hears?.(context, { transaction, sender: address(1) })).toBe(true);
    expect(claimsEthereumHooks.hears?.(context, { transaction, sender: address(3) })).toBe(false);
    expect(claimsEthereumHooks.hears?.(contextOf(laterChain(), later), { transaction, sender: address(1) })).toBe(
      false,
    );
  });

  it('ends: the community pool gets unclaimed coins, and the coins of accounts that never sent', () => {
    const dev = airdrop();
    eventsAt(dev, GENESIS_TIME + 1n, delegation(1, 0n));
    const unused = getBalance(contextOf(dev, later), address(2), 'achr');
    eventsAt(dev, GENESIS_TIME + 2n * HOUR + 1n);
    const context = contextOf(dev, later);
    expect(getBalance(context, moduleAddress(crypto, 'claims'), 'achr')).toBe(0n);
    expect([getBalance(context, address(1), 'achr') > 0n, getBalance(context, address(2), 'achr')]).toEqual([true, 0n]);
    const pool = getCommunityPool(context).find(({ denom }) => denom === 'achr')?.amount ?? 0n;
    expect(pool / 10n ** 18n).toBeGreaterThanOrEqual(unused + 1100n);
    const { claims } = dev.query(
      '/evmos.claims.v1.Query/ClaimsRecords',
      pb.QueryClaimsRecordsRequestSchema,
      {},
      pb.QueryClaimsRecordsResponseSchema,
    );
    expect(claims).toEqual([]);
    expect(
      dev.query('/evmos.claims.v1.Query/Params', pb.QueryParamsRequestSchema, {}, pb.QueryParamsResponseSchema).params,
    ).toMatchObject({ enableClaims: false });
    expect(brokenInvariants(dev, later)).toEqual([]);
  });
});

describe('queries and genesis', () => {
  it('refuse an address without a record', () => {
    const ask = (text: string) => () =>
      laterChain().query(
        '/evmos.claims.v1.Query/ClaimsRecord',
        pb.QueryClaimsRecordRequestSchema,
        { address: text },
        pb.QueryClaimsRecordResponseSchema,
      );
    expect(ask(account(1).address)).toThrow(
      `rpc error: code = NotFound desc = claims record for address '${account(1).address}'`,
    );
    expect(ask('nobody')).toThrow('rpc error: code = InvalidArgument');
  });

  it.each([
    [{ claims_records: [record(1, 4n)] }, 'sum of unclaimed amount ≠ escrowed module account amount (4 ≠ 0)'],
    [{ claims_records: [{ ...record(1, 4n), actions_completed: [] }] }, 'action length mismatch, expected 4, got 0'],
    [{ claims_records: [record(1, 0n)] }, 'initial claimable amount is not positive, 0'],
    [{ claims_records: [record(1, 4n), record(1, 4n)] }, 'duplicated claims record entry'],
    [{ claims_records: [{ ...record(1, 4n), address: 'x' }] }, 'claims_records[0]: not an address: x'],
    [{ params: { duration_of_decay: '1s' } }, 'duration until decay must be positive'],
  ])('refuse the genesis %o', (section, text) => {
    const context = contextOver([]);
    const init = () => moduleOf('claims').initGenesis({ ...context, chain: LATER_CHAIN }, section, FACTS);
    expect(init).toThrow(text);
  });

  it('accept new parameters from governance only', () => {
    const context = contextOf(laterChain(), later);
    expect(() => updateParams(context, bech32Of('mint'), paramsMessage(params))).toThrow('invalid authority');
    expect(() => updateParams(context, bech32Of('gov'), paramsMessage({ ...params, evmChannels: ['x'] }))).toThrow(
      'invalid channel identifier: x',
    );
  });
});
