import { fromBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { hex, hexData } from '../bytes/hex.js';
import { EXPIRE_CLIENT_URL, SET_ACCOUNT_URL, SET_BALANCE_URL, SET_BLOCK_FACTS_URL } from '../modules/dev/ante.js';
import * as pb from '../proto/chronicle/dev/v1/tx_pb.js';
import { decodeBech32 } from '../sdk/codec/address.js';
import { parseAmount } from '../sdk/coins/coins.js';
import { amountText } from './amount.js';
import { addressText, type Names } from './names.js';

/**
 * Describes what a dev message sets, for example `sets the balance of dev1 to 5 chr`; undefined for messages of other
 * modules. Amounts of `baseDenom` are in its display unit.
 */
export function settingText({ typeUrl, value }: Any, names: Names, baseDenom: string): string | undefined {
  switch (typeUrl) {
    case SET_BALANCE_URL: {
      const { address, denom, amount } = fromBinary(pb.MsgSetBalanceSchema, value);
      const wei = denom === baseDenom ? parseAmount(amount) : undefined;
      const coins = wei === undefined ? `${amount} ${denom}` : amountText(wei, denom);
      return `sets the balance of ${accountText(address, names)} to ${coins}`;
    }
    case SET_ACCOUNT_URL:
      return accountSetting(fromBinary(pb.MsgSetAccountSchema, value), names);
    case SET_BLOCK_FACTS_URL:
      return blockSetting(fromBinary(pb.MsgSetBlockFactsSchema, value), names);
    case EXPIRE_CLIENT_URL:
      return `lets the trusting period of ${fromBinary(pb.MsgExpireClientSchema, value).clientId} pass`;
    default:
      return undefined;
  }
}

function accountSetting({ address, nonce, code, slots }: pb.MsgSetAccount, names: Names): string {
  const set = [
    ...(nonce === undefined ? [] : [`the nonce to ${nonce}`]),
    ...(code === undefined ? [] : [code.length === 0 ? 'no code' : `${code.length} bytes of code`]),
    ...slots.slice(0, 1).map(({ slot, value }) => `slot ${shortHex(slot)} to ${shortHex(value)}`),
    ...(slots.length > 1 ? [`${slots.length - 1} more slots`] : []),
  ];
  return `sets at ${accountText(address, names)} ${set.join(', ')}`;
}

function blockSetting(facts: pb.MsgSetBlockFacts, names: Names): string {
  const { coinbase, gasLimit, nextBaseFee, nextPrevRandao, impersonatedSignature: signature } = facts;
  const set = [
    ...(coinbase === undefined
      ? []
      : [`the coinbase to ${coinbase.length === 20 ? addressText(names, coinbase) : 'the proposer'}`]),
    ...(gasLimit === undefined ? [] : [`the gas limit to ${gasLimit}`]),
    ...(nextBaseFee === undefined ? [] : [`the next base fee to ${nextBaseFee} wei`]),
    ...(nextPrevRandao === undefined ? [] : [`the next prevrandao to ${hexData(nextPrevRandao)}`]),
    ...(signature === undefined ? [] : [`the signer of one signature to ${addressText(names, signature.signer)}`]),
  ];
  return `sets ${set.join(', ')}`;
}

/** Formats a 32-byte word without leading zeros. */
function shortHex(word: Uint8Array): string {
  return `0x${hex(word).replace(/^0+(?=.)/, '')}`;
}

function accountText(address: string, names: Names): string {
  const bytes = decodeBech32(address)?.bytes;
  return bytes?.length === 20 ? addressText(names, bytes) : address;
}
