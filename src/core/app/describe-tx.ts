import { feeCapOf, tipCapOf } from '../ethereum/transaction-sender.js';
import { contentOf } from '../ethereum/content.js';
import { upperHex, hex } from '../bytes/hex.js';
import type { PoolTransaction } from '../mempool/pool-transaction.js';
import type { Crypto } from '../ports/crypto.js';
import { MAX_UINT256, parseAmount } from '../sdk/coins.js';
import { hasTooManyParts } from '../sdk/message-parts.js';
import type { MessageRouter } from '../sdk/message-router.js';
import { SdkError } from '../sdk/sdk-error.js';
import { readTx } from '../sdk/tx.js';

/** Facts that order a transaction in the mempool, from its bytes; undefined for bytes that CheckTx will refuse. */
export function describeTx(
  tx: Uint8Array,
  router: MessageRouter,
  chain: { readonly bech32Prefix: string; readonly baseDenom: string },
  crypto: Pick<Crypto, 'keccak256'>,
): Omit<PoolTransaction, 'hash'> | undefined {
  if (hasTooManyParts(tx)) return undefined;
  const content = contentOf(crypto, tx);
  if (content !== undefined) {
    const { from, hash, transaction } = content;
    return {
      tx,
      kind: 'ethereum',
      alias: upperHex(hash),
      accounts: [{ address: hex(from), nonce: transaction.nonce }],
      gasWanted: transaction.gasLimit,
      feeCap: feeCapOf(transaction),
      tipCap: tipCapOf(transaction),
    };
  }
  try {
    const read = readTx(tx, router, chain.bech32Prefix);
    const { signers, authInfo } = read;
    const gasWanted = authInfo.fee?.gasLimit ?? 0n;
    const paid = parseAmount(authInfo.fee?.amount.find(({ denom }) => denom === chain.baseDenom)?.amount ?? '0') ?? 0n;
    // a free transaction waits for no base fee
    const price = router.kindOf(read)?.isFree === true ? MAX_UINT256 : gasWanted === 0n ? 0n : paid / gasWanted;
    return {
      tx,
      kind: 'cosmos',
      accounts: signers.map((signer, index) => ({
        address: hex(signer),
        nonce: authInfo.signerInfos[index]?.sequence ?? 0n,
      })),
      gasWanted,
      feeCap: price,
      tipCap: price,
    };
  } catch (error) {
    if (error instanceof SdkError) return undefined;
    throw error;
  }
}
