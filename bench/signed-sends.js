import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { DEV_MNEMONIC, devAccounts, sdkAny, signTx } from '../build/core/keys/index.js';
import { MsgSendSchema } from '../build/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { ACCOUNTS, CHAIN_ID, DENOM, PREFIX } from './node-options.js';

/** Twice the base fee of the first block: Cosmos transactions pay it as well. */
const GAS_PRICE = 2_000_000_000n;
const accounts = devAccounts({ mnemonic: DEV_MNEMONIC, count: ACCOUNTS, bech32Prefix: PREFIX });

/**
 * Signed MsgSend transactions of dev account `sender`, with sequences from `from` on, as JSON-RPC bodies of
 * broadcast_tx_sync. The genesis numbers its accounts in order.
 */
export function signedSends(sender, from, count) {
  const { privateKey, bech32 } = accounts[sender];
  const { bech32: toAddress } = accounts[(sender + 1) % ACCOUNTS];
  const message = create(MsgSendSchema, { fromAddress: bech32, toAddress, amount: [{ denom: DENOM, amount: '1' }] });
  return Array.from({ length: count }, (_, index) => {
    const tx = signTx(
      {
        messages: [sdkAny(anyPack(MsgSendSchema, message))],
        memo: '',
        fee: { amount: [{ denom: DENOM, amount: 100_000n * GAS_PRICE }], gasLimit: 100_000n },
        chainId: CHAIN_ID,
        accountNumber: BigInt(sender),
        sequence: BigInt(from + index),
      },
      privateKey,
    );
    return {
      hash: createHash('sha256').update(tx).digest(),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: Buffer.from(tx).toString('base64') } }),
    };
  });
}
