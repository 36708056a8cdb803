import type { RoundState } from '../../core/consensus/round-state.js';
import { STEP_RANK } from '../../core/consensus/round-step.js';
import { toHeight, type Height } from '../../core/primitives.js';

/**
 * Where consensus stands as clients see it: the height after the published head, with the round and step (its number) of
 * the validator that is in it. Before it has entered that height, the height waits to begin (NewHeight of round 0).
 */
export function roundPlace(
  state: (Pick<RoundState, 'round' | 'step'> & { readonly context: { readonly height: Height } }) | undefined,
  head: Height,
): { readonly height: Height; readonly round: number; readonly step: number } {
  const height = toHeight(head + 1n);
  const entered = state?.context.height === height ? state : undefined;
  return { height, round: entered?.round ?? 0, step: STEP_RANK[entered?.step ?? 'NewHeight'] };
}
