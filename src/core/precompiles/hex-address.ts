/** Addresses that contracts see in hexadecimal and modules hold in bech32. */
import { lastTwentyBytes } from '../keys/address.js';
import { readBech32Address } from '../sdk/codec/bech32-address.js';
import type { Context } from '../sdk/module/context.js';
import { wrapped } from '../sdk/module/sdk-error.js';

/**
 * The address in the text of an account, an operator or a consensus key (cosmos/evm v0.6 `utils`
 * HexAddressFromBech32String). Throws why it is none of a consensus key, which is tried last.
 */
export function requireHexAddress(context: Context, text: string): Uint8Array {
  const own = context.chain.bech32Prefix;
  for (const prefix of [own, `${own}valoper`]) {
    const read = readBech32Address(prefix, text);
    if (read.ok) return lastTwentyBytes(read.bytes);
  }
  return requireConsensusAddress(context, text, 'failed to convert bech32 string to address');
}

/** The address in the text of a consensus key; throws why it is none, after `what`. */
export function requireConsensusAddress({ chain }: Context, text: string, what: string): Uint8Array {
  const read = readBech32Address(`${chain.bech32Prefix}valcons`, text);
  if (!read.ok) throw wrapped(read.error, what);
  return lastTwentyBytes(read.bytes);
}
