/** Recovers an expired or frozen client from a substitute (ibc-go v10 `07-tendermint/proposal_handle.go`). */
import { create, equals } from '@bufbuild/protobuf';
import { HeightSchema } from '../../../proto/ibc/core/client/v1/client_pb.js';
import { type ClientState, ClientStateSchema } from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors } from '../errors.js';
import { heightText } from '../keys.js';
import { heightOf } from '../self-height.js';
import {
  getConsensusState,
  processedHeight,
  processedTime,
  setClientState,
  setConsensusState,
} from './tendermint-store.js';

interface Named {
  readonly id: string;
  readonly state: ClientState;
}

/** Copies the latest consensus state of a substitute with the same parameters to a client; throws SdkError. */
export function recoverState(context: Context, subject: Named, substitute: Named): void {
  if (!equals(ClientStateSchema, comparable(subject.state), comparable(substitute.state)))
    throw new SdkError(clientErrors.invalidSubstitute, 'subject client state does not match substitute client state');
  const height = heightOf(substitute.state.latestHeight);
  const known = getConsensusState(context, substitute.id, height);
  if (known === undefined)
    throw new SdkError(
      clientErrors.noConsensusState,
      'unable to retrieve latest consensus state for substitute client',
    );
  const refuse = (what: string): SdkError =>
    new SdkError(clientErrors.updateFailed, `unable to retrieve processed ${what} for substitute client latest height`);
  const processedAt = processedHeight(context, substitute.id, height);
  if (processedAt === undefined) throw refuse('height');
  const time = processedTime(context, substitute.id, height);
  if (time === undefined) throw refuse('time');
  setConsensusState(context, subject.id, height, known, { time, height: heightText(processedAt) });
  const { chainId, trustingPeriod } = substitute.state;
  setClientState(context, subject.id, {
    ...subject.state,
    frozenHeight: create(HeightSchema),
    latestHeight: create(HeightSchema, height),
    chainId,
    ...(trustingPeriod && { trustingPeriod }),
  });
}

/** Client state without fields that may differ: heights, trusting period, chain id, and deprecated flags. */
function comparable(state: ClientState): ClientState {
  const { trustLevel, unbondingPeriod, maxClockDrift, proofSpecs, upgradePath } = state;
  return create(ClientStateSchema, {
    ...(trustLevel && { trustLevel }),
    ...(unbondingPeriod && { unbondingPeriod }),
    ...(maxClockDrift && { maxClockDrift }),
    proofSpecs,
    upgradePath,
  });
}
