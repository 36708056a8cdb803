/** Transactions of both worlds, the newest first, or those that a query matches. Asks: `/tx_search`, `txpool_content`. */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { ask, type EthereumTx } from '../data/ethereum.js';
import { groupedText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { searchTxs } from '../data/recent.js';
import { moment, waiting } from '../data/store.js';
import { AccountId, Card, Coins, Shown, Table, Title, TxId } from '../parts/basic.js';
import { TxTable } from '../parts/tx-table.js';

const PAGE = 25;

/** Pages of transactions. */
export function Transactions({ facts }: { facts: NodeFacts }) {
  const [page, setPage] = useState(1);
  const [query, setQuery] = useState('');
  const [text, setText] = useState('');
  const txs = useAnswer(['txs', page, query], () => {
    const before = moment.value === undefined ? '' : `tx.height <= ${moment.value}`;
    const parts = [query, before].filter((part) => part !== '');
    return searchTxs(parts.length === 0 ? 'tx.height > 0' : parts.join(' AND '), page, PAGE, facts.denom.base);
  });
  const total = txs.state === 'there' ? txs.value.total : undefined;
  const count = (waiting.value?.pending ?? 0) + (waiting.value?.queued ?? 0);
  const submit = (event: Event): void => {
    event.preventDefault();
    setPage(1);
    setQuery(text.trim());
  };
  return (
    <>
      <Title>Transactions</Title>
      {count > 0 && moment.value === undefined && <Waiting />}
      <Card
        title={total === undefined ? 'All' : `${groupedText(total)} found`}
        id="list"
        actions={
          <span class="pages">
            <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>
              Newer
            </button>
            <span>
              {page} / {total === undefined ? '…' : Math.max(1, Math.ceil(total / PAGE))}
            </span>
            <button type="button" disabled={page * PAGE >= (total ?? 0)} onClick={() => setPage(page + 1)}>
              Older
            </button>
          </span>
        }
      >
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
        <Shown answer={txs} lines={10}>
          {({ rows }) => <TxTable rows={rows} label="Transactions" empty="No transaction matches." />}
        </Shown>
      </Card>
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
