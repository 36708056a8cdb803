/** `query ibc client ...` (ibc-go v10 `modules/core/02-client/client/cli/query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { clientStateKey, consensusStateKey } from '../../core/modules/ibc/keys.js';
import { Query } from '../../core/proto/ibc/core/client/v1/query_pb.js';
import { Query as QueryV2 } from '../../core/proto/ibc/core/client/v2/query_pb.js';
import type { CommandBody } from '../command-table.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { firstPage } from '../first-page.js';
import { heightOf } from '../ibc-height.js';
import { provable } from '../provable.js';
import { evmUnary } from '../unary.js';

const { method } = Query;
const clientId = ({ text }: { readonly text: (index: number) => string }) => ({ clientId: text(0) });

export const params = evmUnary(method.clientParams, () => ({}), 'params');
export const states = evmUnary(method.clientStates, firstPage);
export const status = evmUnary(method.clientStatus, clientId);
export const creator = evmUnary(method.clientCreator, clientId);
export const consensusStates = evmUnary(method.consensusStates, (input) => ({
  ...clientId(input),
  ...firstPage(input),
}));
export const consensusStateHeights = evmUnary(method.consensusStateHeights, (input) => ({
  ...clientId(input),
  ...firstPage(input),
}));
export const counterpartyInfo = evmUnary(QueryV2.method.counterpartyInfo, clientId);
export const config = evmUnary(QueryV2.method.config, clientId);

export const state = provable(method.clientState, {
  key: ({ text }) => clientStateKey(text(0)),
  answer: (value, proof) => ({ clientState: fromBinary(AnySchema, value), ...proof }),
  missing: ({ text }) => `${text(0)}: light client not found`,
  request: clientId,
});

/** `query ibc client consensus-state CLIENT HEIGHT`, or with `--latest-height` that of the client's latest height. */
export const consensusState: CommandBody = (context, args, flags) => {
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
