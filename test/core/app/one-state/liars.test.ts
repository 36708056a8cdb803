/** Tokens that do wrong: each is refused with the peer's words, and nothing but the fee is taken. */
import { type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { getBalance, getMetadata } from '../../../../src/core/modules/bank/balances.js';
import { sendAmount } from '../../../../src/core/modules/bank/transfer.js';
import { tokenPairOf } from '../../../../src/core/modules/erc20/store.js';
import { checksumAddress } from '../../../../src/core/keys/address.js';
import * as erc20 from '../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { encodeAddress, moduleAddress } from '../../../../src/core/sdk/address.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { Liar } from '../../../contracts/index.js';
import type { Body, PropertyChain } from '../properties/chain.js';
import { any, bytesOf, person } from '../properties/people.js';
import { OF_FEES, play } from '../properties/play.js';
import { crypto, toHex } from '../support.js';
import { ask, install, perform } from './installed.js';
import { bytesOfHex, world } from './world.js';

const TOKEN: Hex = `0x${'70'.repeat(20)}`;
const NAME = checksumAddress(crypto, bytesOfHex(TOKEN));
const DENOM = `erc20:${NAME}`;
const OWNER = bytesOf(person(0));
const ESCROW = moduleAddress(crypto, 'erc20');
const hexOf = (address: Uint8Array): Hex => `0x${toHex(address)}`;
const WAYS = [
  'Honest',
  'Silent',
  'SilentWithoutEvent',
  'TwoEvents',
  'EventOfAnother',
  'EventAlone',
  'Fee',
  'Bomb',
  'HalfWord',
  'Two',
  'Refuses',
  'Spends',
  'Destroys',
  'Approves',
  'Wide',
  'Nameless',
  'Long',
] as const;
type Way = (typeof WAYS)[number];

const toCoins = any(erc20.MsgConvertERC20Schema, {
  contractAddress: TOKEN,
  amount: '50',
  receiver: person(1),
  sender: hexOf(OWNER),
});
const toTokens = any(erc20.MsgConvertCoinSchema, {
  coin: { denom: DENOM, amount: '50' },
  receiver: hexOf(bytesOf(person(1))),
  sender: person(0),
});
const register = any(erc20.MsgRegisterERC20Schema, { signer: person(0), erc20addresses: [TOKEN] });

/** A chain with the token, of which OWNER has 1,000, and 100 coins of it once it is a pair. */
function begin(isPair: boolean): PropertyChain {
  const chain = world({
    downtimeFraction: '0.000000000000000000',
    doubleSignFraction: '0.000000000000000000',
    maxValidators: 3,
    unbondingSeconds: 5,
  });
  play(chain, { seconds: 1n, absent: 0, offences: [], txs: [] }, new Map());
  const state = new CacheStore(chain.state);
  install(chain, state, TOKEN, Liar);
  perform(chain, state, OWNER, TOKEN, Liar.abi, 'give', [hexOf(OWNER), 1_000n]);
  sendAmount(chain.delivering(state), OWNER, bytesOfHex(TOKEN), { denom: 'achr', amount: 100n });
  chain.state = state;
  if (isPair) {
    expect(sent(chain, [register])).toBe('ok');
    expect(
      sent(chain, [
        any(erc20.MsgConvertERC20Schema, {
          contractAddress: TOKEN,
          amount: '100',
          receiver: person(0),
          sender: hexOf(OWNER),
        }),
      ]),
    ).toBe('ok');
  }
  return chain;
}

function choose(chain: PropertyChain, way: Way): void {
  const state = new CacheStore(chain.state);
  perform(chain, state, OWNER, TOKEN, Liar.abi, 'choose', [WAYS.indexOf(way)]);
  chain.state = state;
}

/** Sends one transaction of OWNER: `ok`, or codespace, code and text; a refusal has taken the fee alone. */
function sent(chain: PropertyChain, messages: Body): string {
  const txs = [chain.tx(0, messages, 0n)];
  const facts = chain.facts(1n, 0, []);
  const before = chain.state;
  const { results } = chain.block(facts, txs);
  const [result] = results;
  if (result === undefined) throw new Error('not executed');
  if (result.code === 0) return 'ok';
  const pairs = (list: readonly Uint8Array[]): ReadonlyMap<string, string> =>
    new Map(
      chain
        .dryRun(facts, list, before)
        .writes.map(({ store, key, value }) => [`${store} ${toHex(key)}`, toHex(value ?? new Uint8Array())]),
    );
  const [without, having] = [pairs([]), pairs(txs)];
  const differing = [...new Set([...without.keys(), ...having.keys()])].filter(
    (name) => without.get(name) !== having.get(name) && !OF_FEES.test(name),
  );
  expect(differing).toEqual([]);
  return `${result.codespace} ${result.code}: ${result.log.replace('failed to execute message; message index: 0: ', '')}`;
}

const tokens = (chain: PropertyChain, address: Uint8Array): unknown =>
  ask(chain, new CacheStore(chain.state), TOKEN, Liar.abi, 'balanceOf', [hexOf(address)]);

describe('a token that', () => {
  test.each<[Way, string]>([
    ['SilentWithoutEvent', 'erc20 20: expected Transfer event: expected event'],
    ['TwoEvents', 'erc20 8: duplicate Transfer event: unexpected event'],
    ['EventOfAnother', 'erc20 8: Transfer event from unexpected address: unexpected event'],
    [
      'EventAlone',
      'erc20 7: invalid token balance - expected: 150, actual: 100: post transfer balance invariant failed',
    ],
    ['Fee', 'erc20 7: invalid token balance - expected: 150, actual: 149: post transfer balance invariant failed'],
    ['Bomb', 'sdk 35: failed to execute transfer: internal logic error'],
    [
      'HalfWord',
      `undefined 1: abi: improperly formatted output: "${'\\x00'.repeat(16)}" - Bytes: [${Array(16).fill(0).join(' ')}]`,
    ],
    ['Two', 'undefined 1: abi: improperly encoded boolean value'],
    ['Refuses', 'evm 10: execution reverted: evm transaction execution failed'],
    ['Spends', 'evm 10: execution reverted: evm transaction execution failed'],
    [
      'Destroys',
      `sdk 4: failed to commit stateDB: failed to set account: ${encodeAddress('chron', ESCROW)} is not allowed to receive funds: unauthorized`,
    ],
  ])('is %s is not converted to coins', (way, refusal) => {
    const chain = begin(true);
    choose(chain, way);
    expect(sent(chain, [toCoins])).toBe(refusal);
    expect(tokens(chain, ESCROW)).toBe(100n);
    expect(getBalance(chain.context(), bytesOf(person(1)), DENOM)).toBe(0n);
  });

  test.each<[Way, string]>([
    ['SilentWithoutEvent', 'erc20 20: expected Transfer event: expected event'],
    ['TwoEvents', 'erc20 8: duplicate Transfer event: unexpected event'],
    ['EventAlone', 'erc20 7: invalid token balance - expected: 50, actual: 0: post transfer balance invariant failed'],
    ['Fee', 'erc20 7: invalid token balance - expected: 50, actual: 49: post transfer balance invariant failed'],
    ['Bomb', 'sdk 35: failed to execute unescrow tokens from user: internal logic error'],
    ['Two', 'undefined 1: abi: improperly encoded boolean value'],
    [
      'Refuses',
      `evm 10: contract call failed: method 'transfer', contract '${NAME}': execution reverted: evm transaction execution failed`,
    ],
  ])('is %s is not taken back for coins', (way, refusal) => {
    const chain = begin(true);
    choose(chain, way);
    expect(sent(chain, [toTokens])).toBe(refusal);
    expect(tokens(chain, ESCROW)).toBe(100n);
    expect(getBalance(chain.context(), OWNER, DENOM)).toBe(100n);
  });

  test.each<Way>(['Honest', 'Silent', 'Approves'])('is %s is converted both ways', (way) => {
    const chain = begin(true);
    choose(chain, way);
    expect([sent(chain, [toCoins]), sent(chain, [toTokens])]).toEqual(['ok', 'ok']);
    expect(tokens(chain, ESCROW)).toBe(100n);
  });

  test('uses a contract of the chain while it moves has moved what it says', () => {
    const chain = begin(true);
    choose(chain, 'Spends');
    const before = getBalance(chain.context(), bytesOf(person(1)), 'achr');
    expect(sent(chain, [toTokens])).toBe('ok');
    expect(getBalance(chain.context(), bytesOf(person(1)), 'achr') - before).toBe(7n);
    expect(getBalance(chain.context(), bytesOfHex(TOKEN), 'achr')).toBe(93n);
    expect(chain.broken()).toEqual([]);
  });

  test.each<[Way, string]>([
    [
      'Wide',
      'erc20 10: failed to create wrapped coin denom metadata for ERC20: failed to unpack decimals: abi: improperly encoded uint8 value: contract ABI unpack failed',
    ],
    [
      'Nameless',
      'erc20 10: failed to create wrapped coin denom metadata for ERC20: failed to unpack name as both string and raw bytes32 (len=0): contract ABI unpack failed',
    ],
    [
      'Long',
      `undefined 1: failed to create wrapped coin denom metadata for ERC20: ERC20 token data is invalid for contract ${NAME}: invalid metadata display denom: invalid denom: `,
    ],
  ])('is %s is not registered', (way, refusal) => {
    const chain = begin(false);
    choose(chain, way);
    expect(sent(chain, [register])).toBe(refusal);
    expect(tokenPairOf(chain.context(), NAME)).toBeUndefined();
    expect(getMetadata(chain.context(), DENOM)).toBeUndefined();
  });
});
