/** Keys that users write in queries although no event has them: `ethereum.*`, `begin_block.*`, `end_block.*`. */

/** A composite key, restricted to block events of one phase when `phase` is given (the value of attribute `mode`). */
export interface AliasedKey {
  readonly key: string;
  readonly phase: 'BeginBlock' | 'EndBlock' | undefined;
}

const ETHEREUM = 'ethereum.';
const ETHEREUM_SENDER = 'message.sender';
const PHASES = [
  ['begin_block', 'BeginBlock'],
  ['end_block', 'EndBlock'],
] as const;

/** Resolves a tag. `begin_block` alone has the empty key, which matches any event of the phase. */
export function resolveAlias(tag: string): AliasedKey {
  for (const [alias, phase] of PHASES) {
    if (tag === alias) return { key: '', phase };
    if (tag.startsWith(`${alias}.`)) return { key: ethereumKey(tag.slice(alias.length + 1)), phase };
  }
  return { key: ethereumKey(tag), phase: undefined };
}

function ethereumKey(tag: string): string {
  if (!tag.startsWith(ETHEREUM)) return tag;
  const name = tag.slice(ETHEREUM.length);
  return name === 'sender' ? ETHEREUM_SENDER : `ethereum_tx.${name}`;
}
