/** Every difference between two executions of one block, with its place, so that known ones can be ignored. */
import type { EncodedResults } from '../../src/core/comet/encoded-results.js';
import { hex } from '../../src/core/bytes/hex.js';
import type {
  Event,
  ExecTxResult,
  ResponseCheckTx,
  ResponseFinalizeBlock,
  ValidatorUpdate,
} from '../../src/core/proto/tendermint/abci/types_pb.js';
import { logWithoutStack } from '../../src/cli/compare/differences.js';

export interface Difference {
  /** Index of the transaction; undefined for a difference of the block. */
  readonly transaction: number | undefined;
  readonly of: string;
  readonly ours: string;
  readonly theirs: string;
}

const shownEvent = ({ type, attributes }: Event): string =>
  `${type}{${attributes.map(({ key, value, index }) => `${key}=${value}${index ? '' : ' (no index)'}`).join(', ')}}`;
const shownUpdate = ({ pubKey, power }: ValidatorUpdate): string =>
  `${pubKey?.sum.value === undefined ? 'no key' : hex(pubKey.sum.value)} with power ${power}`;

function lists(
  of: string,
  ours: readonly string[],
  theirs: readonly string[],
  transaction?: number,
): readonly Difference[] {
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1)
    if (ours[index] !== theirs[index])
      return [{ transaction, of: `${of} ${index}`, ours: ours[index] ?? 'none', theirs: theirs[index] ?? 'none' }];
  return [];
}

type Result = Pick<
  ExecTxResult | ResponseCheckTx,
  'code' | 'codespace' | 'log' | 'info' | 'gasWanted' | 'gasUsed' | 'data' | 'events'
>;

export function resultDifferences(ours: Result, theirs: Result, transaction: number): readonly Difference[] {
  const fields = (result: Result): readonly (readonly [string, string])[] => [
    ['code', `${result.code} ${result.codespace}`],
    ['log', logWithoutStack(result.log)],
    ['info', result.info],
    ['gas wanted', String(result.gasWanted)],
    ['gas used', String(result.gasUsed)],
    ['data', hex(result.data)],
  ];
  const others = new Map(fields(theirs));
  const differing = fields(ours).flatMap(([of, value]): readonly Difference[] =>
    others.get(of) === value ? [] : [{ transaction, of, ours: value, theirs: others.get(of) ?? '' }],
  );
  return [...differing, ...lists('event', ours.events.map(shownEvent), theirs.events.map(shownEvent), transaction)];
}

export function blockDifferences(ours: EncodedResults, theirs: ResponseFinalizeBlock): readonly Difference[] {
  const ofTransactions = theirs.txResults.flatMap((result, index) => {
    const mine = ours.txResult(index);
    return mine === undefined ? [] : resultDifferences(mine, result, index);
  });
  const [mine, other] = [hex(ours.appHash), hex(theirs.appHash)];
  return [
    ...ofTransactions,
    ...lists('event', ours.events.map(shownEvent), theirs.events.map(shownEvent)),
    ...lists('validator update', ours.validatorUpdates.map(shownUpdate), theirs.validatorUpdates.map(shownUpdate)),
    ...(mine === other ? [] : [{ transaction: undefined, of: 'app hash', ours: mine, theirs: other }]),
  ];
}
