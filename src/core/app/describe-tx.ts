import { MAX_UINT256 } from '../bigint.js';
import { feeCapOf, tipCapOf } from '../ethereum/transaction-sender.js';
import { contentOf, isContentKnown } from '../ethereum/content.js';
import { upperHex, hex } from '../bytes/hex.js';
import type { PoolTransaction } from '../mempool/pool-transaction.js';
import type { Crypto } from '../ports/crypto.js';
import { parseAmount } from '../sdk/coins/coins.js';
import { exceededTxLimit } from '../sdk/codec/message-parts.js';
import type { MessageRouter } from '../sdk/module/message-router.js';
import { SdkError } from '../sdk/module/sdk-error.js';
import { readTx } from '../sdk/module/tx.js';

type Described = Omit<PoolTransaction, 'hash'>;

interface Chain {
  readonly bech32Prefix: string;
  readonly baseDenom: string;
  readonly weiPerCoin?: bigint;
}

/**
 * Creates a function that returns the facts that order a transaction in the mempool; undefined for bytes that CheckTx
 * will reject. Cached by array, which is the same from admission to block, so each transaction is described once,
 * even when the mempool restarts.
 */
export function createDescriber(
  router: MessageRouter,
  chain: Chain,
  crypto: Pick<Crypto, 'keccak256'>,
): (tx: Uint8Array) => Described | undefined {
  const known = new WeakMap<Uint8Array, Described>();
  return (tx) => {
    const before = known.get(tx);
    if (before !== undefined) return before;
    // A decoded Ethereum transaction has few parts: its raw bytes are one.
    if (!isContentKnown(tx) && exceededTxLimit(tx) !== undefined) return undefined;
    const described = describeEthereum(tx, crypto) ?? describeCosmos(tx, router, chain);
    if (described !== undefined) known.set(tx, described);
    return described;
  };
}

function describeEthereum(tx: Uint8Array, crypto: Pick<Crypto, 'keccak256'>): Described | undefined {
  const content = contentOf(crypto, tx);
  if (content === undefined) return undefined;
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

/** Facts of a Cosmos transaction; undefined for bytes that are not a transaction of this application. */
function describeCosmos(tx: Uint8Array, router: MessageRouter, chain: Chain): Described | undefined {
  try {
    const read = readTx(tx, router, chain.bech32Prefix);
    if (read.signersFault !== undefined) return undefined;
    const { signers, authInfo, body } = read;
    const gasWanted = authInfo.fee?.gasLimit ?? 0n;
    const paid = parseAmount(authInfo.fee?.amount.find(({ denom }) => denom === chain.baseDenom)?.amount ?? '0') ?? 0n;
    // A free transaction does not wait for a base fee.
    const inWei = paid * (chain.weiPerCoin ?? 1n);
    const price = router.kindOf(read)?.isFree === true ? MAX_UINT256 : gasWanted === 0n ? 0n : inWei / gasWanted;
    return {
      tx,
      kind: 'cosmos',
      // An unordered transaction does not wait for other ones.
      accounts: (body.unordered ? [] : signers).map((signer, index) => ({
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
