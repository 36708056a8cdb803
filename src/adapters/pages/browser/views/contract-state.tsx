/**
 * Events of a contract as they come, and its storage. Asks: `eth_getLogs`, `debug_storageRangeAt`, `eth_getStorageAt`.
 */
import { useRef, useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { abiOf, keepAbi, layoutOf, readLayout } from '../data/contracts.js';
import { ask, hexOf, type Log, logBounds } from '../data/ethereum.js';
import { earliest, headHeight, moment } from '../data/store.js';
import { messageOf } from '../parts/actions.js';
import { Shown } from '../parts/answers.js';
import { Id } from '../parts/ids.js';
import { Card, Table } from '../parts/layout.js';
import { Logs } from '../parts/events.js';
import { NamedStorage } from '../parts/named-storage.js';

const LOGS_SHOWN = 100;

/** Events of a contract, the newest first. */
export function ContractEvents({ address }: { address: string }) {
  const answer = useAnswer(['events', address], async () => {
    const bounds = logBounds(moment.value ?? headHeight.value, earliest.value);
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

/** Storage of a contract: its variables, where their layout is known, and its slots. */
export function ContractStorage({ address }: { address: string }) {
  const layout = layoutOf(address);
  return (
    <>
      {layout === undefined ? <LayoutForm address={address} /> : <NamedStorage address={address} layout={layout} />}
      <Slots address={address} />
    </>
  );
}

function LayoutForm({ address }: { address: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const keep = (): void => {
    try {
      const { name = 'Contract', abi = [] } = abiOf(address) ?? {};
      keepAbi(address, { name, abi, storageLayout: readLayout(area.current?.value ?? '') });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <details class="fold">
      <summary>Show variables by their names</summary>
      <div class="stack">
        <label for="layout-text">
          Layout as JSON: solc's output storageLayout, or <code>forge inspect Name storageLayout --json</code>
        </label>
        <textarea id="layout-text" ref={area} spellcheck={false} placeholder='{"storage":[…],"types":{…}}' />
        <div class="row">
          <button type="button" class="primary" onClick={keep}>
            Use it
          </button>
          <span role="status" class="outcome bad">
            {problem}
          </span>
        </div>
      </div>
    </details>
  );
}

/** Slots of a contract in the order of their hashes, page by page. */
function Slots({ address }: { address: string }) {
  const [starts, setStarts] = useState<readonly string[]>([FIRST]);
  const start = starts.at(-1) ?? FIRST;
  const answer = useAnswer(['storage', address, start], () =>
    ask<Storage>('debug_storageRangeAt', stateAfter(), 0, address, start, SLOTS),
  );
  const next = answer.state === 'there' ? answer.value.nextKey : null;
  return (
    <Card
      title="Slots"
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
