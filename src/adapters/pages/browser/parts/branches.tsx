/**
 * Other nodes on copies of the chain, each from an earlier block on. Asks: in dev mode `chronicle_branch`,
 * `chronicle_branches`, `chronicle_endBranch`.
 */
import type { ChainBranch } from '../../../../core/ethereum/api.js';
import { useLive } from '../data/answer.js';
import { ask, hexOf } from '../data/ethereum.js';
import type { JsonForm } from '../data/json-form.js';
import { Action } from './actions.js';
import { BlockLink, Copy } from './ids.js';
import { Card, Table } from './layout.js';
import { Code } from './values.js';

type Branch = JsonForm<ChainBranch>;

/** A button that starts a node on the chain as it was after a block, and the command that does the same. */
export function BranchFrom({ height }: { height: bigint }) {
  const begin = async (): Promise<string> => {
    const { endpoints } = await ask<Branch>('chronicle_branch', hexOf(height));
    return `A branch runs: ${endpoints['eth_http'] ?? ''}. Its addresses are at the top of the log.`;
  };
  return (
    <div class="stack">
      <Action label={`Start a branch from block ${height}`} run={begin} />
      <details class="fold">
        <summary>The same by one command, which needs the home of this node</summary>
        <div>
          <Code text={`chronicled dev --branch ${height} --port-base 20000`} what="command of the branch" />
        </div>
      </details>
    </div>
  );
}

/** The branches that run, with their addresses; nothing while there is none. */
export function Branches() {
  const answer = useLive(() => ask<readonly Branch[]>('chronicle_branches'));
  if (answer.state !== 'there' || answer.value.length === 0) return null;
  const end = async (id: string): Promise<string> =>
    (await ask<boolean>('chronicle_endBranch', id)) ? 'It ends.' : 'It is gone already.';
  return (
    <Card title="Branches" id="branches">
      <Table
        label="Branches"
        columns={['From', 'Addresses', 'Command']}
        rows={answer.value.map(({ id, height, endpoints }) => ({
          key: id,
          cells: [
            <span>
              block <BlockLink height={height} />
            </span>,
            <ul class="plain">
              {Object.entries(endpoints).map(([face, url]) => (
                <li key={face}>
                  <span class="muted">{face}</span>{' '}
                  <span class="id">
                    {url.startsWith('http') ? <a href={url}>{url}</a> : <code>{url}</code>}
                    <Copy text={url} what={`address of ${face}`} />
                  </span>
                </li>
              ))}
            </ul>,
            <Action label="End" run={() => end(id)} />,
          ],
        }))}
      />
      <p class="muted">They end with this node, and nothing of them is kept.</p>
    </Card>
  );
}
