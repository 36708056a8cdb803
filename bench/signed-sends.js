import { createHash } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { devAccounts } from './accounts.js';
import { signBytes, signBytesOf, signerInfoOf } from '../build/core/keys/tx-signing.js';
import { MsgSendSchema } from '../build/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { TxSchema } from '../build/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { ACCOUNTS, CHAIN_ID, DENOM, PREFIX } from './node-options.js';

/** Twice the base fee of the first block, which Cosmos transactions pay, too. */
const GAS_PRICE = 2_000_000_000n;
const accounts = devAccounts(ACCOUNTS, PREFIX);

/**
 * Signed MsgSend transactions of dev account `sender`, with sequences from `from` on, as JSON-RPC bodies of
 * broadcast_tx_sync. Account numbers follow the order of the genesis.
 */
export function signedSends(sender, from, count) {
  const { privateKey, bech32 } = accounts[sender];
  const { bech32: toAddress } = accounts[(sender + 1) % ACCOUNTS];
  const key = { kind: 'eth_secp256k1', key: secp256k1.getPublicKey(privateKey, true) };
  const message = create(MsgSendSchema, { fromAddress: bech32, toAddress, amount: [{ denom: DENOM, amount: '1' }] });
  const body = { messages: [{ typeUrl: `/${MsgSendSchema.typeName}`, value: toBinary(MsgSendSchema, message) }] };
  const fee = { amount: [{ denom: DENOM, amount: String(100_000n * GAS_PRICE) }], gasLimit: 100_000n };
  return Array.from({ length: count }, (_, index) => {
    const sequence = BigInt(from + index);
    const unsigned = create(TxSchema, {
      body,
      authInfo: { signerInfos: [signerInfoOf(key, 'direct', sequence)], fee },
    });
    const bytes = signBytesOf(unsigned, 'direct', { chainId: CHAIN_ID, accountNumber: BigInt(sender), sequence });
    const tx = toBinary(
      TxSchema,
      create(TxSchema, { ...unsigned, signatures: [signBytes(key.kind, bytes, privateKey)] }),
    );
    return {
      hash: createHash('sha256').update(tx).digest(),
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'broadcast_tx_sync',
        params: { tx: Buffer.from(tx).toString('base64') },
      }),
    };
  });
}
