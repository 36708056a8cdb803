/**
 * Overrides of the block of a bundle (`eth_callMany`): by geth's names, by those of Erigon (`BlockOverrides` of
 * `rpc/jsonrpc/eth_callMany.go`), and by `random`, as anvil has them all.
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
  // without a meaning since the merge
  difficulty: quantity,
});

/** Two names of one override. */
const SAME = [
  ['number', 'blockNumber'],
  ['time', 'timestamp'],
  ['feeRecipient', 'coinbase'],
  ['prevRandao', 'random'],
  ['baseFeePerGas', 'baseFee'],
] as const;

/**
 * Overrides that the EVM of a call does not take: hashes of blocks (Erigon), and members that only simulated blocks
 * have (geth).
 */
const UNFIT = ['blockHash', 'beaconRoot', 'withdrawals'] as const;

export const BUNDLE_OVERRIDES: Schema = anyOf(BLOCK_OVERRIDES, schemaOf('BundleOverrides', OTHER_NAMES));

/** One override has one of its names; those that a call cannot have are refused, other unknown members ignored. */
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
