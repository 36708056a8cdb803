/** State and block overrides of calls (geth v1.17 `internal/ethapi/override`). */
import type { EthereumBlockOverrides } from '../../../core/ethereum/api.js';
import type { EvmOverride } from '../../../core/evm/engine.js';
import { hexData } from '../../../core/bytes/hex.js';
import { isObject } from '../envelope.js';
import { FieldReader } from './fields.js';
import { ADDRESS, HASH, decodeAddress, decodeFixed } from './hex.js';
import { type Decoded, type Param, bad, good, kindOf, required } from './param.js';

/** Overrides, or geth's refusal of them, which is an error of the call (-32000) and not of decoding. */
export type StateOverrides =
  | { readonly ok: true; readonly overrides: readonly EvmOverride[] }
  | { readonly ok: false; readonly message: string };

export const NO_OVERRIDES: StateOverrides = { ok: true, overrides: [] };

export const stateOverrides: Param<StateOverrides> = required<StateOverrides>('state overrides', (value) => {
  if (!isObject(value))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type override.StateOverride`);
  const overrides: EvmOverride[] = [];
  for (const [key, account] of Object.entries(value)) {
    const address = decodeAddress(key, { type: ADDRESS });
    if (!address.ok) return address;
    if (account === null) continue;
    if (!isObject(account))
      return bad(`json: cannot unmarshal ${kindOf(account)} into Go value of type override.OverrideAccount`);
    if ((account['state'] ?? null) !== null && (account['stateDiff'] ?? null) !== null) {
      return good({ ok: false, message: `account ${hexData(address.value)} has both 'state' and 'stateDiff'` });
    }
    const override = decodeAccount(address.value, account);
    if (!override.ok) return override;
    overrides.push(override.value);
  }
  return good({ ok: true, overrides });
});

function decodeAccount(address: Uint8Array, account: Readonly<Record<string, unknown>>): Decoded<EvmOverride> {
  const fields = new FieldReader(account, 'OverrideAccount');
  const balance = fields.quantity('balance');
  const nonce = fields.quantity64('nonce');
  const code = fields.data('code');
  const movePrecompileTo = fields.address('movePrecompileToAddress');
  if (fields.error !== undefined) return bad(fields.error);
  const storage = decodeSlots(account['state'] ?? null);
  if (!storage.ok) return storage;
  const slots = decodeSlots(account['stateDiff'] ?? null);
  if (!slots.ok) return slots;
  return good({
    address,
    ...(balance !== undefined && { balance }),
    ...(nonce !== undefined && { nonce }),
    ...(code !== undefined && { code }),
    ...(storage.value !== undefined && { storage: storage.value }),
    ...(slots.value !== undefined && { slots: slots.value }),
    ...(movePrecompileTo !== undefined && { movePrecompileTo }),
  });
}

function decodeSlots(value: unknown): Decoded<EvmOverride['slots'] | undefined> {
  if (value === null) return good(undefined);
  if (!isObject(value))
    return bad(
      `json: cannot unmarshal ${kindOf(value)} into Go struct field OverrideAccount.state of type map[common.Hash]common.Hash`,
    );
  const slots: { slot: Uint8Array; value: Uint8Array }[] = [];
  for (const [key, content] of Object.entries(value)) {
    const slot = decodeFixed(key, 32, { type: HASH });
    if (!slot.ok) return slot;
    const decoded = decodeFixed(content, 32, { type: HASH });
    if (!decoded.ok) return decoded;
    slots.push({ slot: slot.value, value: decoded.value });
  }
  return good(slots);
}

/** Overrides of the block of a call, or geth's refusal of those that only a simulated block can have. */
export type CallBlockOverrides =
  | { readonly ok: true; readonly overrides: EthereumBlockOverrides }
  | { readonly ok: false; readonly message: string };

export const NO_BLOCK_OVERRIDES: CallBlockOverrides = { ok: true, overrides: {} };

/** Members of an override that have a meaning in simulated blocks only. */
const OF_SIMULATIONS = ['beaconRoot', 'withdrawals'] as const;

export const blockOverrides: Param<CallBlockOverrides> = required<CallBlockOverrides>('block overrides', (value) => {
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
  const fields = new FieldReader(value, 'BlockOverrides');
  const number = fields.quantity64('number');
  const timestamp = fields.quantity64('time');
  const gasLimit = fields.quantity64('gasLimit');
  const coinbase = fields.address('feeRecipient');
  const prevRandao = fields.hash('prevRandao');
  const baseFee = fields.quantity64('baseFeePerGas');
  const blobBaseFee = fields.quantity64('blobBaseFee');
  if (fields.error !== undefined) return bad(fields.error);
  return good({
    ...(number !== undefined && { number }),
    ...(timestamp !== undefined && { timestamp }),
    ...(gasLimit !== undefined && { gasLimit }),
    ...(coinbase !== undefined && { coinbase }),
    ...(prevRandao !== undefined && { prevRandao }),
    ...(baseFee !== undefined && { baseFee }),
    ...(blobBaseFee !== undefined && { blobBaseFee }),
  });
}
