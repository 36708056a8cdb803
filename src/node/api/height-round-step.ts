import type { RoundState } from '../../core/consensus/round-state.js';
import { STEP_RANK } from '../../core/consensus/round-step.js';
import { toHeight, type Height } from '../../core/primitives.js';

/**
 * Consensus height, round and step as clients see them: the height is the published head plus one. Until the
 * validator enters that height, the step is NewHeight of round 0.
 */
export function heightRoundStep(
  state: (Pick<RoundState, 'round' | 'step'> & { readonly context: { readonly height: Height } }) | undefined,
  head: Height,
): { readonly height: Height; readonly round: number; readonly step: number } {
  const height = toHeight(head + 1n);
  const entered = state?.context.height === height ? state : undefined;
  return { height, round: entered?.round ?? 0, step: STEP_RANK[entered?.step ?? 'NewHeight'] };
}
