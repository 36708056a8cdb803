/** `query ibc client ...` (ibc-go v10 `modules/core/02-client/client/cli/query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { clientStateKey, consensusStateKey } from '../../core/modules/ibc/keys.js';
import { Query } from '../../core/proto/ibc/core/client/v1/query_pb.js';
import { Query as QueryV2 } from '../../core/proto/ibc/core/client/v2/query_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import { evmQuery, evmFirstPage } from '../table/query-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { heightOf } from '../values/ibc-height.js';
import { PROVE, provable, proven } from '../table/provable.js';
import { evmUnary } from '../table/unary.js';

const { method } = Query;

/** `query ibc client consensus-state CLIENT HEIGHT`: a consensus state; with `--latest-height` the latest one. */
const consensusState: CommandBody = (context, args, flags) => {
  const latestHeight = flags.is('latest-height');
  if (!latestHeight && args[1] === undefined)
    throw new CommandError(
      EXIT.usage,
      "must include a second 'height' argument when '--latest-height' flag is not provided",
    );
  const height = latestHeight ? { revisionNumber: 0n, revisionHeight: 0n } : heightOf(args[1] ?? '');
  return provable(method.consensusState, {
    key: ({ text }) => consensusStateKey(text(0), height),
    answer: (value, proof) => ({ consensusState: fromBinary(AnySchema, value), ...proof }),
    missing: ({ text }) => `${text(0)}: consensus state not found`,
    request: ({ text }) => ({ clientId: text(0), ...height, latestHeight }),
  })(context, args, flags);
};

export const commands: readonly CommandRow[] = [
  ask('ibc client params', 'parameters of clients', evmUnary(method.clientParams, undefined, 'params')),
  evmFirstPage('ibc client states', 'all clients', method.clientStates),
  proven('ibc client state <client-id>', 'a client', method.clientState, {
    key: ({ text }) => clientStateKey(text(0)),
    answer: (value, proof) => ({ clientState: fromBinary(AnySchema, value), ...proof }),
    missing: ({ text }) => `${text(0)}: light client not found`,
  }),
  evmQuery('ibc client status <client-id>', 'whether a client is active', method.clientStatus),
  evmQuery('ibc client creator <client-id>', 'the account that made a client', method.clientCreator),
  evmQuery('ibc client config <client-id>', 'the relayers that a client allows', QueryV2.method.config),
  evmQuery('ibc client counterparty-info <client-id>', "a client's counterparty (v2)", QueryV2.method.counterpartyInfo),
  ask('ibc client consensus-state <client-id> [revision-height]', 'what a client knows of a height', consensusState, {
    options: [PROVE, { flag: '--latest-height', doc: "at the client's latest height" }],
  }),
  evmFirstPage('ibc client consensus-states <client-id>', 'all that a client knows', method.consensusStates),
  evmFirstPage(
    'ibc client consensus-state-heights <client-id>',
    'the heights that a client knows',
    method.consensusStateHeights,
  ),
];
