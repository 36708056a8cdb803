/** `query claims|epochs|incentives|...`: modules of evmos (evmos v3.0.0, `client/cli` of each). */
import type { DescMethodUnary } from '@bufbuild/protobuf';
import { Query as ClaimsQuery } from '../../core/proto/evmos/claims/v1/query_pb.js';
import { Query as EpochsQuery } from '../../core/proto/evmos/epochs/v1/query_pb.js';
import { Query as IncentivesQuery } from '../../core/proto/evmos/incentives/v1/query_pb.js';
import { Query as InflationQuery } from '../../core/proto/evmos/inflation/v1/query_pb.js';
import { Query as RecoveryQuery } from '../../core/proto/evmos/recovery/v1/query_pb.js';
import { Query as VestingQuery } from '../../core/proto/evmos/vesting/v1/query_pb.js';
import { asObject } from '../../core/text/json-object.js';
import type { CommandRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import { addressOf } from '../values/names.js';
import { evmQuery, evmPaged } from '../table/query-rows.js';
import { askEvm, evmUnary } from '../table/unary.js';
import { print } from '../table/output.js';

const claims = ClaimsQuery.method;
const epochs = EpochsQuery.method;
const incentives = IncentivesQuery.method;
const inflation = InflationQuery.method;

/** Creates a command that prints one value of an answer without its name; with `-o json` the whole answer. */
function bare<Method extends DescMethodUnary>(
  line: string,
  doc: string,
  method: Method,
  shown: (value: unknown) => string,
): CommandRow {
  return ask(line, doc, async (context, _, flags) => {
    const answer = await askEvm(context, method, undefined, flags.whole('height'));
    if (context.output === 'json') print({ ...context, indent: false }, answer);
    else context.ports.stdout(`${shown(Object.values(asObject(answer) ?? {})[0] ?? '')}\n`);
  });
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : '');
const coinText = (value: unknown): string => {
  const coin = asObject(value);
  return `${plain(coin?.['amount'])}${plain(coin?.['denom'])}`;
};

export const commands: readonly CommandRow[] = [
  evmQuery('claims total-unclaimed', 'coins that nobody claimed yet', claims.totalUnclaimed),
  ask('claims params', 'parameters of claims', evmUnary(claims.params, undefined, 'params')),
  evmPaged('claims claims-records', 'records of all accounts', claims.claimsRecords),
  evmQuery('claims claims-record <address>', 'what an account may claim', claims.claimsRecord, {
    request: async ({ address }) => ({ address: await address(0) }),
  }),
  evmPaged('epochs epoch-infos', 'all epochs', epochs.epochInfos),
  evmQuery('epochs current-epoch <identifier>', 'number of the running epoch', epochs.currentEpoch),
  evmPaged('incentives incentives', 'all incentives', incentives.incentives),
  evmQuery('incentives incentive <contract>', 'the incentive of a contract', incentives.incentive),
  evmPaged('incentives gas-meters <contract>', 'gas of all participants', incentives.gasMeters),
  evmQuery('incentives gas-meter <contract> <participant>', 'gas of a participant', incentives.gasMeter, {
    request: async ({ text, hexAddress }) => ({ contract: text(0), participant: await hexAddress(1) }),
  }),
  evmPaged('incentives allocation-meters', 'parts of the pool that incentives have', incentives.allocationMeters),
  evmQuery('incentives allocation-meter <denom>', 'the part of a denom', incentives.allocationMeter),
  evmQuery('incentives params', 'parameters of incentives', incentives.params),
  bare('inflation period', 'periods that have passed', inflation.period, plain),
  bare('inflation epoch-mint-provision', 'coins of an epoch', inflation.epochMintProvision, coinText),
  bare('inflation skipped-epochs', 'epochs that ended while inflation was off', inflation.skippedEpochs, plain),
  bare('inflation total-supply', 'supply of the coin', inflation.totalSupply, coinText),
  bare('inflation inflation-rate', 'percents of a period', inflation.inflationRate, (value) => `${plain(value)}%`),
  ask('inflation params', 'parameters of inflation', evmUnary(inflation.params, undefined, 'params')),
  ask('vesting balances <address>', 'coins of an account with clawback', async (context, [address = ''], flags) => {
    const request = { address: await addressOf(context, address) };
    const answer = await askEvm(context, VestingQuery.method.balances, request, flags.whole('height'));
    if (context.output === 'json') return print({ ...context, indent: false }, answer);
    const coins = (name: string): string => {
      const list: unknown = asObject(answer)?.[name];
      return Array.isArray(list) ? list.map(coinText).join(',') : '';
    };
    context.ports.stdout(`Locked: ${coins('locked')}\nUnvested: ${coins('unvested')}\nVested: ${coins('vested')}\n`);
  }),
  evmQuery('recovery params', 'parameters of recovery', RecoveryQuery.method.params),
];
