/** Transactions of both worlds, the newest first, or those that a query matches. Asks: `/tx_search`, `txpool_content`. */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { ask, type EthereumTx } from '../data/ethereum.js';
import { groupedText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { RANKS_PER_PAGE, useRanks } from '../data/ranks.js';
import { searchTxs } from '../data/recent.js';
import { earliest, moment, refusePruned, waiting } from '../data/store.js';
import { Callout, Shown } from '../parts/answers.js';
import { AccountId, TxId } from '../parts/ids.js';
import { Card, Table, Title } from '../parts/layout.js';
import { Coins } from '../parts/values.js';
import { TX_COLUMNS, txCells } from '../parts/tx-table.js';
import { Virtual, type VirtualRows } from '../parts/virtual.js';

/** The list of all transactions. */
export function Transactions({ facts }: { facts: NodeFacts }) {
  const [query, setQuery] = useState('');
  const [text, setText] = useState('');
  const parts = [query, moment.value === undefined ? '' : `tx.height <= ${moment.value}`].filter((part) => part !== '');
  const whole = parts.length === 0 ? 'tx.height > 0' : parts.join(' AND ');
  const found = useAnswer(['txs', whole], async () => {
    refusePruned();
    return (await searchTxs(whole, 1, 1, facts.denom.base)).total;
  });
  const total = found.state === 'there' ? found.value : undefined;
  const count = (waiting.value?.pending ?? 0) + (waiting.value?.queued ?? 0);
  const submit = (event: Event): void => {
    event.preventDefault();
    setQuery(text.trim());
  };
  return (
    <>
      <Title>Transactions</Title>
      {count > 0 && moment.value === undefined && <Waiting />}
      <Card title={total === undefined ? 'All' : `${groupedText(total)} found`} id="list">
        <form class="row query" onSubmit={submit}>
          <input
            aria-label="Query of events"
            placeholder="message.sender='…' AND transfer.amount > 5"
            value={text}
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button>Filter</button>
        </form>
        <Shown answer={found} lines={10}>
          {(all) =>
            all === 0 ? (
              <p class="empty">{query === '' ? 'There is no transaction yet.' : 'No transaction matches.'}</p>
            ) : (
              <Virtual key={whole} count={all} label="Transactions">
                {(rows) => <Rows query={whole} count={all} rows={rows} denom={facts.denom.base} />}
              </Virtual>
            )
          }
        </Shown>
      </Card>
    </>
  );
}

function Rows({
  query,
  count,
  rows: { ranks, isAside },
  denom,
}: {
  query: string;
  count: number;
  rows: VirtualRows;
  denom: string;
}) {
  const { valueOf, failure } = useRanks(
    // ranks count from the oldest kept transaction
    ['txs', query, `${earliest.value}`],
    count,
    ranks,
    async (page) => (await searchTxs(query, page + 1, RANKS_PER_PAGE, denom, 'asc')).rows,
  );
  return (
    <>
      {failure !== undefined && <Callout kind="bad">{failure}</Callout>}
      <Table
        label="Transactions"
        columns={TX_COLUMNS}
        rowCount={count}
        rows={ranks.map((rank) => {
          const row = valueOf(rank);
          return { key: `${rank}`, rank, isAside: isAside(rank), cells: row === undefined ? ['…'] : txCells(row) };
        })}
      />
    </>
  );
}

type Content = Readonly<Record<string, Readonly<Record<string, EthereumTx>>>>;

function Waiting() {
  const content = useAnswer(['waiting', waiting.value], () =>
    ask<{ readonly pending: Content; readonly queued: Content }>('txpool_content'),
  );
  return (
    <Card title="Waiting">
      <Shown answer={content}>
        {({ pending, queued }) => (
          <Table
            label="Waiting transactions"
            columns={['Hash', 'From', 'To', '>Nonce', '>Value', 'State']}
            empty="Only Cosmos transactions wait."
            rows={(
              [
                ['ready', pending],
                ['behind a gap', queued],
              ] as const
            ).flatMap(([state, list]) =>
              Object.values(list)
                .flatMap((one) => Object.values(one))
                .map((tx) => ({
                  key: tx.hash,
                  cells: [
                    <TxId hash={tx.hash} />,
                    <AccountId address={tx.from} />,
                    tx.to === null ? 'deployment' : <AccountId address={tx.to} />,
                    BigInt(tx.nonce).toString(),
                    <Coins amount={BigInt(tx.value)} />,
                    state,
                  ],
                })),
            )}
          />
        )}
      </Shown>
    </Card>
  );
}
