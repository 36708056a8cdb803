/** Events of a contract as they come, and its storage. Asks: `eth_getLogs`, `debug_storageRangeAt`. */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { ask, hexOf, type Log, logBounds } from '../data/ethereum.js';
import { headHeight, moment } from '../data/store.js';
import { Card, Id, Shown, Table } from '../parts/basic.js';
import { Logs } from '../parts/events.js';

const LOGS_SHOWN = 100;

/** Events of a contract, the newest first. */
export function ContractEvents({ address }: { address: string }) {
  const answer = useAnswer(['events', address], async () => {
    const bounds = logBounds(moment.value ?? headHeight.value);
    const logs = await ask<readonly Log[]>('eth_getLogs', { address, ...bounds });
    return { logs: logs.toReversed(), from: BigInt(bounds.fromBlock) };
  });
  return (
    <Card title="Events" id="list">
      <Shown answer={answer}>
        {({ logs, from }) => (
          <>
            <Logs logs={logs.slice(0, LOGS_SHOWN)} isAlone />
            <p class="muted">
              {logs.length > LOGS_SHOWN ? `The newest ${LOGS_SHOWN} of ${logs.length}` : logs.length}{' '}
              {logs.length === 1 ? 'event' : 'events'} since block {from.toString()}.
            </p>
          </>
        )}
      </Shown>
    </Card>
  );
}

interface Storage {
  readonly storage: Readonly<Record<string, { readonly key: string | null; readonly value: string }>>;
  readonly nextKey: string | null;
}

const SLOTS = 50;
const FIRST = `0x${'0'.repeat(64)}`;

/** The block before whose first transaction the state is that of the moment. */
function stateAfter(): string {
  return moment.value === undefined || moment.value >= headHeight.value ? 'pending' : hexOf(moment.value + 1n);
}

/** Slots of a contract in the order of their hashes, page by page. */
export function ContractStorage({ address }: { address: string }) {
  const [starts, setStarts] = useState<readonly string[]>([FIRST]);
  const start = starts.at(-1) ?? FIRST;
  const answer = useAnswer(['storage', address, start], () =>
    ask<Storage>('debug_storageRangeAt', stateAfter(), 0, address, start, SLOTS),
  );
  const next = answer.state === 'there' ? answer.value.nextKey : null;
  return (
    <Card
      title="Storage"
      id="list"
      actions={
        <span class="pages">
          <button type="button" disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
            Back
          </button>
          <button type="button" disabled={next === null} onClick={() => next !== null && setStarts([...starts, next])}>
            More
          </button>
        </span>
      }
    >
      <Shown answer={answer}>
        {({ storage }) => (
          <Table
            label="Slots"
            columns={['Slot', 'Value', '>Number']}
            empty="This account has no storage."
            rows={Object.entries(storage).map(([hash, { key, value }]) => ({
              key: hash,
              cells: [
                <Id id={key ?? hash} what="slot" />,
                <Id id={value} what="value" />,
                BigInt(value) < 10n ** 30n ? BigInt(value).toString() : '',
              ],
            }))}
          />
        )}
      </Shown>
    </Card>
  );
}
