/**
 * Staking on a dev chain that is reverted, reset and loaded, and slashing of unbondings and redelegations.
 */
import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { PubKeySchema } from '../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { decodeBech32, encodeAddress } from '../../src/core/sdk/codec/address.js';
import { CHR, coins, type DevChain, packed, startDevChain } from './cosmos-wallets.js';

let chain: DevChain;
let [validator, second, delegator, other] = ['', '', '', ''];
/** More blocks than a validator may miss. */
const BLOCKS = 30;

beforeAll(async () => {
  chain = await startDevChain(3);
  [, delegator = '', other = ''] = chain.accounts;
  const operatorOf = (account = ''): string =>
    encodeAddress('chronvaloper', decodeBech32(account)?.bytes ?? new Uint8Array());
  [validator = '', second = ''] = [chain.accounts[0], other].map(operatorOf);
});

const message = (name: string, value: object) => ({ typeUrl: `/cosmos.staking.v1beta1.Msg${name}`, value });
const coin = (amount: bigint) => coins(amount)[0];
const delegate = (to: string, amount: bigint) =>
  message('Delegate', { delegatorAddress: delegator, validatorAddress: to, amount: coin(amount) });

async function delegated(to: string): Promise<bigint> {
  const { delegation_responses: all } = await chain.rest(`/cosmos/staking/v1beta1/delegations/${delegator}`);
  const one = (
    all as readonly {
      readonly delegation: { readonly validator_address: string };
      readonly balance: { amount: string };
    }[]
  ).find(({ delegation }) => delegation.validator_address === to);
  return BigInt(one?.balance.amount ?? 0);
}

/** Checks each invariant of staking, bank and distribution through the crisis module. */
async function expectInvariants(): Promise<void> {
  const routes = [
    ['bank', 'total-supply'],
    ['staking', 'module-accounts'],
    ['staking', 'delegator-shares'],
    ['distribution', 'module-account'],
  ];
  for (const [invariantModuleName, invariantRoute] of routes)
    await chain.send(other, {
      typeUrl: '/cosmos.crisis.v1beta1.MsgVerifyInvariant',
      value: { sender: other, invariantModuleName, invariantRoute },
    });
}

it('a delegation is reverted with its block, and made again', async () => {
  await chain.send(delegator, delegate(validator, 4n * CHR));
  const snapshot = await chain.call('evm_snapshot');
  await chain.send(delegator, delegate(validator, 3n * CHR));
  await chain.mine(3);
  expect(await delegated(validator)).toBe(7n * CHR);
  expect(await chain.call('evm_revert', snapshot)).toBe(true);
  expect(await delegated(validator)).toBe(4n * CHR);
  await chain.send(delegator, delegate(validator, 2n * CHR));
  await chain.mine(3);
  expect(await delegated(validator)).toBe(6n * CHR);
  await expectInvariants();
});

it('a reset chain has no delegation, and loads the dumped accounts', async () => {
  const before = await chain.balance(delegator);
  const dump = await chain.call('anvil_dumpState');
  await chain.call('hardhat_reset');
  expect(await delegated(validator)).toBe(0n);
  await chain.call('anvil_loadState', dump);
  expect(await chain.balance(delegator)).toBe(before);
  await chain.send(delegator, delegate(validator, 5n * CHR));
  await chain.mine(2);
  expect(await delegated(validator)).toBe(5n * CHR);
  await expectInvariants();
});

it('a slash takes from unbondings and redelegations that began after the offence', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  await chain.send(
    other,
    message('CreateValidator', {
      description: { moniker: 'second', identity: '', website: '', securityContact: '', details: '' },
      commission: { rate: '100000000000000000', maxRate: '200000000000000000', maxChangeRate: '10000000000000000' },
      minSelfDelegation: '1',
      delegatorAddress: '',
      validatorAddress: second,
      pubkey: packed(PubKeySchema, { key: new Uint8Array(key) }),
      value: coin(5n * CHR),
    }),
  );
  await chain.send(delegator, delegate(second, 100n * CHR));
  const isJailed = async (): Promise<boolean> =>
    ((await chain.rest(`/cosmos/staking/v1beta1/validators/${second}`))['validator'] as { readonly jailed: boolean })
      .jailed;
  // the head before the block that jails, and the one before that
  const snapshots: unknown[] = [];
  for (let block = 0; block < BLOCKS && !(await isJailed()); block += 1) {
    snapshots.push(await chain.call('evm_snapshot'));
    await chain.mine(1);
  }
  expect(await isJailed()).toBe(true);
  expect(await chain.call('evm_revert', snapshots.at(-2))).toBe(true);
  const own = await delegated(validator);
  await chain.send(
    delegator,
    message('Undelegate', { delegatorAddress: delegator, validatorAddress: second, amount: coin(20n * CHR) }),
    message('BeginRedelegate', {
      delegatorAddress: delegator,
      validatorSrcAddress: second,
      validatorDstAddress: validator,
      amount: coin(30n * CHR),
    }),
  );
  expect(await isJailed()).toBe(false);
  expect(await delegated(validator)).toBe(own + 30n * CHR);
  await chain.mine(1);
  expect(await isJailed()).toBe(true);
  const hundredth = (amount: bigint): bigint => (amount * 99n * CHR) / 100n;
  expect(await delegated(second)).toBe(hundredth(50n));
  expect(await delegated(validator)).toBe(own + hundredth(30n));
  const { unbonding_responses: unbonding } = await chain.rest(
    `/cosmos/staking/v1beta1/delegators/${delegator}/unbonding_delegations`,
  );
  expect(unbonding).toMatchObject([
    { entries: [{ initial_balance: (20n * CHR).toString(), balance: hundredth(20n).toString() }] },
  ]);
  await expectInvariants();
  const before = await chain.balance(delegator);
  await chain.pass(61);
  expect((await chain.balance(delegator)) - before).toBe(hundredth(20n));
});
