/** Finds an account's Ethereum transaction by nonce, using the consensus transaction search. */
import { base64 } from '@scure/base';
import { fromBinary } from '@bufbuild/protobuf';
import { decodeTransaction as decodeEthereum } from '../../core/ethereum/transaction-codec.js';
import { MsgEthereumTxSchema } from '../../core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { listOf } from './query-chain.js';
import { asObject, type JsonObject, type RpcClient, textOf } from '../client/rpc-client.js';
import { decodeTransaction } from '../values/tx-json.js';

const ACTION = `/${MsgEthereumTxSchema.typeName}`;

/**
 * The transaction in `tx_search` form; undefined if the account (bech32) has none with this nonce. Binary search,
 * because an account's transactions are ordered by nonce.
 */
export async function ethereumByNonce(rpc: RpcClient, address: string, nonce: bigint): Promise<JsonObject | undefined> {
  const query = `message.action='${ACTION}' AND message.sender='${address}'`;
  const at = async (page: bigint) => {
    const found = await rpc.call('tx_search', {
      query,
      prove: false,
      page: page.toString(),
      per_page: '1',
      order_by: 'asc',
    });
    const [one] = listOf(found, 'txs');
    return { found: one === undefined ? undefined : asObject(one), total: BigInt(textOf(found, 'total_count') || '0') };
  };
  let low = 1n;
  let high: bigint | undefined;
  while (high === undefined || low <= high) {
    const page: bigint = high === undefined ? low : (low + high) / 2n;
    const { found, total } = await at(page);
    high ??= total;
    if (found === undefined) return undefined;
    const there = nonceOf(textOf(found, 'tx'));
    if (there === nonce) return found;
    if (there === undefined || there < nonce) low = page + 1n;
    else high = page - 1n;
  }
  return undefined;
}

/** The nonce of the Ethereum transaction in an encoded consensus transaction. */
function nonceOf(text: string): bigint | undefined {
  const [message] = decodeTransaction(base64.decode(text)).body?.messages ?? [];
  if (message?.typeUrl !== ACTION) return undefined;
  const decoded = decodeEthereum(fromBinary(MsgEthereumTxSchema, message.value).raw);
  return decoded.ok ? decoded.transaction.nonce : undefined;
}
