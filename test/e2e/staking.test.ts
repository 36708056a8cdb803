/** Delegations and validators through public faces, with unmodified cosmjs: from the first bond to jail and back. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PubKeySchema } from '../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { decodeBech32, encodeAddress } from '../../src/core/sdk/codec/address.js';
import { chronicledHere } from '../support/command-here.js';
import { temporaryFolder } from '../support/temporary.js';
import { CHR, coins, type DevChain, type Json, newAddress, packed, startDevChain } from './cosmos-wallets.js';

/** Unbonding time and jail time of a dev chain in seconds. */
const [UNBONDING, JAIL] = [60, 10];
/** More than a signing window; a validator must sign at least half of its blocks. */
const MISSED_BLOCKS = 20;

let chain: DevChain;
let validator = '';
let delegator = '';
let other = '';

beforeAll(async () => {
  chain = await startDevChain(3);
  [, delegator = '', other = ''] = chain.accounts;
  validator = operatorOf(chain.accounts[0] ?? '');
});

function operatorOf(account: string): string {
  return encodeAddress('chronvaloper', decodeBech32(account)?.bytes ?? new Uint8Array());
}

const message = (name: string, value: object) => ({ typeUrl: `/cosmos.staking.v1beta1.Msg${name}`, value });
const coin = (amount: bigint) => coins(amount)[0];

async function delegated(to: string): Promise<bigint> {
  const { delegation_responses: all } = await chain.rest(`/cosmos/staking/v1beta1/delegations/${delegator}`);
  const one = (all as readonly { readonly delegation: Json; readonly balance: { readonly amount: string } }[]).find(
    ({ delegation }) => delegation['validator_address'] === to,
  );
  return BigInt(one?.balance.amount ?? 0);
}

async function validatorOf(operator: string): Promise<Json> {
  return (await chain.rest(`/cosmos/staking/v1beta1/validators/${operator}`))['validator'] as Json;
}

/** Number of validators in the active set. */
async function deciding(): Promise<number> {
  await chain.mine(2);
  const { validators } = await chain.rest('/cosmos/base/tendermint/v1beta1/validatorsets/latest');
  return (validators as readonly unknown[]).length;
}

describe('a delegation', () => {
  it('earns rewards, which go to the withdraw address of the delegator', async () => {
    await chain.send(
      delegator,
      message('Delegate', { delegatorAddress: delegator, validatorAddress: validator, amount: coin(100n * CHR) }),
    );
    expect(await delegated(validator)).toBe(100n * CHR);
    await chain.mine(5);
    const receiver = await newAddress();
    await chain.send(
      delegator,
      {
        typeUrl: '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress',
        value: { delegatorAddress: delegator, withdrawAddress: receiver },
      },
      {
        typeUrl: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
        value: { delegatorAddress: delegator, validatorAddress: validator },
      },
    );
    expect(await chain.balance(receiver)).toBeGreaterThan(0n);
  });

  it('is paid out after the unbonding time, without the part whose unbonding was cancelled', async () => {
    const unbond = message('Undelegate', {
      delegatorAddress: delegator,
      validatorAddress: validator,
      amount: coin(40n * CHR),
    });
    const { height } = await chain.send(delegator, unbond);
    const cancel = (amount: bigint) =>
      message('CancelUnbondingDelegation', {
        delegatorAddress: delegator,
        validatorAddress: validator,
        amount: coin(amount),
        creationHeight: BigInt(height),
      });
    await chain.refuse('amount is greater than the unbonding delegation entry balance', delegator, cancel(41n * CHR));
    await chain.send(delegator, cancel(15n * CHR));
    expect(await delegated(validator)).toBe(75n * CHR);
    const before = await chain.balance(delegator);
    await chain.pass(UNBONDING + 1);
    expect((await chain.balance(delegator)) - before).toBe(25n * CHR);
  });

  it('of a missing delegator, or of more than the balance, is refused', async () => {
    const amount = coin(10n ** 6n * CHR);
    await chain.refuse(
      'insufficient funds',
      delegator,
      message('Delegate', { delegatorAddress: delegator, validatorAddress: validator, amount }),
    );
    await chain.refuse(
      'invalid shares amount',
      delegator,
      message('Undelegate', { delegatorAddress: delegator, validatorAddress: validator, amount }),
    );
    await chain.refuse(
      'validator does not exist',
      delegator,
      message('Delegate', { delegatorAddress: delegator, validatorAddress: operatorOf(other), amount: coin(1n) }),
    );
  });
});

