/** What must hold at the end of each random history. */
import { expect } from 'vitest';
import type { PropertyChain } from './chain.js';

/** A chain that begins with what another exported has the same state, but for what no genesis holds. */
export function expectSameAfterImport(chain: PropertyChain): void {
  const exported = chain.exported();
  const again = chain.beginAgain(exported);
  expect(again.exported()).toEqual(exported);
  const [before, after] = [new Set(chain.dump()), new Set(again.dump())];
  const differing = [
    ...[...before].filter((pair) => !after.has(pair)).map((pair) => `- ${pair}`),
    ...[...after].filter((pair) => !before.has(pair)).map((pair) => `+ ${pair}`),
  ];
  expect(differing.filter((pair) => !NOT_EXPORTED.test(pair))).toEqual([]);
}

/**
 * No genesis holds staking's past headers, the changes of its last block, the count of unbondings and their index
 * (cosmos-sdk v0.53 `x/staking/keeper/genesis.go`), nor windows without a missed block
 * (`x/slashing/keeper/genesis.go`).
 */
const NOT_EXPORTED = /^- (staking (50|61|37|38|39)|slashing 02\w+ 0000000000000400(00){128}$)/;

export function expectUnchangedByQueries(chain: PropertyChain): void {
  const before = chain.dump();
  const answers = chain.askAll();
  expect(chain.dump()).toEqual(before);
  expect(chain.askAll()).toEqual(answers);
}
