/**
 * Parses geth's call arguments and state overrides from the JSON text in `EthCall` and similar queries
 * (`internal/ethapi` TransactionArgs).
 */
import { equal } from '../../bytes/bytes.js';
import { hasMoreJsonParts } from '../../text/json-parts.js';
import { DEFAULT_LIMITS } from '../../limits/limits.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { asObject, jsonOf } from '../../text/json-object.js';
import type { EthereumCall } from '../../ethereum/call.js';
import type { EvmOverride } from '../../evm/state.js';

/** Thrown for invalid arguments; becomes InvalidArgument in queries. */
export class CallArgumentError extends Error {}

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses call arguments. Ignores unknown fields like geth, except those that would change the result. Throws
 * CallArgumentError.
 */
export function readCall(json: Uint8Array): EthereumCall {
  const fields = objectOf(json, 'args');
  const [input, data] = [bytes(fields, 'input'), bytes(fields, 'data')];
  if (input !== undefined && data !== undefined && !equal(input, data)) {
    throw new CallArgumentError(
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    );
  }
  refuse(fields, 'authorizationList');
  return {
    from: bytes(fields, 'from', 20),
    to: bytes(fields, 'to', 20),
    data: input ?? data,
    gas: quantity(fields, 'gas'),
    gasPrice: quantity(fields, 'gasPrice'),
    maxFeePerGas: quantity(fields, 'maxFeePerGas'),
    maxPriorityFeePerGas: quantity(fields, 'maxPriorityFeePerGas'),
    value: quantity(fields, 'value'),
    nonce: quantity(fields, 'nonce'),
    accessList: accessList(fields['accessList']),
  };
}

/**
 * Parses `{address: {balance, nonce, code, state | stateDiff, movePrecompileToAddress}}`; empty text gives none, and
 * a null account is not overridden. Throws CallArgumentError.
 */
export function readOverrides(json: Uint8Array): readonly EvmOverride[] {
  if (json.length === 0) return [];
  const edited = Object.entries(objectOf(json, 'overrides')).filter(([, edit]) => edit !== null);
  return edited.map(([name, edit]) => {
    const fields = requireObject(edit, name);
    const balance = quantity(fields, 'balance');
    const nonce = quantity(fields, 'nonce');
    const code = bytes(fields, 'code');
    const storage = slots(fields['state']);
    const changed = slots(fields['stateDiff']);
    if (storage !== undefined && changed !== undefined)
      throw new CallArgumentError(`account ${name} has both 'state' and 'stateDiff'`);
    const movePrecompileTo = bytes(fields, 'movePrecompileToAddress', 20);
    return {
      address: requireBytes(name, 'address', 20),
      ...(balance === undefined ? {} : { balance }),
      ...(nonce === undefined ? {} : { nonce }),
      ...(code && { code }),
      ...(storage && { storage }),
      ...(changed && { slots: changed }),
      ...(movePrecompileTo && { movePrecompileTo }),
    };
  });
}

function objectOf(json: Uint8Array, what: string): Json {
  const text = new TextDecoder().decode(json);
  if (hasMoreJsonParts(text))
    throw new CallArgumentError(`invalid ${what}: limit jsonParts (${DEFAULT_LIMITS.jsonParts}) exceeded`);
  const value = jsonOf(text);
  if (value === undefined) throw new CallArgumentError(`invalid ${what}: not JSON`);
  return requireObject(value, what);
}

function requireObject(value: unknown, what: string): Json {
  const object = asObject(value);
  if (object === undefined) throw new CallArgumentError(`invalid ${what}: not an object`);
  return object;
}

function requireBytes(value: unknown, name: string, length?: number): Uint8Array {
  const found = typeof value === 'string' && value.startsWith('0x') ? bytesOfDigits(value.slice(2)) : undefined;
  if (found === undefined || (length !== undefined && found.length !== length))
    throw new CallArgumentError(`invalid ${name}: not hexadecimal of the right length`);
  return found;
}

function refuse(fields: Json, name: string): void {
  if ((fields[name] ?? null) !== null) throw new CallArgumentError(`${name} is not supported`);
}

function bytes(fields: Json, name: string, length?: number): Uint8Array | undefined {
  const value = fields[name];
  return value === undefined || value === null ? undefined : requireBytes(value, name, length);
}

function quantity(fields: Json, name: string): bigint | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    throw new CallArgumentError(`invalid ${name}: not a hexadecimal number`);
  return BigInt(value);
}

function accessList(value: unknown): EthereumCall['accessList'] {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new CallArgumentError('invalid accessList: not a list');
  return value.map((item: unknown) => {
    const { address, storageKeys } = requireObject(item, 'accessList');
    const keys: unknown = storageKeys ?? [];
    if (!Array.isArray(keys)) throw new CallArgumentError('invalid storageKeys: not a list');
    return {
      address: requireBytes(address, 'address', 20),
      storageKeys: keys.map((key: unknown) => requireBytes(key, 'storageKeys', 32)),
    };
  });
}

function slots(value: unknown): EvmOverride['slots'] | undefined {
  if (value === undefined || value === null) return undefined;
  return Object.entries(requireObject(value, 'state')).map(([slot, word]) => ({
    slot: requireBytes(slot, 'slot', 32),
    value: requireBytes(word, 'value', 32),
  }));
}