describe('a validator that does not sign', () => {
  let second = '';
  /** Consensus key in the form of CometBFT's key file. */
  const keyFile = join(temporaryFolder(), 'priv_validator_key.json');
  const unjail = () => ({ typeUrl: '/cosmos.slashing.v1beta1.MsgUnjail', value: { validatorAddr: second } });

  it('is created and bonded, and receives a redelegation', async () => {
    second = operatorOf(other);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
    const value = Buffer.concat([seed, key]).toString('base64');
    writeFileSync(keyFile, JSON.stringify({ priv_key: { type: 'tendermint/PrivKeyEd25519', value } }));
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
    expect(await validatorOf(second)).toMatchObject({ status: 'BOND_STATUS_BONDED', jailed: false });
    await chain.send(
      delegator,
      message('BeginRedelegate', {
        delegatorAddress: delegator,
        validatorSrcAddress: validator,
        validatorDstAddress: second,
        amount: coin(2n * CHR),
      }),
    );
    expect(await delegated(second)).toBe(2n * CHR);
    expect(await deciding()).toBe(2);
  });

  it('is jailed for its downtime, and its delegators are slashed', async () => {
    for (let blocks = 0; blocks < MISSED_BLOCKS && !(await validatorOf(second))['jailed']; blocks += 1)
      await chain.mine(1);
    expect(await validatorOf(second)).toMatchObject({ status: 'BOND_STATUS_UNBONDING', jailed: true });
    await chain.refuse('validator still jailed; cannot be unjailed', other, unjail());
    // slashed by a hundredth
    expect(await delegated(second)).toBe((198n * CHR) / 100n);
    expect(await deciding()).toBe(1);
  });

  it('is unjailed after its time in jail', async () => {
    await chain.pass(JAIL + 1);
    await chain.send(other, unjail());
    expect(await validatorOf(second)).toMatchObject({ status: 'BOND_STATUS_BONDED', jailed: false });
    expect(await deciding()).toBe(2);
  });

  it('is slashed and tombstoned after it signed two blocks of one height', async () => {
    const node = ['--node', chain.daemon.endpoints.comet, '-o', 'json'];
    const json = async (...args: readonly string[]): Promise<Json> => {
      const { code, stdout, stderr } = await chronicledHere([...args, ...node]);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    const unknown = await chronicledHere(['debug', 'double-sign', keyFile, '--height', '1', ...node.slice(0, 2)]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('was no validator at height 1') });
    const before = await delegated(second);
    const { height, validator: offender } = await json('debug', 'double-sign', keyFile);
    await chain.mine(1);
    // slashed by a twentieth of the 6 coins that count as its power, out of 6.93
    expect(await delegated(second)).toBe((before * (693n - 30n)) / 693n);
    expect(await validatorOf(second)).toMatchObject({ status: 'BOND_STATUS_UNBONDING', jailed: true });
    const consensus = encodeAddress('chronvalcons', Buffer.from(String(offender), 'hex'));
    expect(await json('query', 'evidence', 'list')).toMatchObject({
      evidence: [{ value: { height, power: '6', consensus_address: consensus } }],
    });
    expect(await json('query', 'slashing', 'signing-info', consensus)).toMatchObject({
      val_signing_info: { tombstoned: true, jailed_until: '9999-12-31T23:59:59Z' },
    });
    await chain.pass(JAIL + 1);
    await chain.refuse('validator still jailed; cannot be unjailed', other, unjail());
    expect(await deciding()).toBe(1);

    const only = join(chain.daemon.home, 'config', 'priv_validator_key.json');
    const refused = await chronicledHere(['debug', 'double-sign', only, ...node.slice(0, 2)]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('this is the only validator') });
    await chain.mine(2);
    expect(await deciding()).toBe(1);
  });
});
