/** Converts ERC-20 tokens to coins and back (cosmos/evm v0.6 `x/erc20/keeper/convert.go`, `msg_server.go`). */
import { checksumAddress } from '../../keys/address.js';
import { Owner, type TokenPair } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { emit } from '../../sdk/module/abci-event.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError, sdkErrors, wrapped } from '../../sdk/module/sdk-error.js';
import { ensureModuleAccount, getAccount } from '../auth/accounts.js';
import { getBalance, getParams, getSendEnabled } from '../bank/balances.js';
import { errors as bankErrors } from '../bank/errors.js';
import { sendFromModule, sendToModule } from '../bank/module-accounts.js';
import { isBlocked } from '../bank/send-rules.js';
import { burnCoins, mintCoins } from '../bank/supply.js';
import { getCodeHash, isEmptyCodeHash } from '../evm/store.js';
import { erc20Errors } from './errors.js';
import { erc20Rules } from './rules.js';
import { contractOf, deleteTokenPair, getFlag, tokenPairOf } from './store.js';
import { moduleAccount, tokenBalance, transferTokens } from './token-calls.js';

const MODULE = 'erc20';

/** Returns the pair of a token if conversion is enabled and `receiver` may receive coins; throws otherwise. */
export function requireEnabled(context: Context, receiver: Uint8Array, token: string): TokenPair {
  if (!getFlag(context, 'enableErc20'))
    throw new SdkError(erc20Errors.disabled, 'module is currently disabled by governance');
  const pair = tokenPairOf(context, token);
  if (pair === undefined) throw new SdkError(erc20Errors.pairNotFound, `token '${token}' not registered by id`);
  if (!pair.enabled)
    throw new SdkError(erc20Errors.pairDisabled, `minting token '${token}' is not enabled by governance`);
  if (isBlocked(context, receiver)) {
    const name = encodeAddress(context.chain.bech32Prefix, receiver);
    throw new SdkError(sdkErrors.unauthorized, `${name} is not allowed to receive transactions`);
  }
  erc20Rules.of(context).requireConvertible(context, pair);
  if (!(getSendEnabled(context, pair.denom) ?? getParams(context).defaultSendEnabled))
    throw new SdkError(
      bankErrors.sendDisabled,
      `minting '${token}' coins to an external address is currently disabled`,
    );
  return pair;
}

/** Contract of a pair of a native ERC-20; undefined when the contract is gone, and then deletes the pair. */
function contractOfPair(context: Context, pair: TokenPair): Uint8Array | undefined {
  if (pair.contractOwner === Owner.MODULE) throw new SdkError(erc20Errors.nativeConversionDisabled);
  const contract = contractOf(pair.erc20Address);
  if (pair.contractOwner !== Owner.EXTERNAL || contract === undefined) throw new SdkError(erc20Errors.undefinedOwner);
  const isThere = getAccount(context, contract) !== undefined && !isEmptyCodeHash(getCodeHash(context, contract));
  if (isThere) return contract;
  deleteTokenPair(context, pair, contract);
  return undefined;
}

/** Escrows tokens of `sender` and mints the coins to `receiver`. */
export function convertTokens(
  context: Context,
  { token, amount, sender, receiver }: { token: Uint8Array; amount: bigint; sender: Uint8Array; receiver: Uint8Array },
): void {
  const pair = requireEnabled(context, receiver, checksumAddress(context.crypto, token));
  const contract = contractOfPair(context, pair);
  if (contract === undefined) return;
  const escrow = moduleAccount(context);
  const coinsBefore = getBalance(context, receiver, pair.denom);
  const tokensBefore = tokenBalance(context, contract, escrow);
  const refusal = 'failed to execute transfer';
  transferTokens(context, { contract, from: sender, to: escrow, amount, refusal, isNamed: false });
  requireTokens(tokensBefore + amount, tokenBalance(context, contract, escrow));
  const coins = [coin(pair.denom, amount)];
  // Read once more than bank does, because cosmos/evm mints through precisebank.
  ensureModuleAccount(context, MODULE);
  mintCoins(context, MODULE, coins);
  sendFromModule(context, MODULE, receiver, coins);
  const coinsAfter = getBalance(context, receiver, pair.denom);
  if (coinsAfter !== coinsBefore + amount)
    throw new SdkError(
      erc20Errors.balanceInvariance,
      `invalid coin balance - expected: ${coinsBefore + amount}${pair.denom}, actual: ${coinsAfter}${pair.denom}`,
    );
  emit(context, 'convert_erc20', () => [
    ['sender', checksumAddress(context.crypto, sender)],
    ['receiver', encodeAddress(context.chain.bech32Prefix, receiver)],
    ['amount', amount.toString()],
    ['cosmos_coin', pair.denom],
    ['erc20_token', checksumAddress(context.crypto, contract)],
  ]);
}

/** Burns coins of `sender` and releases the escrowed tokens to `receiver` (ConvertCoin). */
export function convertCoins(
  context: Context,
  { denom, amount, sender, receiver }: { denom: string; amount: bigint; sender: Uint8Array; receiver: Uint8Array },
): void {
  const pair = requireEnabled(context, receiver, denom);
  const contract = contractOfPair(context, pair);
  if (contract !== undefined)
    convertCoinNativeErc20(context, { denom: pair.denom, contract, amount, sender, receiver });
}

/** Conversion of coins back to tokens of a contract for `receiver`. */
export interface Return {
  readonly denom: string;
  readonly contract: Uint8Array;
  readonly amount: bigint;
  readonly sender: Uint8Array;
  readonly receiver: Uint8Array;
}

/** Converts coins to tokens without checking whether the pair is enabled (ConvertCoinNativeERC20). */
export function convertCoinNativeErc20(context: Context, { denom, contract, amount, sender, receiver }: Return): void {
  const before = tokenBalance(context, contract, receiver);
  const coins = [coin(denom, amount)];
  try {
    sendToModule(context, sender, MODULE, coins);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw wrapped(error, 'failed to escrow coins');
  }
  const refusal = 'failed to execute unescrow tokens from user';
  const from = moduleAccount(context);
  transferTokens(context, { contract, from, to: receiver, amount, refusal, isNamed: true });
  requireTokens(before + amount, tokenBalance(context, contract, receiver));
  ensureModuleAccount(context, MODULE);
  burnCoins(context, MODULE, coins);
}

function requireTokens(expected: bigint, actual: bigint): void {
  if (actual !== expected)
    throw new SdkError(
      erc20Errors.balanceInvariance,
      `invalid token balance - expected: ${expected}, actual: ${actual}`,
    );
}
