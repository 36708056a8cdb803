/**
 * Block overrides of `eth_callMany`: under geth's names, Erigon's (`BlockOverrides` of
 * `rpc/jsonrpc/eth_callMany.go`), and `random`, all as in anvil.
 */
import type { EthereumBlockOverrides } from '../../../core/ethereum/call.js';
import { isObject } from '../../../core/text/json-object.js';
import { anyOf, type Schema } from '../schema.js';
import { address, fieldsOf, hash, quantity, quantity64, schemaOf } from './fields.js';
import { BLOCK_OVERRIDES, decodeBlockOverrides } from './overrides.js';
import { bad, type Decoded, good, present } from './param.js';

const OTHER_NAMES = fieldsOf('BlockOverrides', {
  blockNumber: quantity64,
  timestamp: quantity64,
  gasLimit: quantity64,
  coinbase: address,
  random: hash,
  baseFee: quantity64,
  // ignored: it has no meaning since the merge
  difficulty: quantity,
});

/** Pairs of names for the same override. */
const SAME = [
  ['number', 'blockNumber'],
  ['time', 'timestamp'],
  ['feeRecipient', 'coinbase'],
  ['prevRandao', 'random'],
  ['baseFeePerGas', 'baseFee'],
] as const;

/** Overrides that calls do not support: block hashes (Erigon), and those for simulated blocks only (geth). */
const UNFIT = ['blockHash', 'beaconRoot', 'withdrawals'] as const;

export const BUNDLE_OVERRIDES: Schema = anyOf(BLOCK_OVERRIDES, schemaOf('BundleOverrides', OTHER_NAMES));

/**
 * Decodes block overrides. Rejects two names for one override and overrides that calls do not support; ignores
 * unknown members.
 */
export function decodeBundleOverrides(value: unknown): Decoded<EthereumBlockOverrides> {
  const common = decodeBlockOverrides(value);
  if (!common.ok || !isObject(value)) return common;
  const has = (name: string): boolean => (value[name] ?? null) !== null;
  const unfit = UNFIT.find(has);
  if (unfit !== undefined) return bad(`block override "${unfit}" is not supported for this RPC method`);
  const twice = SAME.find((names) => names.every(has));
  if (twice !== undefined) return bad(`both block overrides "${twice[0]}" and "${twice[1]}" specified`);
  const read = OTHER_NAMES.read(value);
  if (!read.ok) return read;
  const { blockNumber: number, timestamp, coinbase, random: prevRandao, baseFee } = read.value;
  return good({ ...common.value, ...present({ number, timestamp, coinbase, prevRandao, baseFee }) });
}
