/**
 * `vmTrace` in OpenEthereum's format (https://openethereum.github.io/JSONRPC-trace-module, `vmTrace`), made of the
 * engine's struct logs.
 */

/** Struct log options that `vmTrace` needs: stack and memory before each instruction. */
export const MACHINE_STATES = JSON.stringify({ enableMemory: true, disableStorage: true });

interface StructLog {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly error?: string;
  readonly stack: readonly string[];
  readonly memory?: readonly string[];
}

interface Executed {
  /** Words that the instruction pushed, topmost last. */
  readonly push: readonly string[];
  /** Memory that it wrote, with offset. */
  readonly mem: { readonly off: number; readonly data: string } | null;
  readonly store: { readonly key: string; readonly val: string } | null;
  /** Remaining gas after the instruction, including a call that it made. */
  readonly used: number;
}

interface Operation {
  readonly pc: number;
  readonly cost: number;
  readonly op: string;
  /** Null if the instruction failed. */
  ex: Executed | null;
  /** Trace of the called code; null if it called none. */
  sub: VmTrace | null;
}

export interface VmTrace {
  readonly code: string;
  readonly ops: Operation[];
}

/** Returns the code of an address (lower-case hex with 0x); `0x` if it has none. */
export type CodeOf = (address: string) => string;

/** The current instruction of a frame. */
interface Running {
  readonly operation: Operation;
  readonly log: StructLog;
}

interface Frame {
  readonly trace: VmTrace;
  running: Running | undefined;
  /** Return data of the frame. */
  returned: string;
}

/** Builds a vmTrace. `json`: struct logs with the options `MACHINE_STATES`; `code`: of the first frame. */
export function vmTrace(json: string, code: string, codeOf: CodeOf): VmTrace {
  const { structLogs } = JSON.parse(json) as { readonly structLogs: readonly StructLog[] };
  const root: Frame = { trace: { code, ops: [] }, running: undefined, returned: '' };
  const frames = [root];
  /** Code of contracts created in this execution. */
  const created = new Map<string, string>();
  const outermost = structLogs[0]?.depth ?? 1;
  const leave = (next: StructLog | undefined): void => {
    const left = frames.pop();
    const caller = frames.at(-1)?.running?.log.op;
    if (left === undefined) return;
    end(left, undefined);
    if (caller?.startsWith('CREATE') === true && next !== undefined)
      created.set(addressOf(next.stack.at(-1)), `0x${left.returned}`);
  };
  for (const log of structLogs) {
    while (frames.length > log.depth - outermost + 1) leave(log);
    let frame = frames.at(-1) ?? root;
    if (frames.length < log.depth - outermost + 1) {
      const trace = { code: calledCode(frame.running, (address) => created.get(address) ?? codeOf(address)), ops: [] };
      if (frame.running !== undefined) frame.running.operation.sub = trace;
      frame = { trace, running: undefined, returned: '' };
      frames.push(frame);
    }
    end(frame, log);
    const operation: Operation = { pc: log.pc, cost: log.gasCost, op: log.op, ex: null, sub: null };
    frame.trace.ops.push(operation);
    frame.running = { operation, log };
  }
  while (frames.length > 0) leave(undefined);
  return root.trace;
}

/** Completes the current instruction of a frame; `next`: the next one in the same frame. */
function end(frame: Frame, next: StructLog | undefined): void {
  const { running } = frame;
  frame.running = undefined;
  if (running === undefined || running.log.error !== undefined) return;
  const { log, operation } = running;
  const [first = '0x0', second = '0x0'] = log.stack.toReversed();
  if (next === undefined) {
    if (log.op === 'RETURN') frame.returned = bytesAt(log.memory, Number(first), Number(second));
    operation.ex = { push: [], mem: null, store: null, used: Math.max(0, log.gas - log.gasCost) };
    return;
  }
  const range = writtenRange(log);
  operation.ex = {
    push: next.stack.slice(next.stack.length - pushedWords(log.op)),
    mem: range === undefined ? null : { off: range.at, data: `0x${bytesAt(next.memory, range.at, range.length)}` },
    store: log.op === 'SSTORE' ? { key: first, val: second } : null,
    used: next.gas,
  };
}

/** The code that an instruction runs: of the called address, or the init code of a creation. */
function calledCode(caller: Running | undefined, codeOf: CodeOf): string {
  if (caller === undefined) return '0x';
  const { op, stack, memory } = caller.log;
  const [, second, third] = stack.toReversed();
  if (op.startsWith('CREATE')) return `0x${bytesAt(memory, Number(second), Number(third))}`;
  return codeOf(addressOf(second));
}

function addressOf(word = '0x0'): string {
  return `0x${word.slice(2).padStart(40, '0').slice(-40)}`;
}

/** Hex digits of a memory range; memory beyond its end is zero. */
function bytesAt(words: readonly string[] = [], at: number, length: number): string {
  if (length === 0) return '';
  const first = Math.floor(at / WORD);
  const part = words
    .slice(first, Math.ceil((at + length) / WORD))
    .map((word) => word.replace('0x', '').padStart(64, '0'));
  const start = (at - first * WORD) * 2;
  return part
    .join('')
    .padEnd(start + length * 2, '0')
    .slice(start, start + length * 2);
}

const WORD = 32;

/**
 * For each instruction that writes memory: stack index (from the top) of the offset, and of the length or the fixed
 * length.
 */
const WRITES: Readonly<Record<string, readonly [place: number, length: { readonly at: number } | number]>> = {
  MLOAD: [0, 32],
  MSTORE: [0, 32],
  MSTORE8: [0, 1],
  CALLDATACOPY: [0, { at: 2 }],
  CODECOPY: [0, { at: 2 }],
  RETURNDATACOPY: [0, { at: 2 }],
  MCOPY: [0, { at: 2 }],
  EXTCODECOPY: [1, { at: 3 }],
  CALL: [5, { at: 6 }],
  CALLCODE: [5, { at: 6 }],
  DELEGATECALL: [4, { at: 5 }],
  STATICCALL: [4, { at: 5 }],
};

function writtenRange({ op, stack }: StructLog): { readonly at: number; readonly length: number } | undefined {
  const writes = WRITES[op];
  if (writes === undefined) return undefined;
  const [place, size] = writes;
  const word = (from: number): number => Number(stack.at(-1 - from) ?? 0);
  const length = typeof size === 'number' ? size : word(size.at);
  return length === 0 ? undefined : { at: word(place), length };
}

/** Instructions that push nothing. */
const SILENT = new Set(
  (
    'STOP CALLDATACOPY CODECOPY EXTCODECOPY RETURNDATACOPY MCOPY POP MSTORE MSTORE8 SSTORE TSTORE JUMP JUMPI JUMPDEST ' +
    'LOG0 LOG1 LOG2 LOG3 LOG4 RETURN REVERT INVALID SELFDESTRUCT'
  ).split(' '),
);

/**
 * Number of stack words reported as pushed (for DUP and SWAP, OpenEthereum reports all words down to the touched
 * one).
 */
function pushedWords(op: string): number {
  const reach = /^(?:DUP|SWAP)(\d+)$/u.exec(op)?.[1];
  if (reach !== undefined) return Number(reach) + 1;
  return SILENT.has(op) ? 0 : 1;
}
