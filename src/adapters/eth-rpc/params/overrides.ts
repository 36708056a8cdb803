/** State and block overrides of calls (geth v1.17 `internal/ethapi/override`). */
import type { EthereumBlockOverrides } from '../../../core/ethereum/call.js';
import type { EvmOverride } from '../../../core/evm/engine.js';
import { hexData } from '../../../core/bytes/hex.js';
import { isObject } from '../envelope.js';
import { type Field, address, data, fieldsOf, hash, quantity, quantity64, schemaOf } from './fields.js';
import { ADDRESS, HASH, type Place, decodeAddress, decodeFixed } from './hex.js';
import { type Decoded, bad, good, kindOf, required } from './param.js';
import * as schema from '../schema.js';

/** Overrides, or geth's refusal of them, which is an error of the call (-32000) and not of decoding. */
export type StateOverrides =
  | { readonly ok: true; readonly overrides: readonly EvmOverride[] }
  | { readonly ok: false; readonly message: string };

export const NO_OVERRIDES: StateOverrides = { ok: true, overrides: [] };

const slots: Field<NonNullable<EvmOverride['slots']>> = {
  type: 'map[common.Hash]common.Hash',
  schema: schema.mapOf(schema.HASH, schema.HASH),
  decode: decodeSlots,
};

const ACCOUNT = fieldsOf('OverrideAccount', {
  balance: quantity,
  nonce: quantity64,
  code: data,
  movePrecompileToAddress: address,
  state: slots,
  stateDiff: slots,
});

const STATE_OVERRIDES: schema.Schema = {
  title: 'StateOverrides',
  ...schema.mapOf(schema.ADDRESS, schemaOf('AccountOverride', ACCOUNT)),
};

export const stateOverrides = required<StateOverrides>('state overrides', STATE_OVERRIDES, (value) => {
  if (!isObject(value))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type override.StateOverride`);
  const overrides: EvmOverride[] = [];
  for (const [key, edits] of Object.entries(value)) {
    const account = decodeAddress(key, { type: ADDRESS });
    if (!account.ok) return account;
    if (edits === null) continue;
    if (!isObject(edits))
      return bad(`json: cannot unmarshal ${kindOf(edits)} into Go value of type override.OverrideAccount`);
    if ((edits['state'] ?? null) !== null && (edits['stateDiff'] ?? null) !== null) {
      return good({ ok: false, message: `account ${hexData(account.value)} has both 'state' and 'stateDiff'` });
    }
    const override = decodeAccount(account.value, edits);
    if (!override.ok) return override;
    overrides.push(override.value);
  }
  return good({ ok: true, overrides });
});

function decodeAccount(account: Uint8Array, edits: Readonly<Record<string, unknown>>): Decoded<EvmOverride> {
  const read = ACCOUNT.read(edits);
  if (!read.ok) return read;
  const { balance, nonce, code, movePrecompileToAddress, state, stateDiff } = read.value;
  return good({
    address: account,
    ...(balance !== undefined && { balance }),
    ...(nonce !== undefined && { nonce }),
    ...(code !== undefined && { code }),
    ...(state !== undefined && { storage: state }),
    ...(stateDiff !== undefined && { slots: stateDiff }),
    ...(movePrecompileToAddress !== undefined && { movePrecompileTo: movePrecompileToAddress }),
  });
}

function decodeSlots(value: unknown, { field = '', type }: Place): Decoded<NonNullable<EvmOverride['slots']>> {
  if (!isObject(value))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${field} of type ${type}`);
  const decoded: { slot: Uint8Array; value: Uint8Array }[] = [];
  for (const [key, content] of Object.entries(value)) {
    const slot = decodeFixed(key, 32, { type: HASH });
    if (!slot.ok) return slot;
    const word = decodeFixed(content, 32, { type: HASH });
    if (!word.ok) return word;
    decoded.push({ slot: slot.value, value: word.value });
  }
  return good(decoded);
}

/** Overrides of the block of a call, or geth's refusal of those that only a simulated block can have. */
export type CallBlockOverrides =
  | { readonly ok: true; readonly overrides: EthereumBlockOverrides }
  | { readonly ok: false; readonly message: string };

export const NO_BLOCK_OVERRIDES: CallBlockOverrides = { ok: true, overrides: {} };

/** Members of an override that have a meaning in simulated blocks only. */
const OF_SIMULATIONS = ['beaconRoot', 'withdrawals'] as const;

const BLOCK = fieldsOf('BlockOverrides', {
  number: quantity64,
  time: quantity64,
  gasLimit: quantity64,
  feeRecipient: address,
  prevRandao: hash,
  baseFeePerGas: quantity64,
  blobBaseFee: quantity64,
});

export const BLOCK_OVERRIDES = schemaOf('BlockOverrides', BLOCK);

export const blockOverrides = required<CallBlockOverrides>('block overrides', BLOCK_OVERRIDES, (value) => {
  const decoded = decodeBlockOverrides(value);
  if (!decoded.ok) return decoded;
  const unfit = isObject(value) ? OF_SIMULATIONS.find((name) => (value[name] ?? null) !== null) : undefined;
  return unfit === undefined
    ? good({ ok: true, overrides: decoded.value })
    : good({ ok: false, message: `block override "${unfit}" is not supported for this RPC method` });
});

/** Overrides of any block. `difficulty` has no meaning since the merge and is ignored. */
export function decodeBlockOverrides(value: unknown): Decoded<EthereumBlockOverrides> {
  if (!isObject(value))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type override.BlockOverrides`);
  const read = BLOCK.read(value);
  if (!read.ok) return read;
  const { number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee } = read.value;
  return good({
    ...(number !== undefined && { number }),
    ...(time !== undefined && { timestamp: time }),
    ...(gasLimit !== undefined && { gasLimit }),
    ...(feeRecipient !== undefined && { coinbase: feeRecipient }),
    ...(prevRandao !== undefined && { prevRandao }),
    ...(baseFeePerGas !== undefined && { baseFee: baseFeePerGas }),
    ...(blobBaseFee !== undefined && { blobBaseFee }),
  });
}
