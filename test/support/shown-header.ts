import { keccak256, toRlp, type Hex } from 'viem';

/** Members of a block in the order in which go-ethereum v1.17 encodes them (`core/types/block.go` Header). */
const MEMBERS = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
] as const;
/** Numbers, which stand in RLP without leading zeros. */
const QUANTITIES: ReadonlySet<string> = new Set([
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'baseFeePerGas',
  'blobGasUsed',
  'excessBlobGas',
]);

/** The hash that a Go client computes of a block or header as `eth_getBlockBy*` shows it. */
export function hashOfShown(block: unknown): Hex {
  const shown: ReadonlyMap<string, unknown> = new Map(Object.entries(block ?? {}));
  return keccak256(toRlp(MEMBERS.map((name) => encodable(name, shown.get(name) ?? '0x0'))));
}

function encodable(name: string, value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/.test(value)) throw new Error(`${name} is ${String(value)}`);
  if (!QUANTITIES.has(name)) return `0x${value.slice(2)}`;
  const digits = BigInt(value) === 0n ? '' : value.slice(2);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}
