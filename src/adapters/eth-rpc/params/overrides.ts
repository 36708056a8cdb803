/** State and block overrides of calls (geth v1.17 `internal/ethapi/override`). */
import type { EthereumBlockOverrides } from '../../../core/ethereum/call.js';
import type { EvmOverride } from '../../../core/evm/state.js';
import { hexData } from '../../../core/bytes/hex.js';
import { isObject } from '../../../core/text/json-object.js';
import { type Field, address, data, fieldsOf, hash, quantity, quantity64, schemaOf } from './fields.js';
import { ADDRESS, HASH, decodeAddress, decodeData } from './hex.js';
import { type Decoded, type Place, decodeEach, good, present, required, wrongKind } from './param.js';
import * as schema from '../schema.js';

/** State overrides, or geth's error for them, which is an error of the call (-32000), not of decoding. */
export type StateOverrides =
  | { readonly ok: true; readonly overrides: readonly EvmOverride[] }
  | { readonly ok: false; readonly message: string };

export const NO_OVERRIDES: StateOverrides = { ok: true, overrides: [] };

const slots: Field<NonNullable<EvmOverride['slots']>> = {
  type: 'map[common.Hash]common.Hash',
  schema: schema.mapOf(schema.HASH, schema.HASH),
  decode: decodeSlots,
};

const ACCOUNT = fieldsOf(
  'OverrideAccount',
  {
    balance: quantity,
    nonce: quantity64,
    code: data,
    movePrecompileToAddress: address,
    state: slots,
    stateDiff: slots,
  },
  'override.OverrideAccount',
);

const STATE_OVERRIDES: schema.Schema = {
  title: 'StateOverrides',
  ...schema.mapOf(schema.ADDRESS, schemaOf('AccountOverride', ACCOUNT)),
};

export const stateOverrides = required<StateOverrides>('state overrides', STATE_OVERRIDES, (value) => {
  if (!isObject(value)) return wrongKind(value, 'override.StateOverride');
  const overrides: EvmOverride[] = [];
  for (const [key, edits] of Object.entries(value)) {
    const account = decodeAddress(key, { type: ADDRESS });
    if (!account.ok) return account;
    if (edits === null) continue;
    if (isObject(edits) && (edits['state'] ?? null) !== null && (edits['stateDiff'] ?? null) !== null) {
      return good({ ok: false, message: `account ${hexData(account.value)} has both 'state' and 'stateDiff'` });
    }
    const read = ACCOUNT.read(edits);
    if (!read.ok) return read;
    const { state: storage, stateDiff, movePrecompileToAddress: movePrecompileTo, ...plain } = read.value;
    overrides.push({ address: account.value, ...present({ ...plain, storage, slots: stateDiff, movePrecompileTo }) });
  }
  return good({ ok: true, overrides });
});

function decodeSlots(value: unknown, { field, type }: Place): Decoded<NonNullable<EvmOverride['slots']>> {
  if (!isObject(value)) return wrongKind(value, type, field);
  return decodeEach(Object.entries(value), ([key, content]) => {
    const slot = decodeData(key, { type: HASH }, 32);
    if (!slot.ok) return slot;
    const word = decodeData(content, { type: HASH }, 32);
    return word.ok ? good({ slot: slot.value, value: word.value }) : word;
  });
}

/** Block overrides of a call, or geth's error for those that only simulated blocks support. */
export type CallBlockOverrides =
  | { readonly ok: true; readonly overrides: EthereumBlockOverrides }
  | { readonly ok: false; readonly message: string };

export const NO_BLOCK_OVERRIDES: CallBlockOverrides = { ok: true, overrides: {} };

/** Block overrides that only simulated blocks support. */
const OF_SIMULATIONS = ['beaconRoot', 'withdrawals'] as const;

const BLOCK = fieldsOf(
  'BlockOverrides',
  {
    number: quantity64,
    time: quantity64,
    gasLimit: quantity64,
    feeRecipient: address,
    prevRandao: hash,
    baseFeePerGas: quantity64,
    blobBaseFee: quantity64,
  },
  'override.BlockOverrides',
);

export const BLOCK_OVERRIDES = schemaOf('BlockOverrides', BLOCK);

export const blockOverrides = required<CallBlockOverrides>('block overrides', BLOCK_OVERRIDES, (value) => {
  const decoded = decodeBlockOverrides(value);
  if (!decoded.ok) return decoded;
  const unfit = isObject(value) ? OF_SIMULATIONS.find((name) => (value[name] ?? null) !== null) : undefined;
  return unfit === undefined
    ? good({ ok: true, overrides: decoded.value })
    : good({ ok: false, message: `block override "${unfit}" is not supported for this RPC method` });
});

/** Decodes block overrides. `difficulty` has no meaning since the merge and is ignored. */
export function decodeBlockOverrides(value: unknown): Decoded<EthereumBlockOverrides> {
  const read = BLOCK.read(value);
  if (!read.ok) return read;
  const { time: timestamp, feeRecipient: coinbase, baseFeePerGas: baseFee, ...plain } = read.value;
  return good(present({ ...plain, timestamp, coinbase, baseFee }));
}
