/**
 * Recovery of coins on accounts without an Ethereum key (evmos v3.0.0 `x/recovery`): parameters. A middleware of IBC
 * transfers would do the recovery itself; there is none yet.
 */
import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { fromDuration, toDuration } from '../../comet/time.js';
import { GenesisStateSchema, ParamsSchema, type Params } from '../../proto/evmos/recovery/v1/genesis_pb.js';
import * as pb from '../../proto/evmos/recovery/v1/query_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection } from '../../sdk/module/genesis-section.js';
import { query, type Module } from '../../sdk/module/module.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { Records } from '../../state/records.js';
import { requireGovernance } from '../authority.js';

const STORE = 'recovery';
const PARAMS_KEY = Uint8Array.of(0);
/** Four hours, the time that a packet has. */
const TIMEOUT = 14_400_000_000_000n;

const records = new Records<Params>(STORE, {
  encode: (params) => toBinary(ParamsSchema, params),
  decode: (bytes) => fromBinary(ParamsSchema, bytes),
});

/** Parameters in force; those of a chain without the module are switched off. */
export function getParams(context: Pick<Context, 'store'>): Params {
  return records.get(context, PARAMS_KEY) ?? defaultParams();
}

function defaultParams(): Params {
  return create(ParamsSchema, { enableRecovery: false, packetTimeoutDuration: toDuration(TIMEOUT) });
}

const paramsProblem = ({ packetTimeoutDuration }: Params): string | undefined =>
  fromDuration(packetTimeoutDuration) < 0n ? 'packet timeout duration cannot be negative' : undefined;

/** Changes the parameters in the name of `authority`; fails unless it is governance, and for wrong ones. */
export function updateParams(context: Context, authority: string, params: Params): void {
  requireGovernance(context, authority);
  const problem = paramsProblem(params);
  if (problem !== undefined) throw plainError(problem);
  records.set(context, PARAMS_KEY, params);
}

function initGenesis(context: Context, section: unknown): void {
  const { params = defaultParams() } = readSection('app_state.recovery', GenesisStateSchema, section ?? {});
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new GenesisError('app_state.recovery.params', problem);
  records.set(context, PARAMS_KEY, params);
}

function exportGenesis(context: Context): unknown {
  const state = create(GenesisStateSchema, { params: getParams(context) });
  return toJson(GenesisStateSchema, state, { useProtoFieldName: true, alwaysEmitImplicit: true });
}

export const recoveryModule: Module = {
  name: 'recovery',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [],
  queries: [query(pb.Query, 'params', (context) => ({ params: getParams(context) }))],
  migrations: new Map(),
  invariants: [],
};
