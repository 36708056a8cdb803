/** Legacy parameters of all modules (cosmos-sdk v0.53 `x/params`): a view without its own state. */
import { file_cosmos_params_v1beta1_params } from '../../proto/cosmos/params/v1beta1/params_pb.js';
import * as pb from '../../proto/cosmos/params/v1beta1/query_pb.js';
import { type Module, query } from '../../sdk/module/module.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { paramsErrors } from './errors.js';
import { subspacesOf } from './subspaces.js';

const queries = [
  query(pb.Query, 'params', (context, { subspace, key }) => {
    if (subspace === '' || key === '') throw grpcError('InvalidArgument', 'invalid request');
    const found = subspacesOf(context).find(({ name }) => name === subspace);
    if (found === undefined) throw new SdkError(paramsErrors.unknownSubspace, subspace);
    return { param: { subspace, key, value: found.read(context, key) } };
  }),
  query(pb.Query, 'subspaces', (context) => ({
    subspaces: subspacesOf(context).map(({ name, keys }) => ({ subspace: name, keys: [...keys] })),
  })),
];

export const paramsModule: Module = {
  name: 'params',
  consensusVersion: 1n,
  initGenesis: () => undefined,
  exportGenesis: () => null,
  messages: [],
  queries,
  types: [file_cosmos_params_v1beta1_params],
};
