import { asObject } from '../../json-object.js';

/** What a call did inside: calls of other contracts, and creations with the addresses of the new contracts. */
export interface NestedFrames {
  readonly calls: number;
  /** 0x-prefixed hexadecimal. */
  readonly created: readonly string[];
}

const CREATIONS: ReadonlySet<unknown> = new Set(['CREATE', 'CREATE2']);

/** Counts the frames of the result of the `callTracer` but the outermost, which revert or not. */
export function nestedFrames(json: string): NestedFrames {
  const created: string[] = [];
  let calls = 0;
  const waiting = [...innerOf(JSON.parse(json))];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    const { type, to } = asObject(frame) ?? {};
    if (!CREATIONS.has(type)) calls += type === 'SELFDESTRUCT' ? 0 : 1;
    else if (typeof to === 'string') created.push(to);
    waiting.push(...innerOf(frame));
  }
  return { calls, created };
}

function innerOf(frame: unknown): readonly unknown[] {
  const inner = asObject(frame)?.['calls'];
  return Array.isArray(inner) ? inner : [];
}
