/** Gas by instruction, from struct logs (reth's `trace_*OpcodeGas`, `OpcodeGasInspector` of revm-inspectors). */

/** Options of the struct logs that `opcodeGas` needs. */
export const STEPS = JSON.stringify({ disableStack: true, disableStorage: true });

export interface OpcodeGas {
  readonly opcode: string;
  readonly count: number;
  readonly gasUsed: number;
}

interface Step {
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
}

/**
 * Counts the runs of each instruction and their costs, in the order of their first steps. Gas that a call or a
 * creation hands to a frame is not its own cost; where nothing ran in the frame, its cost is what was gone behind it,
 * with the gas of a precompiled contract.
 */
export function opcodeGas(json: string): readonly OpcodeGas[] {
  const { structLogs } = JSON.parse(json) as { readonly structLogs: readonly Step[] };
  const sums = new Map<string, { count: number; gasUsed: number }>();
  for (const [index, step] of structLogs.entries()) {
    const sum = sums.get(step.op) ?? { count: 0, gasUsed: 0 };
    sum.count += 1;
    sum.gasUsed += costOf(step, structLogs[index + 1]);
    sums.set(step.op, sum);
  }
  return [...sums].map(([opcode, sum]) => ({ opcode, ...sum }));
}

const MAKES_FRAME: ReadonlySet<string> = new Set([
  'CALL',
  'CALLCODE',
  'CREATE',
  'CREATE2',
  'DELEGATECALL',
  'STATICCALL',
]);

function costOf({ op, gas, gasCost, depth }: Step, next: Step | undefined): number {
  if (!MAKES_FRAME.has(op) || next === undefined || next.depth < depth) return gasCost;
  return Math.max(0, next.depth > depth ? gasCost - next.gas : gas - next.gas);
}
