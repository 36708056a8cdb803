/** Messages of erc20 (cosmos/evm v0.6 `x/erc20/keeper/msg_server.go`, `x/erc20/types/msg.go`). */
import * as pb from '../../proto/cosmos/evm/erc20/v1/tx_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { encodeAddress, requireAddress } from '../../sdk/codec/address.js';
import { parseAmount } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { requireGovernance, validateAccount } from '../authority.js';
import { convertCoins, convertTokens } from './convert.js';
import { erc20Errors } from './errors.js';
import { registerContract } from './register.js';
import { contractOf, getFlag, replaceTokenPair, setFlag, tokenPairOf } from './store.js';

function requireHex(text: string, refusal: string): Uint8Array {
  const address = contractOf(/^0[xX]/.test(text) ? `0x${text.slice(2)}` : `0x${text}`);
  if (address === undefined) throw new SdkError(sdkErrors.invalidAddress, refusal);
  return address;
}

const requireContract = (text: string): Uint8Array => requireHex(text, `invalid ERC20 contract address: ${text}`);

function requirePositive(amount: string): bigint {
  const value = parseAmount(amount);
  if (value === undefined || value === 0n)
    throw new SdkError(sdkErrors.invalidCoins, 'cannot mint a non-positive amount');
  return value;
}

const convertErc20 = message(pb.Msg, 'convertERC20', {
  signers: ({ sender }, prefix) => [encodeAddress(prefix, requireHex(sender, `invalid sender hex address ${sender}`))],
  validate({ contractAddress, amount, receiver, sender }, rules) {
    requireHex(contractAddress, `invalid contract hex address '${contractAddress}'`);
    requirePositive(amount);
    validateAccount(receiver, rules.chain.bech32Prefix, 'invalid receiver address');
    requireHex(sender, `invalid sender hex address ${sender}`);
  },
  handle(context, { contractAddress, amount, receiver, sender }) {
    const token = requireHex(contractAddress, `invalid contract hex address '${contractAddress}'`);
    const value = requirePositive(amount);
    convertTokens(context, {
      token,
      amount: value,
      receiver: requireAddress(context.chain.bech32Prefix, receiver, 'invalid receiver address'),
      sender: requireHex(sender, `invalid sender hex address ${sender}`),
    });
  },
});

const convertCoin = message(pb.Msg, 'convertCoin', {
  validate({ coin, receiver, sender }, rules) {
    const { denom = '', amount = '' } = coin ?? {};
    if (denom === '') throw new SdkError(sdkErrors.invalidCoins, 'denom cannot be empty');
    requirePositive(amount);
    validateAccount(sender, rules.chain.bech32Prefix, 'invalid sender address');
    requireHex(receiver, `invalid receiver hex address ${receiver}`);
  },
  handle(context, { coin, receiver, sender }) {
    const { denom = '', amount = '' } = coin ?? {};
    convertCoins(context, {
      denom,
      amount: requirePositive(amount),
      sender: requireAddress(context.chain.bech32Prefix, sender, 'invalid sender address'),
      receiver: requireHex(receiver, `invalid receiver hex address ${receiver}`),
    });
  },
});

const registerErc20 = message(pb.Msg, 'registerERC20', {
  validate({ signer, erc20addresses }, { chain }) {
    validateAccount(signer, chain.bech32Prefix, 'invalid signer address');
    erc20addresses.forEach(requireContract);
  },
  handle(context, { signer, erc20addresses }) {
    // Both parameters are read, which consumes gas.
    getFlag(context, 'enableErc20');
    if (!getFlag(context, 'permissionlessRegistration')) requireGovernance(context, signer);
    requireOn(context, 'registration');
    for (const text of erc20addresses) {
      const { denom, erc20Address } = registerContract(context, requireContract(text));
      emit(context, 'register_erc20', () => [
        ['cosmos_coin', denom],
        ['erc20_token', erc20Address],
      ]);
    }
  },
});

const toggleConversion = message(pb.Msg, 'toggleConversion', {
  validate: ({ authority }, { chain }) => validateAccount(authority, chain.bech32Prefix, 'Invalid authority address'),
  handle(context, { authority, token }) {
    requireOn(context, 'toggle conversion');
    requireGovernance(context, authority);
    const pair = tokenPairOf(context, token);
    if (pair === undefined) throw new SdkError(erc20Errors.pairNotFound, `token '${token}' not registered by id`);
    replaceTokenPair(context, { ...pair, enabled: !pair.enabled });
    emit(context, 'toggle_token_conversion', () => [
      ['cosmos_coin', pair.denom],
      ['erc20_token', pair.erc20Address],
    ]);
  },
});

function requireOn(context: Context, what: string): void {
  if (!getFlag(context, 'enableErc20'))
    throw new SdkError(erc20Errors.disabled, `${what} is currently disabled by governance`);
}

const updateParams = message(pb.Msg, 'updateParams', {
  validate: ({ authority }, { chain }) => validateAccount(authority, chain.bech32Prefix, 'Invalid authority address'),
  handle(context, { authority, params }) {
    requireGovernance(context, authority);
    setFlag(context, 'enableErc20', params?.enableErc20 ?? false);
    setFlag(context, 'permissionlessRegistration', params?.permissionlessRegistration ?? false);
  },
});

export const messages = [convertErc20, convertCoin, registerErc20, toggleConversion, updateParams];
