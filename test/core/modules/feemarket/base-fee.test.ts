import { describe, expect, it } from 'vitest';
import { nextBaseFee } from '../../../../src/core/peers/evmd/feemarket.js';
import { nextWholeBaseFee } from '../../../../src/core/modules/feemarket/rules.js';
import { DEFAULT_PARAMS, type FeeMarketParams } from '../../../../src/core/modules/feemarket/params.js';

const WEI = 10n ** 18n;
const GWEI = 1_000_000_000n * WEI;
const LIMIT = 30_000_000n;
const TARGET = LIMIT / 2n;

/** Base fee after a block of `gas`, 10^-18 wei. */
const after = (baseFee: bigint, gas: bigint, change: Partial<FeeMarketParams> = {}, limit = LIMIT): bigint =>
  nextBaseFee({ ...DEFAULT_PARAMS, baseFee, ...change }, gas, limit);

describe('the base fee of the next block (cosmos/evm v0.6 x/feemarket)', () => {
  it('stays when a block has its target of gas', () => {
    expect(after(GWEI, TARGET)).toBe(GWEI);
  });

  it('moves by the share of the target that is missing or exceeded, by an eighth at the most', () => {
    expect([after(GWEI, 0n), after(GWEI, TARGET / 2n), after(GWEI, LIMIT)]).toEqual([
      (GWEI * 7n) / 8n,
      (GWEI * 15n) / 16n,
      (GWEI * 9n) / 8n,
    ]);
    expect(after(GWEI, LIMIT, { changeDenominator: 4n })).toBe((GWEI * 5n) / 4n);
    expect(after(GWEI, LIMIT, { elasticity: 4n })).toBe((GWEI * 11n) / 8n);
  });

  it('rises by at least one wei, even from 0', () => {
    expect([after(0n, TARGET + 1n), after(WEI, LIMIT), after(GWEI, TARGET + 1n)]).toEqual([
      WEI,
      2n * WEI,
      GWEI + GWEI / TARGET / 8n,
    ]);
    expect(after(7n * WEI, LIMIT)).toBe(8n * WEI);
  });

  it('never falls below the minimum gas price, and a lower fee rises to it at once', () => {
    const minGasPrice = GWEI - WEI;
    expect([after(GWEI, 0n, { minGasPrice }), after(WEI, 0n, { minGasPrice }), after(1n, 0n)]).toEqual([
      minGasPrice,
      minGasPrice,
      1n,
    ]);
  });

  it('only falls when blocks have no gas limit, and is 0 when blocks can hold no gas', () => {
    const unlimited = (1n << 64n) - 1n;
    expect(after(GWEI, 1_000_000_000n, {}, unlimited) < GWEI).toBe(true);
    expect(after(GWEI, 1n, {}, 1n)).toBe(0n);
  });
});

describe('the base fee of the next block in whole wei (EIP-1559)', () => {
  /** Base fee after a block of `gas`, wei. */
  const whole = (wei: bigint, gas: bigint, change: Partial<FeeMarketParams> = {}, limit = LIMIT): bigint =>
    nextWholeBaseFee({ ...DEFAULT_PARAMS, baseFee: wei * WEI, ...change }, gas, limit) / WEI;

  it('follows the formula of the EIP', () => {
    for (const wei of [7n, 8n, 9n, 1_000_000_000n, 123_456_789_012_345n]) {
      for (const gas of [0n, 21_000n, TARGET - 1n, TARGET, TARGET + 1n, LIMIT]) {
        const missing = TARGET - gas;
        const expected =
          missing >= 0n ? wei - (wei * missing) / TARGET / 8n : wei + ((-missing * wei) / TARGET / 8n || 1n);
        expect([wei, gas, whole(wei, gas)]).toEqual([wei, gas, expected]);
      }
    }
  });

  it('rests at 7 wei on an idle chain, and rises from there', () => {
    let fee = 1_000_000_000n;
    for (let block = 0; block < 400; block += 1) fee = whole(fee, 0n);
    expect([fee, whole(fee, 0n), whole(fee, LIMIT), whole(fee, TARGET + 1n)]).toEqual([7n, 7n, 8n, 8n]);
  });

  it('never falls below the minimum gas price in whole wei, and stays when blocks can hold no gas', () => {
    expect([whole(1_000n, 0n, { minGasPrice: 999n * WEI + 1n }), whole(1_000n, 1n, {}, 1n)]).toEqual([1_000n, 1_000n]);
  });
});
