/** Tries a query of the event language on the last blocks, before a client subscribes with it. */
import { useRef, useState } from 'preact/hooks';
import { ask } from '../data/ethereum.js';
import { groupedText } from '../data/format.js';
import type { Matches } from '../data/inside.js';
import { fieldText, messageOf } from './actions.js';
import { BlockLink, TxId } from './ids.js';
import { Card, Table } from './layout.js';

/** Blocks whose events are compared, and matches that are shown. */
const BLOCKS = 200;
const SHOWN = 20;

/** A form for a query, and the events that a subscription with it would have received. */
export function QueryTester() {
  const form = useRef<HTMLFormElement>(null);
  const [found, setFound] = useState<Matches | string>('');
  const submit = (event: Event): void => {
    event.preventDefault();
    ask<Matches>('chronicle_matchQuery', fieldText(form.current, 'query').trim(), { blocks: BLOCKS }).then(
      setFound,
      (error: unknown) => setFound(messageOf(error)),
    );
  };
  return (
    <Card title="Try a query" id="tester">
      <form class="row" ref={form} onSubmit={submit}>
        <input
          name="query"
          required
          aria-label="Query of a subscription"
          placeholder="tm.event='Tx' AND message.action='/cosmos.bank.v1beta1.MsgSend'"
          spellcheck={false}
          autocomplete="off"
        />
        <button>Match</button>
      </form>
      <div role="status">
        {typeof found === 'string' ? <p class="outcome bad">{found}</p> : <Found matches={found} />}
      </div>
    </Card>
  );
}

function Found({ matches: { from, to, examined, total, matches } }: { matches: Matches }) {
  return (
    <>
      <p class="muted">
        {groupedText(total)} of {groupedText(examined)} events of blocks {from} to {to} match
        {total > SHOWN && `; ${SHOWN} of them are shown`}.
      </p>
      <Table
        label="Events that the query matches"
        columns={['Block', 'Event', 'Transaction', 'Values']}
        empty="Nothing would have come."
        rows={matches
          .slice(-SHOWN)
          .toReversed()
          .map(({ height, type, txHash, values }, index) => ({
            key: `${height} ${type} ${txHash} ${index}`,
            cells: [
              <BlockLink height={height} />,
              type,
              txHash === null ? '' : <TxId hash={`0x${txHash.toLowerCase()}`} />,
              <span class="text">
                {Object.entries(values)
                  .map(([key, list]) => `${key}: ${list.join(', ')}`)
                  .join('; ')}
              </span>,
            ],
          }))}
      />
    </>
  );
}
