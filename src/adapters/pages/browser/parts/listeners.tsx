/** Subscriptions and filters of every face, and those that ended lately. */
import { useLive } from '../data/answer.js';
import { ask } from '../data/ethereum.js';
import { groupedText, sizeText } from '../data/format.js';
import type { Subscription, Subscriptions } from '../data/inside.js';
import { Action } from './actions.js';
import { Shown } from './answers.js';
import { Card, Table } from './layout.js';
import { Badge } from './values.js';

const GONE = 'It is gone already.';

/** The lists, live; dev mode may cut or stall a subscription. */
export function Listeners({ isDev }: { isDev: boolean }) {
  const answer = useLive(() => ask<Subscriptions>('chronicle_subscriptions'));
  const cut = async (id: string): Promise<string> =>
    (await ask<boolean>('chronicle_cutSubscription', id)) ? 'Cut.' : GONE;
  const stall = async ({ id, state }: Subscription): Promise<string> => {
    const isStalled = state === 'stalled';
    if (!(await ask<boolean>('chronicle_stallSubscription', id, !isStalled))) return GONE;
    return isStalled ? 'It goes on.' : 'Nothing reaches its connection now.';
  };
  return (
    <Shown answer={answer}>
      {({ subscriptions, filters, counts, ended }) => (
        <>
          <Card title={`Subscriptions (${counts.subscriptions})`} id="subscriptions">
            <Table
              label="Subscriptions"
              columns={[
                'Client',
                'Kind',
                'Criteria',
                'State',
                '>Delivered',
                '>Lag',
                '>Waiting',
                ...(isDev ? ['Command'] : []),
              ]}
              empty="No client has subscribed over a WebSocket."
              rows={subscriptions.map((one) => ({
                key: one.id,
                cells: [
                  `${one.face} ${one.client}`,
                  one.kind,
                  <span class="text">{one.criteria}</span>,
                  <Badge kind={one.lag > 0 || one.state === 'stalled' ? 'warn' : 'good'}>{one.state}</Badge>,
                  groupedText(one.delivered),
                  groupedText(one.lag),
                  sizeText(one.bytesWaiting),
                  ...(isDev
                    ? [
                        <span class="row">
                          <Action label={one.state === 'stalled' ? 'Go on' : 'Stall'} run={() => stall(one)} />
                          <Action label="Cut" run={() => cut(one.id)} />
                        </span>,
                      ]
                    : []),
                ],
              }))}
            />
          </Card>
          <Card title={`Filters (${counts.filters})`} id="filters">
            <Table
              label="Filters"
              columns={['Id', 'Kind', 'Criteria', '>Height', '>Lag', ...(isDev ? ['Command'] : [])]}
              empty="No client has a polling filter."
              rows={filters.map((one) => ({
                key: one.id,
                cells: [
                  <code>{one.id}</code>,
                  one.kind,
                  <span class="text">{one.criteria}</span>,
                  one.height,
                  groupedText(one.lag),
                  ...(isDev ? [<Action label="Cut" run={() => cut(one.id)} />] : []),
                ],
              }))}
            />
          </Card>
          {ended.length > 0 && (
            <Card title="Ended lately" id="ended">
              <Table
                label="Subscriptions that ended"
                columns={['Client', 'Kind', 'Criteria', '>Delivered', 'Reason']}
                rows={ended.map((one, index) => ({
                  key: `${one.id} ${index}`,
                  cells: [
                    `${one.face} ${one.client}`,
                    one.kind,
                    <span class="text">{one.criteria}</span>,
                    groupedText(one.delivered),
                    <span class="text">{one.reason}</span>,
                  ],
                }))}
              />
            </Card>
          )}
        </>
      )}
    </Shown>
  );
}
