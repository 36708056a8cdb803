/**
 * One transaction in both worlds: hashes, messages and calls decoded, logs and events, trace, changed state.
 * Asks: `/cosmos/tx/v1beta1/txs/{hash}`, `eth_getTransactionByHash`, `eth_getTransactionReceipt`,
 * `debug_traceTransaction` (callTracer, prestateTracer), `chronicle_transactionDiff`.
 */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { decodeCall } from '../data/contracts.js';
import { ask, askAll, type EthereumTx, type Frame, type Receipt, valueOf } from '../data/ethereum.js';
import { attributeOf, type CosmosTx, restOrNull } from '../data/faces.js';
import { groupedText, gweiText, lastName, shareText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { snippetsOf } from '../data/same-by.js';
import { keptText, namespaces } from '../data/store.js';
import { Callout, Later, Shown } from '../parts/answers.js';
import { AccountId, BlockLink, Id, To } from '../parts/ids.js';
import { Card, Pairs, Title } from '../parts/layout.js';
import { Badge, Code, Coins, CoinText, Status, When } from '../parts/values.js';
import { CallTree, failureText } from '../parts/call-tree.js';
import { AbciEvents, Logs, Values } from '../parts/events.js';
import { Json } from '../parts/json.js';
import { StateChanges } from '../parts/state-changes.js';

interface Both {
  readonly cosmos: CosmosTx | null;
  readonly ethereum: EthereumTx | null;
  readonly receipt: Receipt | null;
}

/** The view of either hash of a transaction. */
export function TransactionView({ hash, facts }: { hash: string; facts: NodeFacts }) {
  const answer = useAnswer(['tx', hash], async (): Promise<Both> => {
    const digits = hash.replace(/^0x/i, '');
    if (!/^[0-9a-f]{64}$/i.test(digits)) throw new Error(`${hash} is not a hash: a hash has 64 hexadecimal digits.`);
    const cosmos = await restOrNull<CosmosTx>(`/cosmos/tx/v1beta1/txs/${digits.toUpperCase()}`);
    const own = cosmos && attributeOf(cosmos.tx_response.events, 'ethereum_tx', 'ethereumTxHash');
    const asked = own ?? `0x${digits}`;
    const [tx, receipt] = await askAll([
      { method: 'eth_getTransactionByHash', params: [asked] },
      { method: 'eth_getTransactionReceipt', params: [asked] },
    ]);
    const both = { cosmos, ethereum: valueOf<EthereumTx>(tx), receipt: valueOf<Receipt>(receipt) };
    if (both.cosmos === null && both.ethereum === null)
      throw new Error(`This node has no transaction ${hash}${keptText()}.`);
    return both;
  });
  return (
    <Shown answer={answer} lines={10} title="Transaction">
      {(both) => <Whole both={both} facts={facts} />}
    </Shown>
  );
}

function Whole({ both: { cosmos, ethereum, receipt }, facts }: { both: Both; facts: NodeFacts }) {
  const response = cosmos?.tx_response;
  const isDone = ethereum?.blockNumber != null || response !== undefined;
  const ok = receipt === null ? response?.code === 0 : receipt.status === '0x1';
  const trace = useAnswer(
    ['trace', ethereum?.hash, isDone],
    () =>
      ethereum === null || !isDone || !namespaces.value.has('debug')
        ? Promise.resolve(null)
        : ask<Frame>('debug_traceTransaction', ethereum.hash, { tracer: 'callTracer' }),
    { isFixed: true },
  );
  const frame = trace.state === 'there' ? trace.value : null;
  return (
    <>
      <Title
        kicker={ethereum === null ? 'Cosmos transaction' : 'Ethereum transaction'}
        side={isDone ? <Status ok={ok} /> : <Badge kind="warn">waits for a block</Badge>}
      >
        {ethereum === null ? messageNames(cosmos) : summaryOf(ethereum)}
      </Title>
      {isDone && <Later height={BigInt(ethereum?.blockNumber ?? response?.height ?? 0)} />}
      {isDone && !ok && (
        <Callout kind="bad">
          {frame === null
            ? response?.raw_log === ''
              ? 'The transaction failed.'
              : response?.raw_log
            : failureText(deepest(frame))}
        </Callout>
      )}
      <Card title="Summary">
        <Pairs
          rows={[
            ['Ethereum hash', ethereum !== null && <Id id={ethereum.hash} whole what="Ethereum hash" />],
            ['Cosmos hash', response !== undefined && <Id id={response.txhash} whole what="Cosmos hash" />],
            ['Block', isDone && <BlockLink height={ethereum?.blockNumber ?? response?.height ?? 0} />],
            ['Time', response !== undefined && <When milliseconds={Date.parse(response.timestamp)} isDate />],
            ...(ethereum === null ? cosmosRows(cosmos) : ethereumRows(ethereum, receipt)),
          ]}
        />
      </Card>
      {ethereum !== null && <CallCard tx={ethereum} />}
      {ethereum === null && cosmos !== null && (
        <Card title="Messages">
          {cosmos.tx.body.messages.map((message, index) => {
            const { '@type': type, ...fields } = message;
            return (
              <details key={index} class="fold" open={index < 5}>
                <summary>
                  <Badge kind="cosmos">{lastName(type)}</Badge> <code>{type}</code>
                </summary>
                <div>
                  <Json value={fields} />
                </div>
              </details>
            );
          })}
        </Card>
      )}
      {receipt !== null && (
        <Card title={`Logs (${receipt.logs.length})`} id="logs">
          <Logs logs={receipt.logs} />
        </Card>
      )}
      {ethereum !== null && isDone && namespaces.value.has('debug') && (
        <Card title="Trace">
          <Shown answer={trace}>{(root) => root !== null && <CallTree frame={root} />}</Shown>
        </Card>
      )}
      {isDone && (ethereum === null || namespaces.value.has('debug')) && (
        <StateChanges tx={ethereum} receipt={receipt} cosmos={response?.txhash} height={response?.height} />
      )}
      {response !== undefined && (
        <Card title={`ABCI events (${response.events.length})`} id="events">
          <AbciEvents events={response.events} label="Events of the transaction" />
        </Card>
      )}
      <SameBy facts={facts} ethereum={ethereum?.hash} consensus={response?.txhash} />
    </>
  );
}

/** The innermost frame of the failure that ended the transaction. */
function deepest(frame: Frame): Frame {
  const inner = frame.calls?.findLast(({ error, output }) => error !== undefined && output === frame.output);
  return inner === undefined ? frame : deepest(inner);
}

function summaryOf({ to, input, value }: EthereumTx): string {
  if (to === null) return 'Deployment of a contract';
  const decoded = decodeCall(to, input);
  if (decoded !== undefined) return `Call of ${decoded.name}`;
  if (input !== '0x') return `Call of ${input.slice(0, 10)}`;
  return BigInt(value) === 0n ? 'Empty call' : 'Transfer';
}

function messageNames(cosmos: CosmosTx | null): string {
  return [...new Set(cosmos?.tx.body.messages.map((message) => lastName(message['@type'])))].join(', ');
}

type Rows = Parameters<typeof Pairs>[0]['rows'];

function ethereumRows(tx: EthereumTx, receipt: Receipt | null): Rows {
  const used = receipt === null ? undefined : BigInt(receipt.gasUsed);
  const price = receipt === null ? undefined : BigInt(receipt.effectiveGasPrice);
  return [
    ['From', <AccountId address={tx.from} whole />],
    ['To', tx.to !== null && <AccountId address={tx.to} whole />],
    ['Created', receipt?.contractAddress != null && <AccountId address={receipt.contractAddress} whole />],
    ['Value', <Coins amount={BigInt(tx.value)} places={18} />],
    ['Fee', used !== undefined && price !== undefined && <Coins amount={used * price} places={18} />],
    [
      'Gas',
      used === undefined
        ? `at most ${groupedText(BigInt(tx.gas))}`
        : `${groupedText(used)} of ${groupedText(BigInt(tx.gas))} (${shareText(used, BigInt(tx.gas))})`,
    ],
    ['Gas price', gweiText(price ?? BigInt(tx.gasPrice))],
    ['Nonce', BigInt(tx.nonce).toString()],
    ['Type', BigInt(tx.type).toString()],
  ];
}

function cosmosRows(cosmos: CosmosTx | null): Rows {
  if (cosmos === null) return [];
  const { tx, tx_response: response } = cosmos;
  const { fee } = tx.auth_info;
  return [
    ['Sender', <Json value={attributeOf(response.events, 'message', 'sender')} />],
    ['Fee', fee.amount.length === 0 ? 'none' : fee.amount.map((coin) => <CoinText key={coin.denom} {...coin} />)],
    ['Fee payer', fee.payer !== '' && <AccountId address={fee.payer} />],
    ['Granter', fee.granter !== '' && <AccountId address={fee.granter} />],
    ['Gas', `${groupedText(response.gas_used)} of ${groupedText(response.gas_wanted)}`],
    ['Memo', tx.body.memo !== '' && <span class="text">{tx.body.memo}</span>],
    ['Sequence', tx.auth_info.signer_infos.map(({ sequence }) => sequence).join(', ')],
    ['Code', response.code !== 0 && `${response.codespace} ${response.code}`],
  ];
}

function CallCard({ tx }: { tx: EthereumTx }) {
  if (tx.input === '0x') return null;
  const decoded = tx.to === null ? undefined : decodeCall(tx.to, tx.input);
  return (
    <Card title={tx.to === null ? 'Code that was sent' : 'Call'} id="call">
      {decoded === undefined ? (
        tx.to !== null && (
          <p class="muted">
            No known interface has this function.{' '}
            <To route={{ view: 'account', address: tx.to, part: 'contract' }}>Give the ABI of the contract</To>
          </p>
        )
      ) : (
        <>
          <p>
            <Badge kind="accent">{decoded.name}</Badge>
          </p>
          <Values decoded={decoded} />
        </>
      )}
      <details class="fold">
        <summary>Data, {groupedText((tx.input.length - 2) / 2)} bytes</summary>
        <div>
          <Code text={tx.input} what="data" />
        </div>
      </details>
    </Card>
  );
}

function SameBy({
  facts,
  ethereum,
  consensus,
}: {
  facts: NodeFacts;
  ethereum?: string | undefined;
  consensus?: string | undefined;
}) {
  const snippets = snippetsOf(facts, { ethereum, consensus });
  const [at, setAt] = useState(0);
  const shown = snippets[at] ?? snippets[0];
  if (shown === undefined) return null;
  return (
    <Card title="The same by">
      <div class="choices" role="group" aria-label="Client">
        {snippets.map(({ client }, index) => (
          <button key={client} type="button" aria-pressed={shown.client === client} onClick={() => setAt(index)}>
            {client}
          </button>
        ))}
      </div>
      <Code text={shown.text} what={`request by ${shown.client}`} />
    </Card>
  );
}
