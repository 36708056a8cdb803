/**
 * EIPs that the parameters activate in addition to the fork (go-ethereum v1.16 `core/vm/eips.go`, cosmos/evm v0.6
 * `eips/eips.go`).
 */
import type { EvmFork, EvmSurcharges } from '../../evm/transaction.js';

/** EIPs by the first fork that includes them, in fork order; activating them on that fork changes nothing. */
const EIPS_SINCE: Readonly<Record<EvmFork, readonly bigint[]>> = {
  london: [1344n, 3198n, 3529n],
  paris: [],
  shanghai: [3855n, 3860n],
  cancun: [1153n, 5656n, 6780n],
  prague: [7702n],
  osaka: [7939n],
};

const [CLZ, BALANCE, EXTCODEHASH, SLOAD, SSTORE, CALL] = [0x1e, 0x31, 0x3f, 0x54, 0x55, 0xf1];

/** EIPs that increase constant gas or add an instruction; 0, 1 and 2 are cosmos/evm's own. */
const RAISED: ReadonlyMap<bigint, EvmSurcharges> = new Map([
  [0n, { creation: 9 * 32_000, instructions: [] }],
  [1n, { creation: 0, instructions: [{ opcode: CALL, gas: 9 * 100 }] }],
  [2n, { creation: 0, instructions: [{ opcode: SSTORE, gas: 500 }] }],
  // A price for CLZ activates it (`engine/src/vm/prices.rs`).
  [7939n, { creation: 0, instructions: [{ opcode: CLZ, gas: 0 }] }],
  [
    1884n,
    {
      creation: 0,
      instructions: [
        { opcode: SLOAD, gas: 800 },
        { opcode: BALANCE, gas: 700 - 100 },
        { opcode: EXTCODEHASH, gas: 700 - 100 },
      ],
    },
  ],
]);

/** First EIP that this build cannot activate on a fork: 2200, 2929 and 4762 would revert later rules. */
export function unsupportedEip(eips: readonly bigint[], fork: EvmFork): bigint | undefined {
  if (eips.length === 0) return undefined;
  const since = Object.entries(EIPS_SINCE);
  const through = since.findIndex(([name]) => name === fork);
  const ofFork = new Set(since.slice(0, through + 1).flatMap(([, list]) => list));
  return eips.find((one) => !ofFork.has(one) && !RAISED.has(one));
}

/** Surcharges of instructions; undefined without any. */
export function surchargesOf(eips: readonly bigint[]): EvmSurcharges | undefined {
  const raised = eips.flatMap((one) => RAISED.get(one) ?? []);
  if (raised.length === 0) return undefined;
  return {
    creation: raised.reduce((sum, { creation }) => sum + creation, 0),
    instructions: raised.flatMap(({ instructions }) => instructions),
  };
}
