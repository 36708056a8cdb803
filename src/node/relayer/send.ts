import { create, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { afterRise, highest, MIN_COSMOS_GAS_PRICE } from '../../core/ethereum/suggested-price.js';
import { signBytes, signBytesOf, signerInfoOf } from '../../core/keys/tx-signing.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { Query as Auth } from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import { Query as FeeMarket } from '../../core/proto/cosmos/evm/feemarket/v1/query_pb.js';
import { AuthInfoSchema, TxBodySchema, TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { asObject } from '../../core/text/json-object.js';
import { type Remote, RemoteFailed, TxFailed } from './remote.js';

/** Gas of a transaction, and of each of its messages: more than an ICS-20 packet needs. */
const GAS_OF_TX = 1_000_000n;
const GAS_OF_MESSAGE = 250_000n;
/** Gas of a transaction with a single message, which may call a contract. */
const GAS_ALONE = 10_000_000n;

/**
 * Sends messages from the relayer's account and waits until they are in a block. `isHurried`: mines that block.
 * Throws TxFailed if the chain rejects them or they fail, RemoteFailed if no block came in time.
 */
export async function send(remote: Remote, messages: readonly Any[], isHurried: boolean): Promise<void> {
  const { result, hash } = await broadcast(remote, messages);
  if (result['code'] !== 0) throw new TxFailed(`refused: ${String(result['log'])}`);
  for (let looks = 0; looks < FIXED_LIMITS.relayerPolls; looks += 1) {
    const held = await heldTx(remote, hash);
    if (held !== undefined) {
      if (held['code'] !== 0) throw new TxFailed(`failed: ${String(held['log'])}`);
      return;
    }
    if (!isHurried || !(await remote.mine())) await remote.pause(FIXED_LIMITS.relayerPauseMs);
  }
  throw new RemoteFailed('the transaction waits for a block');
}

async function broadcast(remote: Remote, messages: readonly Any[]) {
  const { account, chainId, denom } = remote.chain;
  const [{ info }, price] = await Promise.all([
    remote.query(Auth.method.accountInfo, { address: account.bech32 }),
    gasPrice(remote),
  ]);
  const context = { chainId, accountNumber: info?.accountNumber ?? 0n, sequence: info?.sequence ?? 0n };
  const gasLimit = messages.length > 2 ? GAS_OF_TX + GAS_OF_MESSAGE * BigInt(messages.length) : GAS_ALONE;
  const body = create(TxBodySchema, { messages: [...messages] });
  const authInfo = create(AuthInfoSchema, {
    signerInfos: [signerInfoOf({ kind: 'eth_secp256k1', key: account.publicKey }, 'direct', context.sequence)],
    fee: { amount: [{ denom, amount: (gasLimit * price).toString() }], gasLimit },
  });
  const unsigned = create(TxSchema, { body, authInfo });
  const signature = signBytes('eth_secp256k1', signBytesOf(unsigned, 'direct', context), account.privateKey);
  const tx = toBinary(TxSchema, create(TxSchema, { body, authInfo, signatures: [signature] }));
  const result = await remote.call('broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') });
  return { result, hash: String(result['hash']) };
}

/** A gas price above the minimum prices and above what the base fee can reach in the next blocks. */
async function gasPrice(remote: Remote): Promise<bigint> {
  const { params } = await remote.query(FeeMarket.method.params, {});
  const ofMarket = /^[0-9]+$/.test(params?.baseFee ?? '') ? BigInt(params?.baseFee ?? '') / 10n ** 18n : 0n;
  return highest(MIN_COSMOS_GAS_PRICE, remote.chain.minGasPrice, afterRise(afterRise(ofMarket)) + 1n);
}

/** The result of a transaction; undefined while no block includes it. */
async function heldTx(remote: Remote, hash: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const answer = await remote.call('tx', { hash: Buffer.from(hash, 'hex').toString('base64') });
    return asObject(answer['tx_result']);
  } catch (error) {
    if (error instanceof RemoteFailed) return undefined;
    throw error;
  }
}
