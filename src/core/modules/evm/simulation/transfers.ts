/** Logs and native coin transfers of an execution, from the JSON of the engine's `callTracer`. */
import { fromHex } from '../../../bytes/hex.js';
import { wordOf } from '../../../bytes/big-endian.js';
import type { EvmLog } from '../../../evm/outcome.js';

/** Tracer options for the frames that `logsOf` reads. */
export const FRAMES_WITH_LOGS = '{"tracer":"callTracer","tracerConfig":{"withLog":true}}';

/** ERC-7528 address that stands for the native coin. */
const BASE_COIN = new Uint8Array(20).fill(0xee);
/** Topic of `Transfer(address,address,uint256)`. */
const TRANSFER = fromHex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');
/** Call types whose value is not transferred. */
const WITHOUT_TRANSFER: ReadonlySet<string> = new Set(['DELEGATECALL', 'CALLCODE', 'STATICCALL']);

interface Frame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly error?: string;
  readonly calls?: readonly Frame[];
  readonly logs?: readonly FrameLog[];
}

interface FrameLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Number of inner calls before this log. */
  readonly position?: string | number;
}

/** Logs in order of occurrence; reverted frames have none. */
export function logsOf(json: string): readonly EvmLog[] {
  const logs: EvmLog[] = [];
  collect(JSON.parse(json) as Frame, logs);
  return logs;
}

function collect(frame: Frame, into: EvmLog[]): void {
  const { type, from, to, value = '0x0', error, calls = [], logs = [] } = frame;
  if (error !== undefined) return;
  if (to !== undefined && BigInt(value) > 0n && !WITHOUT_TRANSFER.has(type))
    into.push({
      address: BASE_COIN,
      topics: [TRANSFER, addressWord(from), addressWord(to)],
      data: wordOf(BigInt(value)),
    });
  const isEnd = ({ type: kind }: Frame): boolean => kind === 'SELFDESTRUCT';
  let next = 0;
  const logsBefore = (position: number): void => {
    for (let log = logs[next]; log !== undefined && Number(log.position ?? 0) <= position; log = logs[next]) {
      into.push({ address: bytesOf(log.address), topics: log.topics.map(bytesOf), data: bytesOf(log.data) });
      next += 1;
    }
  };
  for (const [position, call] of calls.filter((call) => !isEnd(call)).entries()) {
    logsBefore(position);
    collect(call, into);
  }
  logsBefore(Number.POSITIVE_INFINITY);
  for (const end of calls.filter(isEnd)) collect(end, into);
}

function addressWord(address: string): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytesOf(address), 12);
  return word;
}

function bytesOf(data: string): Uint8Array {
  return fromHex(data.slice(2));
}
