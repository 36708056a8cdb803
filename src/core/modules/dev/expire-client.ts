import { create, toBinary } from '@bufbuild/protobuf';
import { type MsgExpireClient, Msg, MsgExpireClientSchema } from '../../proto/chronicle/dev/v1/tx_pb.js';
import { fromDuration, toTimestamp } from '../../comet/time.js';
import { invariant } from '../../errors.js';
import { toTimeNs } from '../../primitives.js';
import { message } from '../../sdk/module/module.js';
import { latestHeightOf, requireClientState, tendermintStatus } from '../ibc/client/clients.js';
import {
  getConsensusState,
  processedHeight,
  processedTime,
  setConsensusState,
} from '../ibc/client/tendermint-store.js';
import { clientErrors } from '../ibc/errors.js';
import { heightText } from '../ibc/keys.js';
import { selfHeight } from '../ibc/self-height.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { EXPIRE_CLIENT_URL } from './ante.js';
import { devTx } from './dev-tx.js';
import { requireEnabled } from './store.js';

/**
 * Makes a light client expire: sets the time of its latest header back by the trusting period, even if the other
 * chain's clock is ahead. A substitute client can recover it (ibc-go v10 `07-tendermint/proposal_handle.go`). Only
 * versions with IBC have this message.
 */
export const expireClient = message(Msg, 'expireClient', (context, { clientId }) => {
  requireEnabled(context);
  const state = requireClientState(context, clientId);
  const status = tendermintStatus(context, clientId);
  if (status !== 'Active') throw new SdkError(clientErrors.notActive, `client (${clientId}) status is ${status}`);
  const height = latestHeightOf(state);
  const known = getConsensusState(context, clientId, height);
  invariant(known !== undefined, 'an active client knows its latest height');
  const taken = processedHeight(context, clientId, height);
  setConsensusState(
    context,
    clientId,
    height,
    { ...known, timestamp: toTimestamp(toTimeNs(context.time - fromDuration(state.trustingPeriod))) },
    {
      time: processedTime(context, clientId, height) ?? context.time,
      height: heightText(taken ?? selfHeight(context)),
    },
  );
});

/** Encoded transaction that makes a client expire. */
export function expireClientTx(fields: Pick<MsgExpireClient, 'sequence' | 'clientId'>): Uint8Array {
  return devTx(EXPIRE_CLIENT_URL, toBinary(MsgExpireClientSchema, create(MsgExpireClientSchema, fields)));
}
