/** Messages of slashing (cosmos-sdk v0.53 `x/slashing/keeper/msg_server.go`, `unjail.go`). */
import { create } from '@bufbuild/protobuf';
import { ParamsSchema } from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import * as pb from '../../proto/cosmos/slashing/v1beta1/tx_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { truncateDec } from '../../sdk/coins/dec.js';
import { message } from '../../sdk/module/module.js';
import { type RegisteredError, SdkError } from '../../sdk/module/sdk-error.js';
import { requireUpdate } from '../authority.js';
import { requireOperator, signerOfOperator } from '../staking/addresses.js';
import { unjail as freeValidator } from '../staking/jail.js';
import { requireDelegation } from '../staking/delegations.js';
import { tokensFromShares } from '../staking/shares.js';
import { consensusAddressOf } from '../staking/validator.js';
import { requireValidator } from '../staking/validators.js';
import { paramsOfMessage, paramsProblem, setParams } from './params.js';
import { getSigningInfo } from './signing-info.js';

/** Registered errors of codespace `slashing` (cosmos-sdk v0.53 `x/slashing/types/errors.go`). */
const slashing = (code: number, text: string): RegisteredError => ({ codespace: 'slashing', code, text });

const slashingErrors = {
  jailed: slashing(4, 'validator still jailed; cannot be unjailed'),
  notJailed: slashing(5, 'validator not jailed; cannot be unjailed'),
  selfDelegationTooLow: slashing(7, "validator's self delegation less than minimum; cannot be unjailed"),
} as const satisfies Record<string, RegisteredError>;

const unjail = message(pb.Msg, 'unjail', {
  signers: ({ validatorAddr }, prefix) => [signerOfOperator(validatorAddr, prefix)],
  handle(context, { validatorAddr }) {
    freeOperator(context, requireOperator(context, validatorAddr, 'validator input address'));
  },
});

function freeOperator(context: Context, operator: Uint8Array): void {
  const validator = requireValidator(context, operator);
  const { shares } = requireDelegation(context, operator, operator);
  const own = truncateDec(tokensFromShares(validator, shares));
  if (own < validator.minSelfDelegation)
    throw new SdkError(slashingErrors.selfDelegationTooLow, `${own} less than ${validator.minSelfDelegation}`);
  if (!validator.jailed) throw new SdkError(slashingErrors.notJailed);
  const consensus = consensusAddressOf(context.crypto, validator);
  // Without signing info the validator was never bonded, so it is jailed only for its self-delegation.
  const info = getSigningInfo(context, consensus);
  if (info !== undefined && (info.tombstoned || context.time < info.jailedUntil))
    throw new SdkError(slashingErrors.jailed);
  freeValidator(context, consensus);
}

const updateParams = message(pb.Msg, 'updateParams', (context, { authority, params = create(ParamsSchema) }) => {
  requireUpdate(context, authority, paramsProblem(params));
  setParams(context, paramsOfMessage(params));
});

export const messages = [unjail, updateParams];
