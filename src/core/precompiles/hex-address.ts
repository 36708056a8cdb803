/** Converts bech32 addresses of modules to the 20-byte addresses of contracts. */
import { lastTwentyBytes } from '../keys/address.js';
import { readBech32Address } from '../sdk/codec/bech32-address.js';
import type { Context } from '../sdk/module/context.js';
import { wrapped } from '../sdk/module/sdk-error.js';

/**
 * Decodes an account, operator or consensus address (cosmos/evm v0.6 `utils` HexAddressFromBech32String). Throws the
 * error of the consensus address, which is tried last.
 */
export function requireHexAddress(context: Context, text: string): Uint8Array {
  const own = context.chain.bech32Prefix;
  for (const prefix of [own, `${own}valoper`]) {
    const read = readBech32Address(prefix, text);
    if (read.ok) return lastTwentyBytes(read.bytes);
  }
  return requireConsensusAddress(context, text, 'failed to convert bech32 string to address');
}

/** Decodes a consensus address; throws an error text that begins with `what`. */
export function requireConsensusAddress({ chain }: Context, text: string, what: string): Uint8Array {
  const read = readBech32Address(`${chain.bech32Prefix}valcons`, text);
  if (!read.ok) throw wrapped(read.error, what);
  return lastTwentyBytes(read.bytes);
}
