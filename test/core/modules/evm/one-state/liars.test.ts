/** Tokens that lie: conversions are refused with the errors of evmd, and only the fee is taken. */
import { describe, expect, test } from 'vitest';
import { getBalance, getMetadata } from '../../../../../src/core/modules/bank/balances.js';
import { tokenPairOf } from '../../../../../src/core/modules/erc20/store.js';
import { encodeAddress } from '../../../../../src/core/sdk/codec/address.js';
import { bytesOf, person } from '../../../app/properties/people.js';
import {
  begin,
  choose,
  DENOM,
  ESCROW,
  NAME,
  OWNER,
  register,
  sent,
  toCoins,
  TOKEN,
  tokens,
  toTokens,
  type Way,
} from './lying-token.js';
import { bytesOfHex } from './world.js';

describe('a token', () => {
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
  ])('of kind %s is not converted to coins', (way, refusal) => {
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
  ])('of kind %s is not returned for coins', (way, refusal) => {
    const chain = begin(true);
    choose(chain, way);
    expect(sent(chain, [toTokens])).toBe(refusal);
    expect(tokens(chain, ESCROW)).toBe(100n);
    expect(getBalance(chain.context(), OWNER, DENOM)).toBe(100n);
  });

  test.each<Way>(['Honest', 'Silent', 'Approves'])('of kind %s is converted both ways', (way) => {
    const chain = begin(true);
    choose(chain, way);
    expect([sent(chain, [toCoins]), sent(chain, [toTokens])]).toEqual(['ok', 'ok']);
    expect(tokens(chain, ESCROW)).toBe(100n);
  });

  test('that calls a precompile during a conversion has moved the coins that it says', () => {
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
  ])('of kind %s is not registered', (way, refusal) => {
    const chain = begin(false);
    choose(chain, way);
    expect(sent(chain, [register])).toBe(refusal);
    expect(tokenPairOf(chain.context(), NAME)).toBeUndefined();
    expect(getMetadata(chain.context(), DENOM)).toBeUndefined();
  });
});
