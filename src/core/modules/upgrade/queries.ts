import { create } from '@bufbuild/protobuf';
import { encodeAddress } from '../../sdk/codec/address.js';
import { query } from '../../sdk/module/module.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import * as pb from '../../proto/cosmos/upgrade/v1beta1/query_pb.js';
import { ModuleVersionSchema } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { governance } from '../authority.js';
import { completedHeight, getAuthority, getPlan, moduleVersions, upgradedConsensusState } from './plan-store.js';

const versionNotFound = { codespace: 'upgrade', code: 2, text: 'module version not found' } as const;

/** Queries of x/upgrade (cosmos-sdk v0.53 `x/upgrade/keeper/grpc_query.go`). */
const ofTheSdk = [
  query(pb.Query, 'currentPlan', ({ store }) => {
    const plan = getPlan(store);
    return plan === undefined ? {} : { plan };
  }),
  query(pb.Query, 'appliedPlan', ({ store }, { name }) => ({ height: completedHeight(store, name) })),
  query(pb.Query, 'moduleVersions', ({ store }, { moduleName }) => {
    const versions = moduleVersions(store);
    const names = moduleName === '' ? [...versions.keys()] : [moduleName];
    const found = names.map((name) => {
      const version = versions.get(name);
      if (version === undefined)
        throw new SdkError(versionNotFound, `x/upgrade: QueryModuleVersions module ${name} not found`);
      return create(ModuleVersionSchema, { name, version });
    });
    return { moduleVersions: found };
  }),
  // the state that an IBC counterparty proves against; it is stored only with the IBC modules
  query(pb.Query, 'upgradedConsensusState', ({ store }, { lastHeight }) => ({
    upgradedConsensusState: upgradedConsensusState(store, lastHeight),
  })),
  query(pb.Query, 'authority', (context) => ({
    address: getAuthority(context.store) ?? encodeAddress(context.chain.bech32Prefix, governance(context)),
  })),
];

/** The queries under the SDK's service name, and under `sdk.upgrade.v1beta1`. */
export const queries = ['cosmos', 'sdk'].flatMap((owner) =>
  ofTheSdk.map((one) => ({ ...one, path: one.path.replace('cosmos', owner) })),
);
