/** The compiled contracts of `Contracts.sol` and `Chain.sol` (made by scripts/compile-contracts.js). */
import { readFileSync } from 'node:fs';
import type { Abi, Hex } from 'viem';

interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const compiled: Readonly<Record<'Liar' | 'Player' | 'Staker' | 'Token' | 'Worker', Compiled>> = JSON.parse(
  readFileSync(new URL('contracts.json', import.meta.url), 'utf8'),
);

export const { Liar, Player, Staker, Token, Worker } = compiled;
