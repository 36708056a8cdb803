import type { Timestamp } from '@bufbuild/protobuf/wkt';
import * as pb from '../../../core/proto/cosmos/upgrade/v1beta1/query_pb.js';
import { ask } from '../app-query.js';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { render } from '../output.js';

const SERVICE = '/cosmos.upgrade.v1beta1.Query';

/** `query upgrade plan`: the scheduled plan; exit code 1 when there is none (design section 11). */
export async function queryPlan({ rpc, ports, output }: CommandContext): Promise<void> {
  const { plan } = await ask(rpc, `${SERVICE}/CurrentPlan`, pb.QueryCurrentPlanRequestSchema, {}, pb.QueryCurrentPlanResponseSchema);
  if (plan === undefined) throw new CommandError(EXIT.other, 'no upgrade scheduled');
  ports.stdout(render({ name: plan.name, time: timeText(plan.time), height: plan.height.toString(), info: plan.info, upgraded_client_state: null }, output));
}

/** `query upgrade applied NAME`: the record of the block that applied it, JSON whatever the output (application-modules.md 2.6). */
export async function queryApplied({ rpc, ports }: CommandContext, name: string): Promise<void> {
  const { height } = await ask(rpc, `${SERVICE}/AppliedPlan`, pb.QueryAppliedPlanRequestSchema, { name }, pb.QueryAppliedPlanResponseSchema);
  if (height === 0n) throw new CommandError(EXIT.other, 'no upgrade found');
  const { block_metas: metas } = await rpc.call('blockchain', { minHeight: height.toString(), maxHeight: height.toString() });
  const record: unknown = Array.isArray(metas) ? metas[0] : undefined;
  if (record === undefined) throw new CommandError(EXIT.notFound, `${name} was applied at height ${height}, whose block is not there any more`);
  ports.stdout(`${JSON.stringify(record)}\n`);
}

/** `query upgrade module_versions [NAME]`. */
export async function queryModuleVersions({ rpc, ports, output }: CommandContext, moduleName: string | undefined): Promise<void> {
  const { moduleVersions } = await ask(rpc, `${SERVICE}/ModuleVersions`, pb.QueryModuleVersionsRequestSchema, { moduleName: moduleName ?? '' }, pb.QueryModuleVersionsResponseSchema);
  ports.stdout(render({ module_versions: moduleVersions.map(({ name, version }) => ({ name, version: version.toString() })) }, output));
}

/** RFC 3339; plans hold no time since they are by height, which prints as the zero time. */
function timeText(time: Timestamp | undefined): string {
  const zero = '0001-01-01T00:00:00Z';
  return time === undefined ? zero : new Date(Number(time.seconds) * 1000).toISOString().replace(/\.000Z$/, 'Z');
}
