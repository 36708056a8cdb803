/** Routes about the round under way, and evidence (cometbft-rpc.md 2.7). */
import { validatorToJson } from '../../../core/comet/json/validator-json.js';
import { toHex } from '../../../core/comet/text.js';
import { formatTime } from '../../../core/comet/time.js';
import { totalPower } from '../../../core/comet/validator-set.js';
import { toHeight } from '../../../core/primitives.js';
import type { ValidatorSet } from '../../../core/proto/tendermint/types/validator_pb.js';
import { failed, result } from '../answers.js';
import { internalError } from '../errors.js';
import { type Method, type MethodContext, method } from '../method.js';
import { rawJson } from '../params.js';

/** Votes are counted in the committed block only: the round under way shows its validators and none of their votes. */
function voteSet(round: number, validators: ValidatorSet | undefined): unknown {
  const count = validators?.validators.length ?? 0;
  const bits = `BA{${count}:${'_'.repeat(count)}} 0/${totalPower(validators?.validators ?? [])} = 0.00`;
  const none = Array.from({ length: count }, () => 'nil-Vote');
  return { round, prevotes: none, prevotes_bit_array: bits, precommits: none, precommits_bit_array: bits };
}

function roundOf({ api }: MethodContext): { readonly height: bigint; readonly round: number; readonly step: number; readonly time: string; readonly validators: ValidatorSet | undefined } {
  const state = api.queries.roundState();
  return { ...state, time: formatTime(api.queries.chain.head().time), validators: api.queries.chain.validators(state.height) };
}

function setJson(set: ValidatorSet | undefined): unknown {
  return { validators: (set?.validators ?? []).map(validatorToJson), proposer: set?.proposer === undefined ? null : validatorToJson(set.proposer) };
}

export const consensusMethods: readonly Method[] = [
  method('consensus_state', {}, 'never', (_values, context) => {
    const { height, round, step, time, validators } = roundOf(context);
    const proposer = validators?.proposer;
    return result({
      round_state: {
        'height/round/step': `${height}/${round}/${step}`,
        start_time: time,
        proposal_block_hash: '',
        locked_block_hash: '',
        valid_block_hash: '',
        height_vote_set: [voteSet(round, validators)],
        proposer: {
          address: proposer === undefined ? '' : toHex(proposer.address),
          index: validators?.validators.findIndex((validator) => proposer !== undefined && toHex(validator.address) === toHex(proposer.address)) ?? -1,
        },
      },
    });
  }),
  method('dump_consensus_state', {}, 'never', (_values, context) => {
    const { height, round, step, time, validators } = roundOf(context);
    const last = height > 1n ? context.api.queries.chain.validators(toHeight(height - 1n)) : undefined;
    return result({
      round_state: {
        height: String(height),
        round,
        step,
        start_time: time,
        commit_time: time,
        validators: setJson(validators),
        proposal: null,
        proposal_block: null,
        proposal_block_parts: null,
        locked_round: -1,
        locked_block: null,
        locked_block_parts: null,
        valid_round: -1,
        valid_block: null,
        valid_block_parts: null,
        votes: [voteSet(round, validators)],
        commit_round: -1,
        last_commit: null,
        last_validators: setJson(last),
        triggered_timeout_precommit: false,
      },
      peers: [],
    });
  }),
  // evidence about validators of a network: one process signs for all of its own, so none is accepted
  method('broadcast_evidence', { evidence: rawJson }, 'never', ({ evidence }) =>
    failed(internalError(evidence === undefined ? 'no evidence was provided' : 'failed to add evidence: this node does not accept evidence')),
  ),
];
