/** RLP of headers and blocks (yellow paper 4.4; EIPs 1559, 4399, 4788, 4844, 4895 and 7685). */
import { EMPTY } from '../bytes/bytes.js';
import type { Crypto } from '../ports/crypto.js';
import { fromHex } from '../bytes/hex.js';
import type { EthereumBlock, EthereumHeader, Withdrawal } from './block-view.js';
import { orderedTrieRoot } from './ordered-trie.js';
import { decodeRlp, encodeRlp, type RlpItem, rlpNumber } from './rlp.js';

/** Uncles hash of a block without uncles: keccak256 of the RLP of an empty list. */
export const NO_UNCLES = fromHex('1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347');
/** Withdrawals root of a block without withdrawals: the root of an empty trie. */
export const NO_WITHDRAWALS = fromHex('56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
/** Requests hash of a block without requests (EIP-7685): sha256 of no bytes. */
export const NO_REQUESTS = fromHex('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
const ZERO_WORD = new Uint8Array(32);

/** RLP of a header's fields, like go-ethereum v1.17 `types.Header` (`core/types/gen_header_rlp.go`). */
export function encodeHeader(header: EthereumHeader): Uint8Array {
  return encodeRlp(headerItems(header));
}

/** Block hash by Ethereum's rules: keccak256 of the encoded header. */
export function hashOfHeader(crypto: Pick<Crypto, 'keccak256'>, header: EthereumHeader): Uint8Array {
  return crypto.keccak256(encodeHeader(header));
}

/** RLP of a block: header, transactions, uncles (none) and withdrawals. */
export function encodeBlock(block: EthereumBlock): Uint8Array {
  return encodeRlp([
    headerItems(block),
    block.transactions.map(({ raw }) => transactionItem(raw)),
    [],
    (block.simulated?.withdrawals ?? []).map(withdrawalItems),
  ]);
}

/** Root of the trie over withdrawals (EIP-4895). */
export function withdrawalsRoot(crypto: Pick<Crypto, 'keccak256'>, withdrawals: readonly Withdrawal[]): Uint8Array {
  return withdrawals.length === 0
    ? NO_WITHDRAWALS
    : orderedTrieRoot(
        crypto,
        withdrawals.map((one) => encodeRlp(withdrawalItems(one))),
      );
}

function headerItems(block: EthereumHeader): readonly RlpItem[] {
  const { simulated } = block;
  return [
    block.parentHash,
    NO_UNCLES,
    block.miner,
    block.stateRoot,
    block.transactionsRoot,
    block.receiptsRoot,
    block.logsBloom,
    EMPTY,
    rlpNumber(block.height),
    rlpNumber(block.gasLimit),
    rlpNumber(block.gasUsed),
    rlpNumber(block.timestamp),
    block.extraData ?? EMPTY,
    block.mixHash,
    new Uint8Array(8),
    // Written even when it is not shown, because later fields follow by position.
    rlpNumber(block.baseFeePerGas ?? 0n),
    simulated?.withdrawalsRoot ?? NO_WITHDRAWALS,
    rlpNumber(simulated?.blobGasUsed ?? 0n),
    EMPTY,
    simulated?.beaconRoot ?? ZERO_WORD,
    NO_REQUESTS,
  ];
}

/** Legacy transactions appear in a block as a list, typed ones as a byte string (EIP-2718). */
function transactionItem(raw: Uint8Array): RlpItem {
  if ((raw[0] ?? 0) < 0xc0) return raw;
  const decoded = decodeRlp(raw);
  return decoded.ok ? decoded.item : raw;
}

function withdrawalItems({ index, validatorIndex, address, amount }: Withdrawal): readonly RlpItem[] {
  return [rlpNumber(index), rlpNumber(validatorIndex), address, rlpNumber(amount)];
}
