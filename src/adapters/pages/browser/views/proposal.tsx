/**
 * One proposal with its votes, and in dev mode a button that ends its period.
 * Asks: `/cosmos/gov/v1/proposals/{id}`, `.../tally`, `.../votes`, `.../deposits`; `evm_increaseTime`.
 */
import { useAnswer } from '../data/answer.js';
import { moveClock } from '../data/dev.js';
import { type Coin, rest, restOrNull } from '../data/faces.js';
import { amountText, lastName, shareText } from '../data/format.js';
import { type Proposal, secondsUntil, type Tally, votesOf } from '../data/governance.js';
import type { NodeFacts } from '../data/node-facts.js';
import { head, moment } from '../data/store.js';
import { Action } from '../parts/actions.js';
import { Callout, Shown } from '../parts/answers.js';
import { AccountId } from '../parts/ids.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { Badge, CoinText, When } from '../parts/values.js';
import { Json } from '../parts/json.js';
import { ProposalState } from './proposals.js';

interface Vote {
  readonly voter: string;
  readonly options: readonly { readonly option: string; readonly weight: string }[];
}

interface Votes {
  readonly tally: Tally | undefined;
  readonly votes: readonly Vote[];
  readonly deposits: readonly { readonly depositor: string; readonly amount: readonly Coin[] }[];
}

/** The view of a proposal's number. */
export function ProposalView({ id, facts }: { id: string; facts: NodeFacts }) {
  const path = `/cosmos/gov/v1/proposals/${encodeURIComponent(id)}`;
  const answer = useAnswer(['proposal', id], async () => {
    if (!/^[0-9]{1,19}$/.test(id)) throw new Error(`${id} is not the number of a proposal.`);
    return (await rest<{ readonly proposal: Proposal }>(path, moment.value)).proposal;
  });
  const votes = useAnswer(['votes', id], async (): Promise<Votes> => {
    const at = moment.value;
    const [tally, list, deposits] = await Promise.all([
      restOrNull<{ readonly tally: Tally }>(`${path}/tally`, at),
      restOrNull<{ readonly votes: readonly Vote[] }>(`${path}/votes?pagination.limit=100`, at),
      restOrNull<{ readonly deposits: Votes['deposits'] }>(`${path}/deposits?pagination.limit=100`, at),
    ]);
    return { tally: tally?.tally, votes: list?.votes ?? [], deposits: deposits?.deposits ?? [] };
  });
  return (
    <Shown answer={answer} lines={8} title="Proposal">
      {(one) => (
        <>
          <Title kicker={`Proposal ${one.id}`} side={<ProposalState status={one.status} />}>
            {one.title || 'Without title'}
          </Title>
          {one.failed_reason !== '' && <Callout kind="bad">{one.failed_reason}</Callout>}
          <Card title="Proposal">
            <Pairs
              rows={[
                ['Proposer', one.proposer !== '' && <AccountId address={one.proposer} />],
                ['Summary', <span class="text">{one.summary}</span>],
                ['Metadata', one.metadata !== '' && <span class="text">{one.metadata}</span>],
                ['Submitted', <When milliseconds={Date.parse(one.submit_time)} isDate />],
                ['Deposits until', <When milliseconds={Date.parse(one.deposit_end_time)} isDate />],
                [
                  'Votes until',
                  one.voting_end_time !== null && <When milliseconds={Date.parse(one.voting_end_time)} isDate />,
                ],
                ['Deposit', one.total_deposit.map((coin) => <CoinText key={coin.denom} {...coin} />)],
                ['Expedited', one.expedited && 'yes'],
              ]}
            />
            {facts.is_dev && moment.value === undefined && <EndPeriod proposal={one} />}
          </Card>
          <Card title="Votes">
            <Shown answer={votes}>
              {({ tally, votes: list }) => (
                <>
                  {tally !== undefined && (
                    <Result tally={isOver(one) ? (one.final_tally_result ?? tally) : tally} facts={facts} />
                  )}
                  <Table
                    label="Votes"
                    columns={['Voter', 'Vote']}
                    empty={isOver(one) ? 'Single votes are forgotten when the vote is over.' : 'Nobody has voted.'}
                    rows={list.map(({ voter, options }) => ({
                      key: voter,
                      cells: [
                        <AccountId address={voter} />,
                        options
                          .map(({ option, weight }) => {
                            const word = option.replace('VOTE_OPTION_', '').replaceAll('_', ' ').toLowerCase();
                            return Number(weight) === 1 ? word : `${word} ${Number(weight) * 100}%`;
                          })
                          .join(', '),
                      ],
                    }))}
                  />
                </>
              )}
            </Shown>
          </Card>
          <Card title="Messages">
            {one.messages.length === 0 && <p class="empty">None: this is a proposal of text.</p>}
            {one.messages.map((message, index) => {
              const { '@type': type, ...fields } = message;
              return (
                <div key={index} class="stack">
                  <p>
                    <Badge kind="cosmos">{lastName(type)}</Badge> <code>{type}</code>
                  </p>
                  <Json value={fields} />
                </div>
              );
            })}
          </Card>
        </>
      )}
    </Shown>
  );
}

function isOver({ status }: Proposal): boolean {
  return !status.endsWith('_PERIOD');
}

/** Moves the clock past the end of the period that runs, and makes the block that ends it. */
function EndPeriod({ proposal }: { proposal: Proposal }) {
  if (isOver(proposal)) return null;
  const isVote = proposal.status === 'PROPOSAL_STATUS_VOTING_PERIOD';
  const end = isVote ? (proposal.voting_end_time ?? '') : proposal.deposit_end_time;
  return (
    <Action
      label={isVote ? 'End the vote now' : 'End the time for deposits now'}
      run={() => moveClock(Math.max(1, secondsUntil(end, Number(head.value?.timestamp ?? 0))))}
    />
  );
}

function Result({ tally, facts }: { tally: Tally; facts: NodeFacts }) {
  const votes = votesOf(tally);
  const all = votes.reduce((sum, [, count]) => sum + count, 0n);
  return (
    <div class="stack">
      <div
        class="meter"
        role="img"
        aria-label={votes.map(([name, count]) => `${name} ${shareText(count, all)}`).join(', ')}
      >
        {votes.map(([name, count, kind]) => (
          <span key={name} class={kind} style={{ flexGrow: all === 0n ? 0 : Number((count * 1_000n) / all) }} />
        ))}
      </div>
      <Table
        label="Count of votes"
        columns={['Vote', '>Tokens', '>Share']}
        rows={votes.map(([name, count]) => ({
          key: name,
          cells: [name, amountText(count, facts.denom.decimals, 2), shareText(count, all)],
        }))}
      />
    </div>
  );
}
