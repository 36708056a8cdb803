/** Slashing of validators that do not sign (cosmos-sdk v0.53 `x/slashing`). */
import { file_cosmos_slashing_v1beta1_tx } from '../../proto/cosmos/slashing/v1beta1/tx_pb.js';
import { type Invariant, type Module, query } from '../../sdk/module/module.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { SIGNING_INFO_PREFIX, STORE, consensusOfKey } from './keys.js';
import { beginBlock } from './liveness.js';
import { messages } from './messages.js';
import { fromBinary } from '@bufbuild/protobuf';
import * as pb from '../../proto/cosmos/slashing/v1beta1/query_pb.js';
import { ValidatorSigningInfoSchema } from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import { paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { requireQueriedAddress } from '../queried-address.js';
import { getParams, paramsMessage } from './params.js';
import { getSigningInfo, signingInfoMessage } from './signing-info.js';
import { prefixRange } from '../../bytes/key-order.js';
import { consensusText } from '../staking/addresses.js';
import { missedBlocks } from './missed-blocks.js';

/** The missed block counter of each validator equals the number of set bits in its bitmap. */
const missedCount: Invariant = {
  name: 'slashing/missed-blocks',
  check(context) {
    for (const { key } of context.store.range(STORE, prefixRange(SIGNING_INFO_PREFIX))) {
      const address = consensusOfKey(key);
      const counted = BigInt([...missedBlocks(context, address)].length);
      const { missed = 0n } = getSigningInfo(context, address) ?? {};
      if (counted !== missed) return `${consensusText(context, address)} missed ${counted} blocks and counts ${missed}`;
    }
    return undefined;
  },
};

const invariants = [missedCount];

/** Queries of slashing (cosmos-sdk v0.53 `x/slashing/keeper/grpc_query.go`). */
const queries = [
  query(pb.Query, 'params', (context) => ({ params: paramsMessage(getParams(context)) })),
  query(pb.Query, 'signingInfo', (context, { consAddress }) => {
    if (consAddress === '') throw grpcError('InvalidArgument', 'invalid request');
    const consensus = requireQueriedAddress(`${context.chain.bech32Prefix}valcons`, consAddress);
    const info = getSigningInfo(context, consensus);
    if (info === undefined) throw grpcError('NotFound', `SigningInfo not found for validator ${consAddress}`);
    return { valSigningInfo: signingInfoMessage(context, info) };
  }),
  query(pb.Query, 'signingInfos', (context, { pagination }) =>
    paginate({ context, store: STORE, prefix: SIGNING_INFO_PREFIX }, pagination, ({ value }) =>
      fromBinary(ValidatorSigningInfoSchema, value),
    ),
  ),
];

export const slashingModule: Module = {
  name: 'slashing',
  store: STORE,
  consensusVersion: 4n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  types: [file_cosmos_slashing_v1beta1_tx],
  beginBlock,
  invariants,
};
