/**
 * One block: both headers, transactions, events by name, results, signatures, and what it changed.
 * Asks: `eth_getBlockByNumber` or `ByHash`, `eth_getBlockHashes`, `/block`, `/block_results`, `/commit`, `chronicle_logEvents`.
 */
import { useAnswer } from '../data/answer.js';
import { ask, type Block, type EthereumTx, hexOf } from '../data/ethereum.js';
import { type AbciEvent, comet } from '../data/faces.js';
import { groupedText, gweiText, shareText, sizeText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { searchTxs } from '../data/recent.js';
import { headHeight, keptText, namespaces } from '../data/store.js';
import { Callout, Later, Shown } from '../parts/answers.js';
import { Id, To } from '../parts/ids.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { Badge, Status, When } from '../parts/values.js';
import { AbciEvents } from '../parts/events.js';
import { Rounds } from '../parts/rounds.js';
import { Icon } from '../parts/icon.js';
import { TxTable } from '../parts/tx-table.js';

interface Consensus {
  readonly block_id: { readonly hash: string; readonly parts: { readonly total: number } };
  readonly block: {
    readonly header: Readonly<Record<string, unknown>> & {
      readonly time: string;
      readonly proposer_address: string;
      readonly app_hash: string;
      readonly data_hash: string;
      readonly validators_hash: string;
      readonly next_validators_hash: string;
      readonly consensus_hash: string;
      readonly last_results_hash: string;
      readonly last_commit_hash: string;
      readonly evidence_hash: string;
    };
    readonly data: { readonly txs: readonly string[] };
    readonly evidence: { readonly evidence: readonly unknown[] };
  };
}

interface Results {
  readonly txs_results:
    | readonly { readonly code: number; readonly gas_used: string; readonly events: readonly AbciEvent[] | null }[]
    | null;
  readonly finalize_block_events: readonly AbciEvent[] | null;
  readonly validator_updates: readonly unknown[] | null;
}

interface Commit {
  readonly canonical: boolean;
  readonly signed_header: {
    readonly commit: {
      readonly round: number;
      readonly signatures: readonly {
        readonly block_id_flag: number;
        readonly validator_address: string;
        readonly timestamp: string;
        readonly signature: string | null;
      }[];
    };
  };
}

/** The view of a height, or of either hash of a block. */
export function BlockView({ id, facts }: { id: string; facts: NodeFacts }) {
  const isHeight = /^[0-9]{1,19}$/.test(id);
  const answer = useAnswer(
    ['block', id],
    async () => {
      const block = await (isHeight
        ? ask<Block<EthereumTx> | null>('eth_getBlockByNumber', hexOf(BigInt(id)), true)
        : ask<Block<EthereumTx> | null>('eth_getBlockByHash', id, true));
      if (block === null) throw new Error(`This node has no block ${id}${keptText()}.`);
      return block;
    },
    { isFixed: true },
  );
  return (
    <Shown answer={answer} lines={8} title="Block">
      {(block) => <Whole block={block} facts={facts} />}
    </Shown>
  );
}

function Whole({ block, facts }: { block: Block<EthereumTx>; facts: NodeFacts }) {
  const height = BigInt(block.number);
  const hasConsensus = height > 0n && facts.ports.comet !== undefined;
  return (
    <>
      <Title
        kicker="Block"
        side={
          <span class="pages">
            {height > 0n && (
              <a class="button" href={`/block/${height - 1n}`}>
                <Icon name="first" /> Block {(height - 1n).toString()}
              </a>
            )}
            {height < headHeight.value && (
              <a class="button" href={`/block/${height + 1n}`}>
                Block {(height + 1n).toString()} <Icon name="last" />
              </a>
            )}
            {height > 0n && namespaces.value.has('chronicle') && (
              <To route={{ view: 'changes', from: (height - 1n).toString(), to: height.toString() }}>
                What it changed
              </To>
            )}
          </span>
        }
      >
        {groupedText(height)}
      </Title>
      <Later height={height} />
      <Card title="Ethereum header">
        <Pairs
          rows={[
            ['Hash', <Id id={block.hash} whole what="hash" />],
            ['Parent', <Id id={block.parentHash} route={{ view: 'block', id: block.parentHash }} what="hash" />],
            ['Time', <When milliseconds={Number(block.timestamp) * 1_000} isDate />],
            [
              'Gas used',
              `${groupedText(BigInt(block.gasUsed))} of ${groupedText(BigInt(block.gasLimit))} (${shareText(BigInt(block.gasUsed), BigInt(block.gasLimit))})`,
            ],
            ['Base fee', block.baseFeePerGas !== undefined && gweiText(BigInt(block.baseFeePerGas))],
            ['Size', sizeText(Number(block.size))],
            ['Proposer', <Id id={block.miner} what="address" />],
            ['State root', <Id id={block.stateRoot} what="root" />],
            ['Transactions root', <Id id={block.transactionsRoot} what="root" />],
            ['Receipts root', <Id id={block.receiptsRoot} what="root" />],
            ['PREVRANDAO', <Id id={block.mixHash} what="value" />],
            ['Extra data', block.extraData !== '0x' && <code>{block.extraData}</code>],
          ]}
        />
      </Card>
      {height === 0n ? (
        <Callout>Block 0 is made from the genesis document: the consensus chain begins with block 1.</Callout>
      ) : (
        <Txs height={height} facts={facts} />
      )}
      {hasConsensus && <Chain height={height} />}
    </>
  );
}

/** Transactions of a block, and how many there are where the consensus RPC tells. */
function Txs({ height, facts }: { height: bigint; facts: NodeFacts }) {
  const txs = useAnswer(['block-txs', height], async () => {
    const results = facts.ports.comet === undefined ? undefined : comet<Results>('block_results', { height });
    const [page, whole] = await Promise.all([searchTxs(`tx.height = ${height}`, 1, 100, facts.denom.base), results]);
    return { ...page, count: whole?.txs_results?.length ?? 0 };
  });
  return (
    <Card title="Transactions">
      <Shown answer={txs}>
        {({ rows, total, count }) => (
          <>
            <TxTable
              rows={rows.toReversed()}
              label="Transactions of the block"
              empty={
                count === 0 ? 'This block has none.' : `The index of transactions follows: ${count} are in this block.`
              }
            />
            {total > rows.length && (
              <p class="muted">
                The last {rows.length} of {total} are shown.
              </p>
            )}
          </>
        )}
      </Shown>
    </Card>
  );
}

function Chain({ height }: { height: bigint }) {
  const of = { isFixed: true };
  const consensus = useAnswer(['consensus', height], () => comet<Consensus>('block', { height }), of);
  const results = useAnswer(['results', height], () => comet<Results>('block_results', { height }), of);
  const commit = useAnswer(
    ['commit', height, headHeight.value > height],
    () => comet<Commit>('commit', { height }),
    of,
  );
  return (
    <>
      <Card title="Consensus header">
        <Shown answer={consensus} lines={8}>
          {({ block_id: id, block: { header, evidence } }) => (
            <Pairs
              rows={[
                ['Hash', <Id id={id.hash} whole what="hash" />],
                ['Time', <code>{header.time}</code>],
                ['Proposer', <Id id={header.proposer_address} what="address" />],
                ['App hash', <Id id={header.app_hash} whole what="app hash" />],
                ['Last results', <Id id={header.last_results_hash} what="hash" />],
                ['Transactions', <Id id={header.data_hash} what="hash" />],
                ['Validators', <Id id={header.validators_hash} what="hash" />],
                ['Next validators', <Id id={header.next_validators_hash} what="hash" />],
                ['Parameters', <Id id={header.consensus_hash} what="hash" />],
                ['Last commit', <Id id={header.last_commit_hash} what="hash" />],
                ['Evidence', evidence.evidence.length === 0 ? 'none' : `${evidence.evidence.length} pieces`],
              ]}
            />
          )}
        </Shown>
      </Card>
      <Card title="Signatures">
        <Shown answer={commit}>
          {({ canonical, signed_header: { commit: one } }) => (
            <>
              <p class="muted">
                Decided in round {one.round}.{' '}
                {canonical
                  ? 'This commit is in the next block.'
                  : 'This commit decided the head; the next block will hold the canonical one.'}
              </p>
              <Table
                label="Signatures"
                columns={['Validator', 'Vote', 'Time', 'Signature']}
                rows={one.signatures.map((vote, index) => ({
                  key: `${index}`,
                  cells: [
                    vote.validator_address === '' ? 'absent' : <Id id={vote.validator_address} what="address" />,
                    <Vote flag={vote.block_id_flag} />,
                    <code>{vote.block_id_flag === 1 ? '' : vote.timestamp}</code>,
                    vote.signature === null ? '' : <Id id={vote.signature} what="signature" />,
                  ],
                }))}
              />
            </>
          )}
        </Shown>
      </Card>
      {namespaces.value.has('chronicle') && <Rounds height={height} />}
      <Card title="Events of the block">
        <Shown answer={results}>
          {({ finalize_block_events: events, validator_updates: updates }) => (
            <>
              <h3>Begin of the block</h3>
              <AbciEvents events={inPhase(events ?? [], 'BeginBlock')} label="Events of the start of the block" />
              <h3>End of the block</h3>
              <AbciEvents events={inPhase(events ?? [], 'EndBlock')} label="Events of the end of the block" />
              {updates !== null && updates.length > 0 && (
                <p>
                  <Badge kind="warn">{`${updates.length} validators change`}</Badge>
                </p>
              )}
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

function inPhase(events: readonly AbciEvent[], phase: string): readonly AbciEvent[] {
  return events.filter(({ attributes }) => attributes.some(({ key, value }) => key === 'mode' && value === phase));
}

/** Flags of CometBFT's `BlockIDFlag`. */
function Vote({ flag }: { flag: number }) {
  if (flag === 2) return <Status ok text="for the block" />;
  return <Badge kind={flag === 3 ? 'warn' : 'bad'}>{flag === 3 ? 'for nothing' : 'absent'}</Badge>;
}
