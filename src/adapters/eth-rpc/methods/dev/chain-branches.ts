/** `chronicle_branch` and related commands: start other nodes on a copy of this node's chain at an earlier block. */
import type { ChainBranch, EthereumDevApi } from '../../../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { serverError } from '../../errors.js';
import { failed, type Method, method, ok } from '../../method.js';
import { looseQuantity } from '../../params/numbers.js';
import { good, required, wrongKind } from '../../params/param.js';
import * as schema from '../../schema.js';
import { answerOf } from './names.js';

/** The error of a node that was not started by the command line. */
const NO_BRANCHES = serverError('only the command chronicled dev starts branches');

const BRANCH: schema.Schema = {
  title: 'ChainBranch',
  ...schema.objectOf({
    id: schema.TEXT,
    height: schema.QUANTITY_64,
    endpoints: schema.mapOf(schema.TEXT, schema.TEXT),
  }),
};

const id = required('id', schema.TEXT, (value) =>
  typeof value === 'string' ? good(value) : wrongKind(value, 'string'),
);

/** Creates the commands for branches. */
export function chainBranchCommands({ chainBranches }: EthereumDevApi): readonly Method[] {
  return [
    method(
      'chronicle_branch',
      'Starts another node on a copy of the chain as it was after a block (dev mode, loopback)',
      [looseQuantity],
      BRANCH,
      async ([height], { api }) => {
        if (chainBranches === undefined) return failed(NO_BRANCHES);
        if (height > api.blockNumber()) return failed(serverError(`block #${height} not found`));
        return answerOf(await chainBranches.begin(height), branchText);
      },
    ),
    method(
      'chronicle_branches',
      'Nodes that this one started on copies of the chain (dev mode)',
      [],
      schema.listOf(BRANCH, FIXED_LIMITS.branches),
      () => ok(`[${(chainBranches?.list() ?? []).map(branchText).join(',')}]`),
    ),
    method(
      'chronicle_endBranch',
      'Ends a node that this one started; its chain is gone (dev mode)',
      [id],
      schema.BOOLEAN,
      async ([wanted]) => ok(String((await chainBranches?.end(wanted)) ?? false)),
    ),
  ];
}

function branchText({ height, ...branch }: ChainBranch): string {
  return JSON.stringify({ ...branch, height: `0x${height.toString(16)}` });
}
