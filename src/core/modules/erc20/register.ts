/**
 * Registers contracts as coins, and IBC coins as tokens (cosmos/evm v0.6 `x/erc20/keeper/proposals.go`,
 * `dynamic_precompiles.go`, `types/utils.go`).
 */
import { create } from '@bufbuild/protobuf';
import { checksumAddress } from '../../keys/address.js';
import { Owner, TokenPairSchema, type TokenPair } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { MetadataSchema, type Metadata } from '../../proto/cosmos/bank/v1beta1/bank_pb.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { plainError, SdkError, wrapped } from '../../sdk/module/sdk-error.js';
import { getMetadata, setMetadata } from '../bank/balances.js';
import { getAccount } from '../auth/accounts.js';
import { getCodeHash, isEmptyCodeHash } from '../evm/store.js';
import { transferErrors } from '../transfer/errors.js';
import { erc20Errors } from './errors.js';
import { addPrecompile, hasPairOfContract, hasPairOfDenom, setTokenPair } from './store.js';
import { setTokenCode } from './token-account.js';
import { contractOfDenom } from './token-address.js';
import { tokenData, type TokenData } from './token-calls.js';

const MAX_NAME = 128;

/** Registers a contract (20 bytes) under the denom `erc20:0x...`, with the contract's own metadata. */
export function registerContract(context: Context, contract: Uint8Array): TokenPair {
  const name = checksumAddress(context.crypto, contract);
  if (hasPairOfContract(context, contract))
    throw new SdkError(erc20Errors.pairExists, `token ERC20 contract already registered: ${name}`);
  const denom = `erc20:${name}`;
  createMetadata(context, contract, name, denom);
  if (hasPairOfDenom(context, denom))
    throw new SdkError(erc20Errors.pairExists, `token already exists for denom ${denom}`);
  if (hasPairOfContract(context, contract))
    throw new SdkError(erc20Errors.pairExists, `token already exists for token ${name}`);
  const pair = create(TokenPairSchema, { erc20Address: name, denom, enabled: true, contractOwner: Owner.EXTERNAL });
  setTokenPair(context, pair, contract);
  return pair;
}

/** Registers an IBC coin as a token: a precompile at the address given by the last bytes of its hash. */
export function registerVoucher(context: Context, denom: string): TokenPair {
  const contract = contractOfDenom(context, denom);
  if (contract === undefined)
    throw new SdkError(transferErrors.invalidDenom, `coin ${denom} is not a valid IBC voucher hash`);
  const name = checksumAddress(context.crypto, contract);
  if (getAccount(context, contract) !== undefined && !isEmptyCodeHash(getCodeHash(context, contract)))
    throw new SdkError(erc20Errors.pairExists, `token already exists for token ${name}`);
  if (hasPairOfContract(context, contract))
    throw new SdkError(erc20Errors.pairExists, `token already exists for token ${name}`);
  const pair = create(TokenPairSchema, { erc20Address: name, denom, enabled: true, contractOwner: Owner.MODULE });
  setTokenPair(context, pair, contract);
  setTokenCode(context, contract);
  addPrecompile(context, 'dynamic', name);
  return pair;
}

function createMetadata(context: Context, contract: Uint8Array, name: string, denom: string): void {
  const wrap = (error: unknown): never => {
    if (!isReturned(error)) throw error;
    const text = 'failed to create wrapped coin denom metadata for ERC20';
    throw wrapped(error, text);
  };
  let data: TokenData;
  try {
    data = tokenData(context, contract);
  } catch (error) {
    return wrap(error);
  }
  if (getMetadata(context, denom) !== undefined)
    return wrap(new SdkError(erc20Errors.internalPair, 'denom metadata already registered'));
  if (hasPairOfDenom(context, denom))
    return wrap(new SdkError(erc20Errors.internalPair, `coin denomination already registered: ${data.name}`));
  const metadata = metadataOf(name, denom, data);
  const problem = problemOf(metadata);
  if (problem !== undefined) return wrap(plainError(`ERC20 token data is invalid for contract ${name}: ${problem}`));
  setMetadata(context, metadata);
}

function metadataOf(contract: string, denom: string, { name, symbol, decimals }: TokenData): Metadata {
  const shown = sanitized(name);
  return create(MetadataSchema, {
    description: `Cosmos coin token representation of ${contract}`,
    base: denom,
    denomUnits: [{ denom, exponent: 0 }, ...(decimals > 0n ? [{ denom: shown, exponent: Number(decimals) }] : [])],
    name: denom,
    symbol,
    display: decimals > 0n ? shown : denom,
  });
}

/** Converts a name to a valid denom: removes leading digits, special characters and prefixes of other denoms. */
function sanitized(name: string): string {
  const letters = name.replaceAll(/^[0-9]+/gm, '').replaceAll(/^[^A-Za-z]|[^a-zA-Z0-9/:-]/g, '');
  let rest = letters.slice(0, MAX_NAME);
  for (let prefix = prefixOf(rest); prefix !== ''; prefix = prefixOf(rest)) rest = rest.slice(prefix.length);
  return rest;
}

function prefixOf(name: string): string {
  return ['ibc/', 'erc20/', 'erc20:'].find((prefix) => name.startsWith(prefix)) ?? '';
}

/** Rule that metadata violates (cosmos-sdk v0.53 `x/bank/types/metadata.go`); undefined when valid. */
function problemOf({ name, symbol, display, denomUnits }: Metadata): string | undefined {
  if (isBlank(name)) return 'name field cannot be blank';
  if (isBlank(symbol)) return 'symbol field cannot be blank';
  if (!isValidDenom(display)) return `invalid metadata display denom: invalid denom: ${display}`;
  const wrong = denomUnits.find(({ denom }) => !isValidDenom(denom));
  return wrong === undefined ? undefined : `invalid denom unit: invalid denom: ${wrong.denom}`;
}
