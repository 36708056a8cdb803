/** Accounts by address and number, in the encodings of cosmos-sdk v0.53 for store `acc` (`x/auth/types/keys.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { anyPack, AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { concat, equal, utf8 } from '../../bytes/bytes.js';
import { be64, readBe64 } from '../../bytes/big-endian.js';
import { MessageFields } from '../../bytes/message-fields.js';
import { MessageWriter } from '../../bytes/message-writer.js';
import type { Context } from '../../sdk/module/context.js';
import { encodeAddress, moduleAddress } from '../../sdk/codec/address.js';
import { has } from '../../sdk/module/gas.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { invariant } from '../../errors.js';
import { Records } from '../../state/records.js';
import * as pb from '../../proto/cosmos/auth/v1beta1/auth_pb.js';
import { packVesting, unpackVesting, type VestingAccount } from './vesting/account.js';
import { typeNameOf } from '../../sdk/codec/any.js';
import { messageCodec, paramsRecord } from '../../state/params-record.js';

export const STORE = 'acc';
/** Module account that collects the fees of a block (SDK `auth/types` FeeCollectorName). */
export const FEE_COLLECTOR = 'fee_collector';
const PARAMS_KEY = Uint8Array.of(0);
export const ACCOUNT_PREFIX = Uint8Array.of(1);
const NEXT_NUMBER_KEY = Uint8Array.of(2);
const NUMBER_INDEX = utf8('accountNumber');
const BASE_ACCOUNT_URL = '/cosmos.auth.v1beta1.BaseAccount';
const BASE_ACCOUNT_NAME = utf8(BASE_ACCOUNT_URL);
const MODULE_ACCOUNT_URL = '/cosmos.auth.v1beta1.ModuleAccount';

export type Account =
  | { readonly kind: 'base'; readonly base: pb.BaseAccount }
  | { readonly kind: 'module'; readonly base: pb.BaseAccount; readonly module: pb.ModuleAccount }
  | VestingAccount;

/** Key of an account's row. */
export const accountKey = (address: Uint8Array): Uint8Array => concat(ACCOUNT_PREFIX, address);
/** Address in an account key; undefined for other keys of the store. */
export function addressOfKey(key: Uint8Array): Uint8Array | undefined {
  return key[0] === ACCOUNT_PREFIX[0] && key.length === 21 ? key.slice(1) : undefined;
}

/** Key of the index row from an account number to its address. */
export const numberKey = (number: bigint): Uint8Array => concat(NUMBER_INDEX, be64(number));

/** Packs an account into an `Any`, as stored and as returned to clients. */
export function packAccount(account: Account): Any {
  if (account.kind === 'vesting') return packVesting(account);
  const packed =
    account.kind === 'base'
      ? anyPack(pb.BaseAccountSchema, account.base)
      : anyPack(pb.ModuleAccountSchema, account.module);
  return create(AnySchema, {
    typeUrl: account.kind === 'base' ? BASE_ACCOUNT_URL : MODULE_ACCOUNT_URL,
    value: packed.value,
  });
}

const writer = new MessageWriter();

/**
 * Encodes that `Any`. A base account is written field by field, several times faster than the generated codec,
 * because every Ethereum transaction writes its sender's account twice.
 */
export function encodeAccount(account: Account): Uint8Array {
  const { address, pubKey, accountNumber, sequence, $unknown } = account.base;
  if (account.kind !== 'base' || $unknown !== undefined || pubKey?.$unknown !== undefined)
    return toBinary(AnySchema, packAccount(account));
  writer.number(4, sequence);
  writer.number(3, accountNumber);
  if (pubKey !== undefined) {
    const before = writer.length;
    writer.bytes(2, pubKey.value);
    writer.text(1, pubKey.typeUrl);
    writer.close(2, before);
  }
  writer.text(1, address);
  writer.close(2, 0);
  writer.text(1, BASE_ACCOUNT_URL);
  return writer.finish();
}

/** Reads an `Any` of a known account type, with any text before its last slash; undefined for other types. */
export function unpackAccount(any: Any): Account | undefined {
  const typeUrl = `/${typeNameOf(any)}`;
  if (typeUrl === BASE_ACCOUNT_URL) return { kind: 'base', base: fromBinary(pb.BaseAccountSchema, any.value) };
  if (typeUrl !== MODULE_ACCOUNT_URL) return unpackVesting(typeUrl, any.value);
  const module = fromBinary(pb.ModuleAccountSchema, any.value);
  return { kind: 'module', module, base: module.baseAccount ?? create(pb.BaseAccountSchema) };
}

/**
 * Sequence in a row that `encodeAccount` wrote for a base account, read without decoding the rest; undefined for
 * other rows.
 */
export function sequenceOfPlain(row: Uint8Array): bigint | undefined {
  const any = new MessageFields(row);
  let sequence: bigint | undefined;
  while (any.next()) {
    if (any.field === 1 && !equal(any.content(), BASE_ACCOUNT_NAME)) return undefined;
    if (any.field !== 2) continue;
    sequence = 0n;
    const account = new MessageFields(row, any.start, any.end);
    while (account.next()) if (account.field === 4) sequence = BigInt.asUintN(64, account.int64());
  }
  return sequence;
}

