import type { ChainStarted } from '../log-events.js';

/**
 * A fact of the chain that an option names: its value, in decimal where it is a number, and the origin of the option,
 * such as `--chain-id`.
 */
export interface NamedFact {
  readonly fact: keyof typeof WORDS;
  readonly value: string;
  readonly origin: string;
}

/** The user names a fact of the chain, and the chain of the home or of the genesis has another. */
export class OtherChain extends Error {
  override readonly name = 'OtherChain';
}

const WORDS = {
  chainId: 'the chain id',
  evmChainId: 'the EIP-155 chain id',
  bech32Prefix: 'addresses with the prefix',
  preset: 'the preset',
} as const;

/**
 * Throws OtherChain where a fact differs from the one that was named, as the peers refuse another chain over existing
 * data (go-ethereum v1.16 `core/genesis.go`, `GenesisMismatchError`; CometBFT v0.38 `node/setup.go`). A chain keeps its
 * facts for ever, so an option that was ignored would be taken for the chain's.
 */
export function requireNamed(
  facts: Partial<Pick<ChainStarted['data'], NamedFact['fact']>>,
  named: readonly NamedFact[],
  where: string,
): void {
  for (const { fact, value, origin } of named) {
    const present = facts[fact];
    if (present === undefined || String(present) === value) continue;
    throw new OtherChain(
      `${origin}: ${where} has ${WORDS[fact]} ${present}, not ${value}; for another chain name another --home`,
    );
  }
}
