/** The compiled contracts of `Contracts.sol` (made by scripts/compile-contracts.js). */
import { readFileSync } from 'node:fs';
import type { Abi, Hex } from 'viem';

interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const compiled: { readonly Token: Compiled; readonly Worker: Compiled } = JSON.parse(
  readFileSync(new URL('contracts.json', import.meta.url), 'utf8'),
);

export const { Token, Worker } = compiled;
