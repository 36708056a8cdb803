import { create } from '@bufbuild/protobuf';
import { encodeAddress } from '../../sdk/codec/address.js';
import { query } from '../../sdk/module/module.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import * as pb from '../../proto/cosmos/upgrade/v1beta1/query_pb.js';
import { ModuleVersionSchema } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { governance } from '../authority.js';
import { completedHeight, getAuthority, getPlan, moduleVersions, upgradedConsensusState } from './plan-store.js';

const SERVICES = ['/cosmos.upgrade.v1beta1.Query', '/sdk.upgrade.v1beta1.Query'] as const;
const versionNotFound = { codespace: 'upgrade', code: 2, text: 'module version not found' } as const;

/**
 * Queries of x/upgrade (cosmos-sdk v0.53 `x/upgrade/keeper/grpc_query.go`), under the SDK's service name and under
 * `sdk.upgrade.v1beta1`.
 */
export const queries = SERVICES.flatMap((service) => [
  query(`${service}/CurrentPlan`, pb.QueryCurrentPlanRequestSchema, pb.QueryCurrentPlanResponseSchema, ({ store }) => {
    const plan = getPlan(store);
    return create(pb.QueryCurrentPlanResponseSchema, plan === undefined ? {} : { plan });
  }),
  query(
    `${service}/AppliedPlan`,
    pb.QueryAppliedPlanRequestSchema,
    pb.QueryAppliedPlanResponseSchema,
    ({ store }, { name }) => create(pb.QueryAppliedPlanResponseSchema, { height: completedHeight(store, name) }),
  ),
  query(
    `${service}/ModuleVersions`,
    pb.QueryModuleVersionsRequestSchema,
    pb.QueryModuleVersionsResponseSchema,
    ({ store }, { moduleName }) => {
      const versions = moduleVersions(store);
      const wanted = moduleName === '' ? [...versions.keys()] : [moduleName];
      const found = wanted.map((name) => {
        const version = versions.get(name);
        if (version === undefined)
          throw new SdkError(versionNotFound, `x/upgrade: QueryModuleVersions module ${name} not found`);
        return create(ModuleVersionSchema, { name, version });
      });
      return create(pb.QueryModuleVersionsResponseSchema, { moduleVersions: found });
    },
  ),
  // the state that an IBC counterparty proves against; it is stored only with the IBC modules
  query(
    `${service}/UpgradedConsensusState`,
    pb.QueryUpgradedConsensusStateRequestSchema,
    pb.QueryUpgradedConsensusStateResponseSchema,
    ({ store }, { lastHeight }) =>
      create(pb.QueryUpgradedConsensusStateResponseSchema, {
        upgradedConsensusState: upgradedConsensusState(store, lastHeight),
      }),
  ),
  query(`${service}/Authority`, pb.QueryAuthorityRequestSchema, pb.QueryAuthorityResponseSchema, (context) =>
    create(pb.QueryAuthorityResponseSchema, {
      address: getAuthority(context.store) ?? encodeAddress(context.chain.bech32Prefix, governance(context)),
    }),
  ),
]);