/** Decodes a row; throws for an account type that this build does not know. */
export function decodeAccount(value: Uint8Array): Account {
  const account = unpackAccount(fromBinary(AnySchema, value));
  invariant(account !== undefined, 'the account store holds an account of an unknown type');
  return account;
}

const records = new Records<Account>(STORE, { encode: encodeAccount, decode: decodeAccount });

/** Reads the account of an address with the SDK's gas; undefined when there is none. */
export function getAccount(context: Context, address: Uint8Array): Account | undefined {
  return records.get(context, accountKey(address));
}

/** Reads an account; throws SDK error 9, as the ante handler reports it, when there is none. */
export function requireAccount(context: Context, address: Uint8Array): Account {
  const account = getAccount(context, address);
  if (account === undefined) {
    throw new SdkError(
      sdkErrors.unknownAddress,
      `account ${encodeAddress(context.chain.bech32Prefix, address)} does not exist`,
    );
  }
  return account;
}

/**
 * Writes an account and its number index; accesses are in the order of the SDK's unique index, because they consume
 * gas.
 */
export function setAccount(context: Context, address: Uint8Array, account: Account): void {
  const { store } = context;
  const previous = getAccount(context, address);
  if (previous !== undefined) store.delete(STORE, numberKey(previous.base.accountNumber));
  const index = numberKey(account.base.accountNumber);
  invariant(!has(store, STORE, index), 'two accounts with one number');
  store.set(STORE, index, address);
  replaceAccount(context, address, account);
}

/** Writes an account over the one with the same number without touching the index, and without gas for it. */
export function replaceAccount(context: Context, address: Uint8Array, account: Account): void {
  records.set(context, accountKey(address), account);
}

/** Checks whether an account exists, with the gas of the SDK's `Has`. */
export function hasAccount(context: Context, address: Uint8Array): boolean {
  return has(context.store, STORE, accountKey(address));
}

/** Takes the next account number. */
function nextAccountNumber(context: Context): bigint {
  const stored = context.store.get(STORE, NEXT_NUMBER_KEY);
  const number = stored === undefined ? 0n : readBe64(stored);
  context.store.set(STORE, NEXT_NUMBER_KEY, be64(number + 1n));
  return number;
}

/** Raises the counter so that `number` is never assigned again. */
export function reserveAccountNumber(context: Context, number: bigint): void {
  const stored = context.store.get(STORE, NEXT_NUMBER_KEY);
  if (stored === undefined || readBe64(stored) <= number) context.store.set(STORE, NEXT_NUMBER_KEY, be64(number + 1n));
}

/** Base account with the next number, not stored yet. */
export function newBaseAccount(context: Context, address: Uint8Array): pb.BaseAccount {
  const accountNumber = nextAccountNumber(context);
  return create(pb.BaseAccountSchema, { address: encodeAddress(context.chain.bech32Prefix, address), accountNumber });
}

/** Creates a base account when an address receives coins for the first time. */
export function ensureAccount(context: Context, address: Uint8Array): void {
  if (!hasAccount(context, address)) createAccount(context, address);
}

/** Creates a base account for an address without account. */
export function createAccount(context: Context, address: Uint8Array): void {
  setAccount(context, address, newAccount(context, address));
}

/** Base account for an address without account; takes the next number, but is not stored yet. */
export function newAccount(context: Context, address: Uint8Array): Account {
  return { kind: 'base', base: newBaseAccount(context, address) };
}

/** Creates a module account on first use, with the permissions of the application version. */
export function ensureModuleAccount(context: Context, name: string): Uint8Array {
  const address = moduleAddress(context.crypto, name);
  if (getAccount(context, address) !== undefined) return address;
  const base = newBaseAccount(context, address);
  const permissions = [...(context.version.moduleAccounts[name] ?? [])];
  setAccount(context, address, {
    kind: 'module',
    base,
    module: create(pb.ModuleAccountSchema, { baseAccount: base, name, permissions }),
  });
  return address;
}

/** Accessors for the parameters; zeros before genesis stored them. */
export const { getParams, setParams } = paramsRecord(STORE, PARAMS_KEY, messageCodec(pb.ParamsSchema), () =>
  create(pb.ParamsSchema),
);

/** Returns the account with changed base fields. */
export function withBase(
  account: Account,
  change: Partial<Pick<pb.BaseAccount, 'sequence' | 'accountNumber'>> & { readonly pubKey?: Any },
): Account {
  const base: pb.BaseAccount = { ...account.base, ...change };
  switch (account.kind) {
    case 'base':
      return { kind: 'base', base };
    case 'module':
      return { kind: 'module', base, module: { ...account.module, baseAccount: base } };
    case 'vesting':
      return { ...account, base };
  }
}
