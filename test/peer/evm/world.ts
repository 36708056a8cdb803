/** State of the chain as a random player of Ethereum transactions knows it. */
import type { Hex } from 'viem';
import type { Random } from '../random.js';

export interface Player {
  readonly address: Hex;
  readonly key: Uint8Array;
  readonly bech32: string;
  /** undefined: the chain has no account yet. */
  number: bigint | undefined;
  nonce: number;
}

export interface World {
  readonly random: Random;
  readonly chainId: string;
  readonly evmChainId: number;
  readonly feeDenom: string;
  /** Base units in one unit of the fee's denomination: 1 with 18 decimals. */
  readonly scale: bigint;
  readonly denoms: readonly string[];
  readonly players: readonly Player[];
  /** Contracts that the player deployed; the newest is last. */
  readonly contracts: Hex[];
  /** Contracts of coins, and those that are registered. */
  readonly tokens: Hex[];
  readonly operators: string[];
  baseFee: bigint;
}

const number = (value: number): Hex => `0x${value.toString(16).padStart(40, '0')}`;

/** Precompiles with code of their own in this program and in evmd. */
export const STATEFUL: readonly Hex[] = [0x400, 0x800, 0x801, 0x802, 0x804, 0x805, 0x806].map(number);
const PURE: readonly Hex[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0x100].map(number);
const NOBODY: readonly Hex[] = [0, 0x12, 0xdead, 0xdeaf, 0xbeef01].map(number);
/** Accounts of modules: fee_collector, bonded_tokens_pool, evm, erc20, distribution. */
const MODULES: readonly Hex[] = [
  '0xf1829676db577682e944fc3493d451b67ff3e29f',
  '0x4fea76427b8345861e80a3540a8a9d936fd39391',
  '0x603871c2ddd41c26ee77495e2e31e6de7f9957e0',
  '0x47eeb2eac350e1923b8cbdfa4396a077b36e62a0',
  '0x93354845030274cd4bf1686abd60ab28ec52e1a7',
];
export const WRAPPED: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

/** Any address that a call or a transfer may go to. */
export function someone({ random, contracts, tokens, players }: World): Hex {
  return random.weighted<() => Hex>([
    [6, () => random.pick([...contracts.slice(-12), WRAPPED])],
    [3, () => random.pick(STATEFUL)],
    [2, () => random.pick(PURE)],
    [2, () => random.pick([WRAPPED, ...tokens])],
    [3, () => random.pick(players).address],
    [1, () => random.pick(NOBODY)],
    [1, () => random.pick(MODULES)],
  ])();
}

/** An unsigned integer of up to this many bits: small ones, borders and any. */
export function integer(random: Random, bits: number): bigint {
  const any = random.bigBelow(1n << BigInt(bits));
  return random.weighted([
    [4, BigInt(random.below(4))],
    [4, any % 1000n],
    [1, (1n << BigInt(bits)) - 1n],
    [1, 1n << BigInt(bits - 1)],
    [1, any],
    [1, any >> BigInt(random.below(bits))],
  ]);
}
