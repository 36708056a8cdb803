/** Coins as the SDK subtracts them: results of evmd v0.6.0 for executions under a limit of coins. */
import { describe, expect, it } from 'vitest';
import { MAX_UINT256 } from '../../../../src/core/bigint.js';
import type { Coin } from '../../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { safeSubtractCoins } from '../../../../src/core/sdk/coins/coin-sets.js';
import { formatCoins } from '../../../../src/core/sdk/coins/coins.js';
import { NIL_POINTER, RecoveredPanic } from '../../../../src/core/sdk/module/sdk-error.js';

const coins = (text: string): readonly Coin[] =>
  text.split(',').flatMap((one) => {
    const [, amount = '', denom = ''] = /^(-?\d*)(.*)$/.exec(one) ?? [];
    return denom === '' ? [] : [{ $typeName: 'cosmos.base.v1beta1.Coin', denom, amount }];
  });
const left = (limit: string, taken: string): string | undefined => {
  const rest = safeSubtractCoins(coins(limit), coins(taken));
  return rest && formatCoins(rest);
};

describe('safeSubtractCoins', () => {
  it.each([
    ['100atest', '1atest', '99atest'],
    ['100atest', '100atest', ''],
    ['100atest', '101atest', undefined],
    ['100atest', '1test', undefined],
    ['100atest', '1test,1atest', undefined],
    ['100atest,5test', '1test,1atest', '99atest,4test'],
    // limits may name a denom twice
    ['100atest,100atest', '150atest', '50atest'],
    ['100atest', '0atest', '100atest'],
    ['100atest', '', '100atest'],
    ['100!', '1atest', undefined],
  ])('subtracts %s - %s', (limit, taken, rest) => expect(left(limit, taken)).toBe(rest));

  it.each([
    ['100test,100atest', '1atest', 'Coins (self) must be sorted'],
    ['100atest', '1atest,1atest', 'invalid coin set 1atest,1atest: duplicate denomination atest'],
    ['100atest', '-1atest', 'invalid coin set -1atest: coin -1atest amount is not positive'],
    ['100atest', '1!', 'invalid coin set 1!: invalid denom: !'],
    [`${MAX_UINT256}atest,${MAX_UINT256}atest`, '1atest', 'integer overflow'],
    ['100atest', 'atest', NIL_POINTER],
  ])('panics for %s - %s', (limit, taken, reason) =>
    expect(() => left(limit, taken)).toThrow(new RecoveredPanic(reason)),
  );
});
