/** Genesis of the EVM: parameters, coin info, contracts with code and storage, preinstalls (x/vm `genesis.go`). */
import { create } from '@bufbuild/protobuf';
import { bytesOfDigits, fromHex, hex } from '../../bytes/hex.js';
import { prefixRange } from '../../bytes/key-order.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { checksumAddress } from '../../keys/address.js';
import * as pb from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { GenesisAccountSchema, GenesisStateSchema } from '../../proto/cosmos/evm/vm/v1/genesis_pb.js';
import { hasAccount } from '../auth/accounts.js';
import { getMetadata } from '../bank/balances.js';
import { getBlockHashes } from './block-hashes.js';
import { coinRules } from './coins.js';
import { preinstall } from './preinstalls.js';
import { HISTORY_ADDRESS } from './state.js';
import {
  CODE_HASH_PREFIX,
  codeHashKey,
  codeKey,
  getCode,
  getParams,
  isEmptyCodeHash,
  setParams,
  STORE,
  STORAGE_PREFIX,
  storageKey,
} from './store.js';
import { ETHER_DECIMALS, setCoinInfo } from '../../sdk/coins/evm-coin.js';
import type { EvmFork } from '../../evm/transaction.js';
import { unsupportedParam } from './supported-params.js';
import { invalidParams } from './validate-params.js';

const PATH = 'app_state.evm';
/** Default history window of x/vm, as in EIP-2935. */
const HISTORY_WINDOW = 8192n;

/**
 * Stores parameters, code and storage; throws `GenesisError` for invalid values and for contracts without an account.
 */
export function initGenesis(context: Context, section: unknown): void {
  const state = readSection(PATH, GenesisStateSchema, section ?? {});
  const params = state.params ?? defaultParams(context);
  requireValid(params, context.version.evm.fork);
  setParams(context, params);
  state.accounts.forEach(({ address, code, storage }, index) => {
    const path = `${PATH}.accounts[${index}]`;
    const account = requireBytes(`${path}.address`, address, 20);
    if (!hasAccount(context, account)) throw new GenesisError(path, `account not found for address ${address}`);
    const bytes = requireBytes(`${path}.code`, code);
    const hash = context.crypto.keccak256(bytes);
    if (!isEmptyCodeHash(hash)) {
      context.store.set(STORE, codeHashKey(account), hash);
      context.store.set(STORE, codeKey(hash), bytes);
    }
    storage.forEach(({ key, value }, at) => {
      context.store.set(
        STORE,
        storageKey(account, requireBytes(`${path}.storage[${at}].key`, key, 32)),
        requireBytes(`${path}.storage[${at}].value`, value, 32),
      );
    });
  });
  initCoinInfo(context, params);
  for (const one of state.preinstalls) {
    const wrong = preinstall(context, one);
    if (wrong !== undefined) throw new GenesisError(`${PATH}.preinstalls`, wrong);
  }
}

/** Validates the parameters. Precompiles may be in any order and are sorted when stored (x/vm `keeper/params.go`). */
function requireValid(params: pb.Params, fork: EvmFork): void {
  const activeStaticPrecompiles = params.activeStaticPrecompiles.toSorted();
  const wrong = invalidParams(create(pb.ParamsSchema, { ...params, activeStaticPrecompiles }));
  if (wrong !== undefined) throw new GenesisError(`${PATH}.params`, wrong.message);
  const unsupported = unsupportedParam(params, fork);
  if (unsupported !== undefined) throw new GenesisError(`${PATH}.params.${unsupported.field}`, unsupported.text);
}

/** Default parameters: everyone may create and call. */
function defaultParams(context: Context): pb.Params {
  return create(pb.ParamsSchema, { evmDenom: context.chain.baseDenom, historyServeWindow: HISTORY_WINDOW });
}

/** Stores coin info; decimals and display name come from bank's metadata. The EVM counts in units of 10^-18. */
function initCoinInfo(context: Context, params: pb.Params): void {
  const metadata = getMetadata(context, params.evmDenom);
  if (metadata === undefined)
    throw new GenesisError(`${PATH}.params.evm_denom`, `denom metadata ${params.evmDenom} could not be found`);
  const decimals = metadata.denomUnits.find(({ denom }) => denom === metadata.display)?.exponent ?? 0;
  const extendedDenom = decimals === ETHER_DECIMALS ? params.evmDenom : extendedDenomOf(context, params, decimals);
  setCoinInfo(
    context,
    create(pb.EvmCoinInfoSchema, {
      denom: params.evmDenom,
      extendedDenom,
      displayDenom: metadata.display,
      decimals,
    }),
  );
}

/** Denom of wei for a coin with fewer decimals, whose fractions precisebank keeps. */
function extendedDenomOf(context: Context, params: pb.Params, decimals: number): string {
  const path = `${PATH}.params`;
  if (decimals < 1 || decimals > ETHER_DECIMALS)
    throw new GenesisError(`${path}.evm_denom`, `received unsupported decimals: ${decimals}`);
  if (!coinRules.of(context).hasFractions)
    throw new GenesisError(
      `${path}.evm_denom`,
      `${params.evmDenom} has ${decimals} decimals; without precisebank coins of the EVM have ${ETHER_DECIMALS}`,
    );
  if (params.extendedDenomOptions === undefined)
    throw new GenesisError(
      `${path}.extended_denom_options`,
      'extended denom options cannot be nil for non-18-decimal chains',
    );
  return params.extendedDenomOptions.extendedDenom;
}

/**
 * Exports parameters and all accounts with code or storage in address order: storage outlives the code of an account
 * that revoked its delegation (EIP-7702). Preinstalls are exported as contracts.
 */
export function exportGenesis(context: Context): unknown {
  const { store } = context;
  const codes = new Map<string, string>();
  const slots = new Map<string, pb.State[]>();
  for (const { key, value } of store.range(STORE, prefixRange(CODE_HASH_PREFIX)))
    codes.set(hex(key.subarray(1)), hex(getCode(context, value) ?? new Uint8Array(0)));
  for (const { key, value } of store.range(STORE, prefixRange(STORAGE_PREFIX))) {
    const address = hex(key.subarray(1, 21));
    const slot = create(pb.StateSchema, {
      key: `0x${hex(key.subarray(21))}`,
      value: `0x${hex(value).padStart(64, '0')}`,
    });
    const others = slots.get(address);
    if (others === undefined) slots.set(address, [slot]);
    else others.push(slot);
  }
  // A new chain with Ethereum header hashes has its own block 0.
  if (getBlockHashes(context) !== undefined) slots.delete(hex(HISTORY_ADDRESS));
  const accounts = [...new Set([...codes.keys(), ...slots.keys()])].toSorted().map((address) =>
    create(GenesisAccountSchema, {
      address: checksumAddress(context.crypto, fromHex(address)),
      code: codes.get(address) ?? '',
      storage: slots.get(address) ?? [],
    }),
  );
  return writeSection(GenesisStateSchema, { accounts, params: getParams(context) });
}

function requireBytes(path: string, text: string, length?: number): Uint8Array {
  const bytes = bytesOfDigits(text.replace(/^0[xX]/, ''));
  if (bytes === undefined || (length !== undefined && bytes.length !== length))
    throw new GenesisError(
      path,
      `not hexadecimal${length === undefined ? '' : ` of ${length} bytes`}: ${text.slice(0, 80)}`,
    );
  return bytes;
}
