/** Call frames in the forms of Otterscan (https://docs.otterscan.io/api-docs/ots-api), from the engine's callTracer. */

/** A frame of callTracer. */
export interface CallFrame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly input?: string;
  readonly output?: string;
  readonly error?: string;
  readonly calls?: readonly CallFrame[];
}

export const CALL_FRAMES = JSON.stringify({ tracer: 'callTracer', tracerConfig: {} });

/** Calls of a transaction from the outside to the inside, with their depths. */
export function entriesOf(json: string): readonly Readonly<Record<string, unknown>>[] {
  return flat(JSON.parse(json) as CallFrame).map(({ frame, depth }) => ({
    type: frame.type,
    depth,
    from: frame.from,
    to: frame.to ?? null,
    value: frame.type === 'STATICCALL' || frame.type === 'DELEGATECALL' ? null : (frame.value ?? '0x0'),
    input: frame.input ?? '0x',
    output: frame.output ?? '0x',
  }));
}

/** Kinds of internal operations by the type of their frame. */
const OPERATIONS: Readonly<Record<string, number>> = { CALL: 0, SELFDESTRUCT: 1, CREATE: 2, CREATE2: 3 };

/** Transfers, ends and creations of contracts inside of a transaction; nothing of what was reverted. */
export function operationsOf(json: string): readonly Readonly<Record<string, unknown>>[] {
  return flat(JSON.parse(json) as CallFrame, true).flatMap(({ frame, depth }) => {
    const type = OPERATIONS[frame.type];
    const value = frame.value ?? '0x0';
    if (depth === 0 || type === undefined || (type === 0 && BigInt(value) === 0n)) return [];
    return [{ type, from: frame.from, to: frame.to ?? null, value }];
  });
}

/** The frame that created the contract at this address (hex with 0x); undefined when there is none. */
export function creationIn(json: string, address: string): CallFrame | undefined {
  return flat(JSON.parse(json) as CallFrame, true).find(
    ({ frame }) => frame.type.startsWith('CREATE') && frame.to?.toLowerCase() === address,
  )?.frame;
}

interface Placed {
  readonly frame: CallFrame;
  readonly depth: number;
}

function flat(frame: CallFrame, onlyKept = false, depth = 0): readonly Placed[] {
  if (onlyKept && frame.error !== undefined) return [];
  return [{ frame, depth }, ...(frame.calls ?? []).flatMap((call) => flat(call, onlyKept, depth + 1))];
}
