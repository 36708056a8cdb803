/** Proposals of governance, the newest first, and the rules of votes. Asks: `/cosmos/gov/v1`. */
import { useAnswer } from '../data/answer.js';
import { type Coin, rest, restOrNull } from '../data/faces.js';
import { lastName } from '../data/format.js';
import { type Proposal, statusOf } from '../data/governance.js';
import { percentText } from '../data/staking.js';
import { moment } from '../data/store.js';
import { Shown } from '../parts/answers.js';
import { To } from '../parts/ids.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { Badge, CoinText, When } from '../parts/values.js';

interface Params {
  readonly min_deposit: readonly Coin[];
  readonly max_deposit_period: string;
  readonly voting_period: string;
  readonly quorum: string;
  readonly threshold: string;
  readonly veto_threshold: string;
}

/** The view of all proposals. */
export function Proposals() {
  const proposals = useAnswer(['proposals'], () =>
    rest<{ readonly proposals: readonly Proposal[] }>(
      '/cosmos/gov/v1/proposals?pagination.reverse=true&pagination.limit=100',
      moment.value,
    ),
  );
  const params = useAnswer(['gov-params'], () =>
    restOrNull<{ readonly params: Params | null }>('/cosmos/gov/v1/params/voting', moment.value),
  );
  return (
    <>
      <Title>Proposals</Title>
      <Card title="Proposals" id="list">
        <Shown answer={proposals}>
          {({ proposals: list }) => (
            <Table
              label="Proposals"
              columns={['Number', 'Title', 'Messages', 'State', 'Submitted']}
              empty="Nobody has proposed anything. chronicled tx gov submit-proposal makes the first."
              rows={list.map((one) => ({
                key: one.id,
                cells: [
                  <To route={{ view: 'proposal', id: one.id }}>{one.id}</To>,
                  <To route={{ view: 'proposal', id: one.id }}>{one.title || 'without title'}</To>,
                  one.messages.map((message) => lastName(message['@type'])).join(', ') || 'text',
                  <ProposalState status={one.status} />,
                  <When milliseconds={Date.parse(one.submit_time)} />,
                ],
              }))}
            />
          )}
        </Shown>
      </Card>
      <Card title="Rules">
        <Shown answer={params}>
          {(answer) =>
            answer?.params == null ? (
              <p class="empty">Not known.</p>
            ) : (
              <Pairs
                rows={[
                  ['Deposit', answer.params.min_deposit.map((coin) => <CoinText key={coin.denom} {...coin} />)],
                  ['Deposits last', answer.params.max_deposit_period],
                  ['Votes last', answer.params.voting_period],
                  ['Quorum', percentText(answer.params.quorum)],
                  ['Yes at least', percentText(answer.params.threshold)],
                  ['Veto from', percentText(answer.params.veto_threshold)],
                ]}
              />
            )
          }
        </Shown>
      </Card>
    </>
  );
}

/** State of a proposal in words. */
export function ProposalState({ status }: { status: string }) {
  const { text, kind } = statusOf(status);
  return <Badge kind={kind}>{text}</Badge>;
}
