import { timestampText } from '../../core/sdk/codec/amino-json.js';
import { Query } from '../../core/proto/cosmos/upgrade/v1beta1/query_pb.js';
import { ask as askApplication } from '../client/app-query.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import { query } from '../table/query-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { render } from '../table/output.js';

const { method } = Query;
const ZERO_TIME = '0001-01-01T00:00:00Z';

/**
 * `query upgrade plan`: prints the scheduled plan; without a plan it fails with `no upgrade scheduled` and exit code
 * 1.
 */
const plan: CommandBody = async ({ rpc, ports, output }, _, flags) => {
  const { plan: found } = await askApplication(
    rpc,
    '/cosmos.upgrade.v1beta1.Query/CurrentPlan',
    method.currentPlan.input,
    {},
    method.currentPlan.output,
    flags.whole('height'),
  );
  if (found === undefined) throw new CommandError(EXIT.failed, 'no upgrade scheduled');
  // A plan is scheduled by height, so its time is Go's zero time.
  const time =
    found.time === undefined || found.time.seconds < 0n
      ? ZERO_TIME
      : timestampText(found.time.seconds, found.time.nanos);
  ports.stdout(
    render(
      { name: found.name, time, height: found.height.toString(), info: found.info, upgraded_client_state: null },
      output,
    ),
  );
};

/**
 * `query upgrade applied NAME`: the block that applied the plan, in JSON, or in YAML with `-o text` (cosmos-sdk v0.47
 * `x/upgrade/client/cli/query.go`).
 */
const applied: CommandBody = async ({ rpc, ports, output }, [name = '']) => {
  const { height } = await askApplication(
    rpc,
    '/cosmos.upgrade.v1beta1.Query/AppliedPlan',
    method.appliedPlan.input,
    { name },
    method.appliedPlan.output,
  );
  if (height === 0n) throw new CommandError(EXIT.failed, 'no upgrade found');
  const { block_metas: metas } = await rpc.call('blockchain', {
    minHeight: height.toString(),
    maxHeight: height.toString(),
  });
  const record: unknown = Array.isArray(metas) ? metas[0] : undefined;
  if (record === undefined)
    throw new CommandError(EXIT.notFound, `${name} was applied at height ${height}, whose block is not there any more`);
  ports.stdout(render(record, output));
};

export const commands: readonly CommandRow[] = [
  ask('upgrade plan', 'the scheduled plan', plan),
  ask('upgrade applied <name>', 'the block that applied a plan', applied, { output: 'json' }),
  query('upgrade module_versions [module]', 'consensus versions of modules', method.moduleVersions, {
    aliases: ['module-versions'],
  }),
  query('upgrade authority', 'authority of upgrades', method.authority),
];
