/** Accounts: numbers, sequences and public keys (SDK v0.53 `x/auth`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { prefixRange } from '../../bytes/key-order.js';
import type { Context } from '../../sdk/module/context.js';
import { addressAt, GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import type { AccountKeeper } from '../../sdk/module/keepers.js';
import { message, type Module } from '../../sdk/module/module.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { type Params, ParamsSchema } from '../../proto/cosmos/auth/v1beta1/auth_pb.js';
import { GenesisStateSchema } from '../../proto/cosmos/auth/v1beta1/genesis_pb.js';
import { Msg } from '../../proto/cosmos/auth/v1beta1/tx_pb.js';
import { LegacyAminoPubKeySchema } from '../../proto/cosmos/crypto/multisig/keys_pb.js';
import { requireAuthority } from '../authority.js';
import {
  ACCOUNT_PREFIX,
  addressOfKey,
  decodeAccount,
  ensureModuleAccount,
  FEE_COLLECTOR,
  getAccount,
  getParams,
  packAccount,
  reserveAccountNumber,
  setAccount,
  setParams,
  STORE,
  unpackAccount,
  withBase,
} from './accounts.js';
import { forgetTimeouts } from './ante/unordered.js';
import { queries } from './queries.js';
import { typeNameOf } from '../../sdk/codec/any.js';

/** Default parameters of the SDK. */
const DEFAULT_PARAMS = create(ParamsSchema, {
  maxMemoCharacters: 256n,
  txSigLimit: 7n,
  txSizeCostPerByte: 10n,
  sigVerifyCostEd25519: 590n,
  sigVerifyCostSecp256k1: 1000n,
});

/**
 * Writes params, accounts in order of their numbers (a number that is taken is replaced by the next free one), and
 * the fee collector.
 */
function initGenesis(context: Context, section: unknown): void {
  const state = readSection('app_state.auth', GenesisStateSchema, section ?? {});
  setParams(context, state.params ?? DEFAULT_PARAMS);
  const accounts = state.accounts.map((any, index) => {
    const path = `app_state.auth.accounts[${index}]`;
    const account = unpackAccount(any);
    if (account === undefined) throw new GenesisError(path, `accounts of type ${any.typeUrl} are not supported`);
    return { account, address: addressAt(`${path}.address`, context.chain.bech32Prefix, account.base.address) };
  });
  accounts.sort((a, b) => Number(a.account.base.accountNumber - b.account.base.accountNumber));
  let next = 0n;
  for (const { account, address } of accounts) {
    const accountNumber = account.base.accountNumber < next ? next : account.base.accountNumber;
    next = accountNumber + 1n;
    reserveAccountNumber(context, accountNumber);
    const { pubKey } = account.base;
    setAccount(
      context,
      address,
      withBase(account, {
        accountNumber,
        ...(pubKey === undefined ? {} : { pubKey: canonicalKey(pubKey) }),
      }),
    );
  }
  ensureModuleAccount(context, FEE_COLLECTOR);
}

/**
 * Rewrites type URLs of a key, nested keys included, as the SDK encodes them: a slash and the name. JSON readers put
 * a host before the name.
 */
function canonicalKey(key: Any): Any {
  const typeUrl = `/${typeNameOf(key)}`;
  if (typeUrl !== THRESHOLD_URL) return { ...key, typeUrl };
  const threshold = fromBinary(LegacyAminoPubKeySchema, key.value);
  const publicKeys = threshold.publicKeys.map(canonicalKey);
  return { ...key, typeUrl, value: toBinary(LegacyAminoPubKeySchema, { ...threshold, publicKeys }) };
}
const THRESHOLD_URL = `/${LegacyAminoPubKeySchema.typeName}`;

function exportGenesis(context: Context): unknown {
  const accounts = Array.from(context.store.range(STORE, prefixRange(ACCOUNT_PREFIX)), ({ value }) =>
    decodeAccount(value),
  )
    .sort((a, b) => (a.base.accountNumber < b.base.accountNumber ? -1 : 1))
    .map(packAccount);
  return writeSection(GenesisStateSchema, { params: getParams(context), accounts });
}

/**
 * The SDK's error for a limit or price of zero (`x/auth/types/params.go` Validate): no transaction would pass, or
 * signatures would be free.
 */
function paramsProblem(params: Params): string | undefined {
  const checks: readonly (readonly [bigint, string])[] = [
    [params.txSigLimit, 'invalid tx signature limit'],
    [params.sigVerifyCostEd25519, 'invalid ED25519 signature verification cost'],
    [params.sigVerifyCostSecp256k1, 'invalid SECK256k1 signature verification cost'],
    [params.maxMemoCharacters, 'invalid max memo characters'],
    [params.txSizeCostPerByte, 'invalid tx size cost per byte'],
  ];
  const zero = checks.find(([value]) => value === 0n);
  return zero && `${zero[1]}: 0`;
}

const messages = [
  message(Msg, 'updateParams', (context, { authority, params }) => {
    requireAuthority(context, authority, (expected, got) =>
      plainError(
        `expected gov account as only signer for proposal message; invalid authority; expected ${expected}, got ${got}`,
      ),
    );
    const problem = paramsProblem(params ?? create(ParamsSchema));
    if (problem !== undefined) throw plainError(problem);
    setParams(context, params ?? DEFAULT_PARAMS);
  }),
];

/** Keeper of account sequences. */
const accounts: AccountKeeper = {
  sequence: (context, address) => getAccount(context, address)?.base.sequence,
  setSequence(context, address, sequence) {
    const account = getAccount(context, address);
    if (account !== undefined) setAccount(context, address, withBase(account, { sequence }));
  },
};

export const authModule: Module = {
  name: 'auth',
  store: STORE,
  consensusVersion: 5n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  preBlock: (context) => {
    forgetTimeouts(context);
    return undefined;
  },
  keepers: { accounts },
  evmAddressOf: addressOfKey,
};
