import type { ChainStarted } from '../log-events.js';

/** A chain fact that an option names: its value (numbers in decimal) and the option, such as `--chain-id`. */
export interface ExpectedFact {
  readonly fact: keyof typeof WORDS;
  readonly value: string;
  readonly origin: string;
}

/** Thrown when an option names a chain fact that differs from the chain of the home or genesis. */
export class ChainMismatch extends Error {
  override readonly name = 'ChainMismatch';
}

const WORDS = {
  chainId: 'the chain id',
  evmChainId: 'the EIP-155 chain id',
  bech32Prefix: 'addresses with the prefix',
  preset: 'the preset',
} as const;

/**
 * Throws ChainMismatch when a chain fact differs from the named one. Peers also refuse another chain over existing data
 * (go-ethereum v1.16 `core/genesis.go`, `GenesisMismatchError`; CometBFT v0.38 `node/setup.go`). These facts never
 * change, so silently ignoring the option would mislead the user.
 */
export function requireExpectedFacts(
  facts: Partial<Pick<ChainStarted['data'], ExpectedFact['fact']>>,
  named: readonly ExpectedFact[],
  where: string,
): void {
  for (const { fact, value, origin } of named) {
    const present = facts[fact];
    if (present === undefined || String(present) === value) continue;
    throw new ChainMismatch(
      `${origin}: ${where} has ${WORDS[fact]} ${present}, not ${value}; for another chain name another --home`,
    );
  }
}
