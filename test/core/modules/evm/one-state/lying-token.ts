/** A chain with a token that lies in a chosen way, and conversions of it. */
import { type Hex } from 'viem';
import { expect } from 'vitest';
import { sendAmount } from '../../../../../src/core/modules/bank/transfer.js';
import { checksumAddress } from '../../../../../src/core/keys/address.js';
import * as erc20 from '../../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { moduleAddress } from '../../../../../src/core/sdk/codec/address.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import { Liar } from '../../../../contracts/index.js';
import type { Body, PropertyChain } from '../../../app/properties/chain.js';
import { any, bytesOf, person } from '../../../app/properties/people.js';
import { FEE_ROWS, play } from '../../../app/properties/play.js';
import { crypto, toHex } from '../../../app/support.js';
import { ask, install, perform } from './installed.js';
import { NO_SLASHES, bytesOfHex, world } from './world.js';

export const TOKEN: Hex = `0x${'70'.repeat(20)}`;
export const NAME = checksumAddress(crypto, bytesOfHex(TOKEN));
export const DENOM = `erc20:${NAME}`;
export const OWNER = bytesOf(person(0));
export const ESCROW = moduleAddress(crypto, 'erc20');
export const hexOf = (address: Uint8Array): Hex => `0x${toHex(address)}`;
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
export type Way = (typeof WAYS)[number];

export const toCoins = any(erc20.MsgConvertERC20Schema, {
  contractAddress: TOKEN,
  amount: '50',
  receiver: person(1),
  sender: hexOf(OWNER),
});
export const toTokens = any(erc20.MsgConvertCoinSchema, {
  coin: { denom: DENOM, amount: '50' },
  receiver: hexOf(bytesOf(person(1))),
  sender: person(0),
});
export const register = any(erc20.MsgRegisterERC20Schema, { signer: person(0), erc20addresses: [TOKEN] });

/** A chain with the token: OWNER has 1,000 of it, and 100 of them as coins if the pair is registered. */
export function begin(isPair: boolean): PropertyChain {
  const chain = world(NO_SLASHES);
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

export function choose(chain: PropertyChain, way: Way): void {
  const state = new CacheStore(chain.state);
  perform(chain, state, OWNER, TOKEN, Liar.abi, 'choose', [WAYS.indexOf(way)]);
  chain.state = state;
}

/** Sends one transaction of OWNER: `ok`, or codespace, code and text; a refused one must take only the fee. */
export function sent(chain: PropertyChain, messages: Body, gas?: bigint): string {
  const txs = [chain.tx(0, messages, 0n, '', gas)];
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
    (name) => without.get(name) !== having.get(name) && !FEE_ROWS.test(name),
  );
  expect(differing).toEqual([]);
  return `${result.codespace} ${result.code}: ${result.log.replace('failed to execute message; message index: 0: ', '')}`;
}

export const tokens = (chain: PropertyChain, address: Uint8Array): unknown =>
  ask(chain, new CacheStore(chain.state), TOKEN, Liar.abi, 'balanceOf', [hexOf(address)]);
