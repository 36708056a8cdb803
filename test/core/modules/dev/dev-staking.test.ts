/** The validator, the inflation and the short periods of a dev chain. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FinalizeBlockResult, LastCommitVote } from '../../../../src/core/application-requests.js';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { ed25519Address } from '../../../../src/core/comet/address.js';
import { getBalance, getSupply } from '../../../../src/core/modules/bank/balances.js';
import { setBalanceTx } from '../../../../src/core/modules/dev/set-balance.js';
import { allProposals } from '../../../../src/core/modules/gov/proposals.js';
import { getMinter } from '../../../../src/core/modules/mint/minter.js';
import { moduleAddress, encodeAddress, parseAddress } from '../../../../src/core/sdk/codec/address.js';
import { asObject } from '../../../../src/core/text/json-object.js';
import { PubKeySchema as Ed25519Schema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { MsgSubmitProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import * as staking from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { getValidator } from '../../../../src/core/modules/staking/validators.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { account, brokenInvariants, chain, codes, contextOf, DevChain, refusal, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';
import { encode } from '../../../support/encode.js';

const CHR = 10n ** 18n;
const SECOND = 1_000_000_000n;
const bytesOf = (index: number): Uint8Array => parseAddress('chron', account(index).address) ?? new Uint8Array();
const OPERATOR = encodeAddress('chronvaloper', bytesOf(0));
/** Parameters of staking; they are those of the dev genesis. */
const PARAMS = {
  bond_denom: 'achr',
  unbonding_time: '60s',
  max_validators: 100,
  max_entries: 7,
  historical_entries: 100,
  min_commission_rate: '0.0',
};
const KEY = new Uint8Array(32).fill(7);
const GAS = { gas: 500_000n };
const coin = (amount: bigint) => ({ denom: 'achr', amount: amount.toString() });

const delegate = (from: number, sequence: bigint, amount: bigint) =>
  signed(
    from,
    sequence,
    staking.MsgDelegateSchema,
    { delegatorAddress: account(from).address, validatorAddress: OPERATOR, amount: coin(amount) },
    GAS,
  );
const undelegate = (from: number, sequence: bigint, amount: bigint) =>
  signed(
    from,
    sequence,
    staking.MsgUndelegateSchema,
    { delegatorAddress: account(from).address, validatorAddress: OPERATOR, amount: coin(amount) },
    GAS,
  );
const second = (sequence: bigint) =>
  signed(
    1,
    sequence,
    staking.MsgCreateValidatorSchema,
    {
      description: { moniker: 'second' },
      commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
      minSelfDelegation: '1',
      validatorAddress: encodeAddress('chronvaloper', bytesOf(1)),
      pubkey: {
        typeUrl: '/cosmos.crypto.ed25519.PubKey',
        value: encode(Ed25519Schema, { key: new Uint8Array(32).fill(8) }),
      },
      value: coin(10n * CHR),
    },
    GAS,
  );

/** The next block, whose last commit has these votes. */
function blockWith(
  dev: DevChain,
  votes: readonly Pick<LastCommitVote, 'address' | 'power' | 'flag'>[],
  ...txs: readonly Uint8Array[]
): Extract<FinalizeBlockResult, { kind: 'executed' }> {
  const result = dev.execute({ ...dev.next(txs, votes[0]?.address), lastCommitVotes: votes });
  if (result.kind !== 'executed') throw new Error(result.reason);
  return result;
}

const ADDRESS = ed25519Address(crypto, KEY);
const SECOND_ADDRESS = ed25519Address(crypto, new Uint8Array(32).fill(8));
const present = { address: ADDRESS, power: 1_000n, flag: 'commit' } as const;

