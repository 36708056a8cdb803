/**
 * A relayer in a process of its own, for `scripts/ibc-kills.js`: the arguments are the chain id and the addresses of
 * the consensus RPC and of the Ethereum face, of one chain and of the other.
 */
import { createHash } from 'node:crypto';
import { DEV_BECH32_PREFIX } from '../../src/core/genesis/dev-chain.js';
import { deriveDevAccounts } from '../../src/core/keys/accounts.js';
import { RelayerState } from '../../src/node/relayer/relayer-state.js';
import { startRelayer } from '../../src/node/relayer/relayer.js';
import type { RelayedChain } from '../../src/node/relayer/remote.js';
import { PURE_KEY_CRYPTO } from './pure-key-crypto.js';

const mnemonic = 'test test test test test test test test test test test junk';
const account = deriveDevAccounts(PURE_KEY_CRYPTO, { mnemonic, count: 10, bech32Prefix: DEV_BECH32_PREFIX }).at(-1);

function chainOf([chainId, comet, ethereum]: readonly string[]): RelayedChain {
  if (chainId === undefined || comet === undefined || account === undefined) throw new Error('three arguments a chain');
  return { chainId, comet, ethereum, account, denom: 'achr', minGasPrice: 0n, isMinedAtOnce: true };
}

startRelayer(
  { a: chainOf(process.argv.slice(2, 5)), b: chainOf(process.argv.slice(5, 8)) },
  {
    crypto: { sha256: (data) => new Uint8Array(createHash('sha256').update(data).digest()) },
    log: {
      info: () => undefined,
      error: (message, fields) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
    },
    relayerState: new RelayerState(),
  },
);
