/** Creates, updates, upgrades and recovers clients (ibc-go v10 `modules/core/02-client/keeper/client.go`). */
import { be64, readBe64 } from '../../../bytes/big-endian.js';
import type { ClientState, ConsensusState } from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context } from '../../../sdk/module/context.js';
import { isReturned, wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import {
  latestHeight,
  latestHeightOf,
  requireActive,
  requireClientState,
  requireStatus,
  routeOf,
  statusIn,
  tendermintStatus,
} from './clients.js';
import { clientErrors } from '../errors.js';
import { clientTypeOf } from '../identifiers.js';
import { heightText } from '../keys.js';
import { compareHeights, heightOf } from '../self-height.js';
import { LOCALHOST_CLIENT, NEXT_CLIENT, STORE } from '../store.js';
import { TENDERMINT } from './tendermint.js';
import type { ClientMessage } from './tendermint-header.js';
import { recoverState } from './tendermint-recovery.js';
import { getClientState, processedNow, setClientState, setConsensusState } from './tendermint-store.js';
import { freeze, isMisbehaviour, updateState, verifyClientMessage } from './tendermint-update.js';
import { type Upgrade, upgradeState } from './tendermint-upgrade.js';

function moduleEvent(context: Context): void {
  emit(context, 'message', () => [['module', 'ibc_client']]);
}

/** Creates a client from its first states; returns its id. */
export function createClient(context: Context, state: ClientState, consensus: ConsensusState): string {
  const { store } = context;
  const sequence = readBe64(store.get(STORE, NEXT_CLIENT) ?? be64(0n));
  const id = `${TENDERMINT}-${sequence}`;
  store.set(STORE, NEXT_CLIENT, be64(sequence + 1n));
  routeOf(context, id);
  const height = latestHeightOf(state);
  setClientState(context, id, state);
  setConsensusState(context, id, height, consensus, processedNow(context));
  const status = tendermintStatus(context, id);
  if (status !== 'Active')
    throw new SdkError(clientErrors.notActive, `cannot create client (${id}) with status ${status}`);
  // The peer reads its latest height again.
  getClientState(context, id);
  emit(context, 'create_client', () => [
    ['client_id', id],
    ['client_type', TENDERMINT],
    ['consensus_height', heightText(height)],
  ]);
  moduleEvent(context);
  return id;
}

/** Updates a client with a header, or freezes it for misbehaviour. */
export function updateClient(context: Context, id: string, message: ClientMessage): void {
  const type = routeOf(context, id);
  requireStatus(context, type, id, (status) => `cannot update client (${id}) with status ${status}`);
  if (type === LOCALHOST_CLIENT)
    throw new SdkError(clientErrors.updateFailed, 'client message verification is unsupported by the localhost client');
  verifyClientMessage(context, id, requireClientState(context, id), message);
  // Each step of the peer reads the client state again.
  getClientState(context, id);
  if (isMisbehaviour(context, id, message)) {
    freeze(context, id, requireClientState(context, id));
    emit(context, 'client_misbehaviour', () => [
      ['client_id', id],
      ['client_type', type],
    ]);
    moduleEvent(context);
    return;
  }
  const heights = updateState(context, id, requireClientState(context, id), message).map(heightText);
  emit(context, 'update_client', () => [
    ['client_id', id],
    ['client_type', type],
    ['consensus_height', heights[0] ?? ''],
    ['consensus_heights', heights.join(',')],
  ]);
  moduleEvent(context);
}

/**
 * Checks an update in CheckTx: status, header (unless it was verified before), and resulting states (ibc-go v10
 * `updateClientCheckTx` in `modules/core/ante/ante.go`).
 */
export function checkUpdate(context: Context, id: string, message: ClientMessage, isChecked: boolean): void {
  requireActive(context, id, (status) => `cannot update client (${id}) with status ${status}`);
  if (routeOf(context, id) === LOCALHOST_CLIENT) return;
  if (!isChecked) verifyClientMessage(context, id, requireClientState(context, id), message);
  updateState(context, id, requireClientState(context, id), message);
}

/** Upgrades a client to the states that its old chain committed to. */
export function upgradeClient(context: Context, id: string, upgrade: Upgrade): void {
  const type = routeOf(context, id);
  requireStatus(context, type, id, (status) => `cannot upgrade client (${id}) with status ${status}`);
  wrapping(`cannot upgrade client with ID ${id}`, () => {
    if (type === LOCALHOST_CLIENT) throw new SdkError(clientErrors.invalidUpgrade, 'cannot upgrade localhost client');
    upgradeState(context, id, requireClientState(context, id), upgrade);
  });
  const height = latestHeight(context, id);
  emit(context, 'upgrade_client', () => [
    ['client_id', id],
    ['client_type', type],
    ['consensus_height', heightText(height)],
  ]);
  moduleEvent(context);
}

/** Recovers an inactive client with the state of an active substitute. */
export function recoverClient(context: Context, id: string, substituteId: string): void {
  let type: string;
  try {
    type = routeOf(context, id);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw new SdkError(clientErrors.noRoute, id);
  }
  const status = statusIn(context, type, id);
  if (status === 'Active')
    throw new SdkError(clientErrors.invalidRecovery, `cannot recover subject client (${id}) with status ${status}`);
  requireStatus(
    context,
    type,
    substituteId,
    (other) => `cannot recover client using substitute client (${substituteId}) with status ${other}`,
  );
  const [height, other] = [id, substituteId].map((each) => heightOf(getClientState(context, each)?.latestHeight));
  if (height !== undefined && other !== undefined && compareHeights(height, other) >= 0)
    throw new SdkError(
      clientErrors.invalidHeight,
      `subject client state latest height is greater or equal to substitute client state latest height (${heightText(height)} >= ${heightText(other)})`,
    );
  const substituteType = clientTypeOf(substituteId);
  if (substituteType !== TENDERMINT)
    throw new SdkError(clientErrors.invalidType, `expected: ${TENDERMINT}, got: ${substituteType ?? ''}`);
  const state = requireClientState(context, id);
  recoverState(context, { id, state }, { id: substituteId, state: requireClientState(context, substituteId) });
  emit(context, 'recover_client', () => [
    ['subject_client_id', id],
    ['client_type', type],
  ]);
  moduleEvent(context);
}