describe('a dev chain', () => {
  it('starts with a bonded validator, whose tokens account 0 delegated in addition to its balance', () => {
    const dev = new DevChain();
    const context = contextOf(dev);
    expect(getValidator(context, bytesOf(0))).toMatchObject({ tokens: 1_000n * CHR, jailed: false });
    expect(getBalance(context, moduleAddress(crypto, 'bonded_tokens_pool'), 'achr')).toBe(1_000n * CHR);
    expect(getBalance(context, bytesOf(0), 'achr')).toBe(10_000n * CHR);
    expect(getSupply(context, 'achr')).toBe(41_000n * CHR);
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('changes the validator’s power by a delegation', () => {
    const dev = new DevChain();
    const { results } = blockWith(dev, [], delegate(1, 0n, 5n * CHR));
    expect(results.validatorUpdates.map(({ power }) => power)).toEqual([1_005n]);
  });

  it('accepts as much voting power as CometBFT, and refuses a delegation beyond it', () => {
    const dev = new DevChain();
    const most = (2n ** 60n - 1n) * CHR;
    const rich = (amount: bigint) =>
      setBalanceTx({ address: account(0).address, denom: 'achr', amount: amount.toString(), sequence: 0n });
    expect(codes(dev.block(rich(2n * most)))).toEqual([0]);
    expect(refusal(dev.block(delegate(0, 0n, most)))).toBe(
      'sdk 18: failed to execute message; message index: 0: total voting power of resulting valset exceeds max 1152921504606846975: invalid request',
    );
    const { results } = blockWith(dev, [present], delegate(0, 1n, most - 1_000n * CHR));
    expect(results.txResults.map(({ code }) => code)).toEqual([0]);
    expect(results.validatorUpdates.map(({ power }) => power)).toEqual([2n ** 60n - 1n]);
    blockWith(dev, [{ ...present, power: 2n ** 60n - 1n }]);
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('mints inflation for delegators, and does not change balances', () => {
    const dev = new DevChain();
    for (let count = 0; count < 5; count += 1) blockWith(dev, dev.height === 0n ? [] : [present]);
    const context = contextOf(dev);
    for (const index of [0, 1, 2, 3]) expect(getBalance(context, bytesOf(index), 'achr')).toBe(10_000n * CHR);
    expect(getSupply(context, 'achr')).toBeGreaterThan(41_000n * CHR);
    expect(getBalance(context, moduleAddress(crypto, 'distribution'), 'achr')).toBe(
      getSupply(context, 'achr') - 41_000n * CHR,
    );
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('jails a validator that does not sign within its window of ten blocks', () => {
    const dev = new DevChain();
    const { results } = blockWith(dev, [], second(0n));
    expect(results.validatorUpdates.map(({ power }) => power)).toEqual([10n]);
    const absent = { address: SECOND_ADDRESS, power: 10n, flag: 'absent' } as const;
    let blocks = 0;
    while (getValidator(contextOf(dev), bytesOf(1))?.jailed === false && blocks < 50) {
      const block = blockWith(dev, [present, absent]);
      blocks += 1;
      if (getValidator(contextOf(dev), bytesOf(1))?.jailed === true)
        expect(block.results.validatorUpdates.map(({ power }) => power)).toEqual([0n]);
    }
    expect(blocks).toBeLessThanOrEqual(12);
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('refuses an undelegation that would leave no validator', () => {
    const dev = new DevChain();
    const told =
      'sdk 18: failed to execute message; message index: 0: the chain would have no validator: delegate to another one first, or leave one whole coin: invalid request';
    expect(refusal(dev.block(undelegate(0, 0n, 1_000n * CHR)))).toBe(told);
    expect(codes(dev.block(delegate(2, 0n, CHR)))).toEqual([0]);
    // a validator without coins of its operator is jailed, whoever else delegates to it
    expect(refusal(dev.block(undelegate(0, 1n, 1_000n * CHR)))).toBe(told);
    expect(codes(dev.block(undelegate(0, 2n, 999n * CHR)))).toEqual([0]);
    expect(codes(dev.block(second(0n)))).toEqual([0]);
    expect(codes(dev.block(undelegate(0, 3n, CHR)))).toEqual([0]);
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('starts with validators that only the genesis document names', () => {
    const bank = asObject(new DevChain().genesis.appState['bank']) ?? {};
    const balances = (Array.isArray(bank['balances']) ? bank['balances'] : []).slice(0, 4);
    const dev = new DevChain({}, 4, true, {
      staking: { params: PARAMS },
      bank: { ...bank, balances, supply: [] },
    });
    const unnamed = createApplication({ version: chronicle, chain, crypto }).initChain(dev.genesis);
    expect(unnamed.validators.map(({ power }) => power)).toEqual([1_000n]);
    for (let count = 0; count < 5; count += 1) blockWith(dev, dev.height === 0n ? [] : [present]);
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('survives any step of its clock: fractions of a second and thousands of years', () => {
    const year = 365n * 86_400n * SECOND;
    const step = fc.oneof(fc.bigInt(0n, SECOND), fc.bigInt(0n, 100n * SECOND), fc.bigInt(0n, 7_000n * year));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const dev = new DevChain();
        dev.now = 1_700_000_000n * SECOND;
        const proposal = signed(
          1,
          0n,
          MsgSubmitProposalSchema,
          {
            initialDeposit: [coin(10n * CHR)],
            proposer: account(1).address,
            title: 't',
            summary: 's',
            metadata: 'm',
          },
          GAS,
        );
        expect(codes(blockWith(dev, [], proposal, undelegate(0, 0n, 100n * CHR)))).toEqual([0, 0]);
        let [supply, passed] = [getSupply(contextOf(dev), 'achr'), 0n];
        for (const by of steps) {
          if (passed + by > 8_000n * year) break;
          passed += by;
          dev.now += by;
          blockWith(dev, [present]);
          const context = contextOf(dev);
          const now = getSupply(context, 'achr');
          // at most a fifth a year, in blocks of two seconds
          expect(now >= supply && now - supply < supply / 70_000_000n).toBe(true);
          supply = now;
          expect(getMinter(context)?.inflation).toBeGreaterThan(0n);
        }
        expect(brokenInvariants(dev)).toEqual([]);
        const isOver = passed > 10n * SECOND;
        expect([...allProposals(contextOf(dev))].map(({ status }) => status)).toEqual([isOver ? 4 : 2]);
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});
