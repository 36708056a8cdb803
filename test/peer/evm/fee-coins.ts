/** Cosmos transactions around Ethereum ones whose fees have further coins, and the results of evmd v0.6.0. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Coin } from '../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { CoinSchema } from '../../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { MsgEthereumTxSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { callsOf } from './blob-base-fee.js';
import { encode } from '../../support/encode.js';

const coin = (denom: string, amount = '1'): Coin => create(CoinSchema, { denom, amount });

/** Coins before and after the fee, and the result code. */
const FEES: readonly (readonly [before: readonly Coin[], behind: readonly Coin[], code: number])[] = [
  [[], [], 0],
  [[], [coin('zzz')], 0],
  [[], [coin('ucoin')], 0],
  [[coin('aaa')], [], 0],
  [[coin('zzz')], [], 0],
  [[], [coin('aoak')], 18],
  [[], [coin('zzz', '0')], 0],
  [[], [coin('zzz', '-1')], 13],
  [[], [coin('1!')], 18],
  [[], [coin('')], 18],
  [[coin('aaa', '0')], [], 0],
  [[coin('aaa')], [coin('zzz')], 0],
  [[], [coin('zzz'), coin('aaa')], 0],
  [[coin('zzz'), coin('bbb')], [], 18],
];

/** Transactions with these fees; one that is refused leaves its nonce to the next. */
export async function txsOfFees(): Promise<readonly { readonly tx: Uint8Array; readonly code: number }[]> {
  let nonce = 1;
  const txs: { readonly tx: Uint8Array; readonly code: number }[] = [];
  for (const [before, behind, code] of FEES) {
    const to = '0x00000000000000000000000000000000000000aa';
    const [bytes] = await callsOf([{ to, value: 1n, gas: 21_000n }], nonce);
    const raw = fromBinary(TxRawSchema, bytes ?? new Uint8Array(0));
    const authInfo = fromBinary(AuthInfoSchema, raw.authInfoBytes);
    const { amount = [], gasLimit = 0n } = authInfo.fee ?? {};
    const fee = { amount: [...before, ...amount, ...behind], gasLimit };
    const authInfoBytes = encode(AuthInfoSchema, { fee });
    txs.push({ tx: encode(TxRawSchema, { ...raw, authInfoBytes }), code });
    if (code === 0) nonce += 1;
  }
  return txs;
}

/** Transactions whose message names another sender, of many lengths; all are refused. */
export async function txsOfSenders(): Promise<readonly Uint8Array[]> {
  const to = '0x00000000000000000000000000000000000000aa';
  const [bytes] = await callsOf([{ to, value: 1n, gas: 21_000n }]);
  const raw = fromBinary(TxRawSchema, bytes ?? new Uint8Array(0));
  const body = fromBinary(TxBodySchema, raw.bodyBytes);
  return [0, 1, 19, 20, 21, 32, 300].map((length) => {
    const messages = body.messages.map((any) => {
      const message = { ...fromBinary(MsgEthereumTxSchema, any.value), from: new Uint8Array(length).fill(7) };
      return { ...any, value: toBinary(MsgEthereumTxSchema, message) };
    });
    const bodyBytes = toBinary(TxBodySchema, { ...body, messages });
    return encode(TxRawSchema, { ...raw, bodyBytes });
  });
}

/** Codes of their results. */
export const CODES_OF_SENDERS = [18, 24, 24, 24, 111222, 111222, 111222];
