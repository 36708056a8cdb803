/** State that a transaction changed: accounts, balances, nonces, code and slots. */
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { modulesOf, type TransactionDiff } from '../data/changes.js';
import { given, layoutOf } from '../data/contracts.js';
import { ask, type Block, type EthereumTx, type Receipt } from '../data/ethereum.js';
import { amountText, groupedText, shortText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { wordsOf } from '../data/key-words.js';
import { type NamedChange, namedChanges } from '../data/slot-names.js';
import { type Change, changesOf, type Tip, type TracedDiff } from '../data/state-diff.js';
import { facts, namespaces } from '../data/store.js';
import { Shown } from './answers.js';
import { AccountId, Id, To } from './ids.js';
import { Card, Table } from './layout.js';
import { ChangedRows } from './changed-rows.js';
import { slotKeyText, Value } from './events.js';

interface StateChangesProps {
  tx: EthereumTx | null;
  receipt: Receipt | null;
  /** Its hash of the consensus. */
  cosmos: string | undefined;
  height: string | undefined;
}

/** Changes of the Ethereum world for a transaction of it; for others those of all modules. */
export function StateChanges({ tx, receipt, cosmos, height }: StateChangesProps) {
  const hasChronicle = namespaces.value.has('chronicle');
  const hash = receipt?.transactionHash;
  const answer = useAnswer(
    ['changes', hash],
    async () => {
      if (receipt === null) return [];
      const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
      const [traced, tip] = await Promise.all([
        ask<TracedDiff>('debug_traceTransaction', receipt.transactionHash, tracer),
        tipOf(receipt),
      ]);
      return changesOf(traced, tip);
    },
    { isFixed: true },
  );
  const block = height === undefined ? undefined : BigInt(height);
  return (
    <Card
      title="Changed state"
      actions={
        block !== undefined &&
        hasChronicle && (
          <To route={{ view: 'changes', from: (block - 1n).toString(), to: block.toString() }}>
            All changes of its block
          </To>
        )
      }
    >
      {hash !== undefined ? (
        <Shown answer={answer}>{(changes) => <ChangeTable changes={changes} tx={tx} receipt={receipt} />}</Shown>
      ) : hasChronicle && cosmos !== undefined ? (
        <ByModule hash={cosmos} />
      ) : (
        <p class="muted">The events below tell what a Cosmos transaction changed.</p>
      )}
    </Card>
  );
}

/** All rows that a transaction changed. */
function ByModule({ hash }: { hash: string }) {
  const answer = useAnswer(
    ['transactionDiff', hash],
    () => ask<TransactionDiff | null>('chronicle_transactionDiff', `0x${hash}`),
    { isFixed: true },
  );
  return (
    <Shown answer={answer}>
      {(diff) => {
        const shown = diff?.changes.filter(({ index }) => !index) ?? [];
        return (
          <>
            {modulesOf(shown).map(([module, changes]) => (
              <section key={module}>
                <h3>{module}</h3>
                <ChangedRows module={module} changes={changes} />
              </section>
            ))}
            {shown.length === 0 && <p class="muted">It changed nothing.</p>}
            {diff !== null && diff.more > 0 && <p class="muted">{groupedText(diff.more)} more rows changed.</p>}
          </>
        );
      }}
    </Shown>
  );
}

function ChangeTable({
  changes,
  tx,
  receipt,
}: { changes: readonly Change[] } & Pick<StateChangesProps, 'tx' | 'receipt'>) {
  const layouts = changes.map(({ address }) => layoutOf(address) !== undefined).join();
  // names are found by thousands of hashes
  const names = useMemo(() => {
    const accounts = facts.value?.accounts.map(({ hex }) => hex) ?? [];
    return namedChanges(changes, tx === null || receipt === null ? [] : wordsOf(tx, receipt, accounts), slotKeyText);
  }, [changes, layouts, given.value]);
  const unnamed = changes.find((change) => change.part === 'slot' && layoutOf(change.address) === undefined);
  return (
    <>
      <Table
        label="Changed state"
        columns={['Account', 'What', '>Before', '>After', '>Difference']}
        rows={changes.flatMap((change) => {
          const key = `${change.address} ${change.part} ${change.slot}`;
          const named = names.get(change) ?? [];
          if (named.length === 0) return [{ key, cells: cellsOf(change, facts.value) }];
          return named.map((one) => ({ key: `${key} ${one.name}`, cells: namedCells(change, one) }));
        })}
      />
      {unnamed !== undefined && (
        <p class="muted">
          Slots have the names of variables where the storage layout is known.{' '}
          <To route={{ view: 'account', address: unnamed.address, part: 'storage' }}>Storage of the contract</To>
        </p>
      )}
    </>
  );
}

async function tipOf({ blockNumber, effectiveGasPrice, gasUsed }: Receipt): Promise<Tip> {
  const { miner, baseFeePerGas = '0x0' } = await ask<Block>('eth_getHeaderByNumber', blockNumber);
  return { proposer: miner, amount: (BigInt(effectiveGasPrice) - BigInt(baseFeePerGas)) * BigInt(gasUsed) };
}

function cellsOf({ address, part, slot, before, after }: Change, known: NodeFacts | undefined) {
  const account = <AccountId address={address} />;
  switch (part) {
    case 'balance': {
      const [old, now] = [BigInt(before ?? 0), BigInt(after ?? 0)];
      const decimals = known?.denom.decimals ?? 18;
      // with all places: rounded ones would not add up
      const text = (value: bigint): string => amountText(value, decimals, decimals);
      return [
        account,
        `balance, ${known?.denom.symbol ?? ''}`,
        text(old),
        text(now),
        <span class={now < old ? 'minus' : 'plus'}>{`${now < old ? '' : '+'}${text(now - old)}`}</span>,
      ];
    }
    case 'nonce':
      return [account, 'nonce', before ?? '0', after ?? '0', `+${Number(after ?? 0) - Number(before ?? 0)}`];
    case 'code':
      return [account, 'code', codeText(before), codeText(after), ''];
    case 'slot':
      return [
        account,
        <span>
          slot <Id id={slot} what="slot" name={slotText(slot)} />
        </span>,
        <Word word={before} />,
        <Word word={after} />,
        '',
      ];
  }
}

/** A slot by the name of a variable in it. */
function namedCells({ address, slot, before, after }: Change, named: NamedChange) {
  const [old, now] = [named.before, named.after];
  return [
    <AccountId address={address} />,
    <span>
      <span class="text">{named.name}</span> <Id id={slot} what="slot" name={slotText(slot)} />
    </span>,
    old === undefined ? <Word word={before} /> : <Value value={old} />,
    now === undefined ? <Word word={after} /> : <Value value={now} />,
    old?.kind === 'number' && now?.kind === 'number' ? (
      <span class={now.value < old.value ? 'minus' : 'plus'}>
        {`${now.value < old.value ? '' : '+'}${now.value - old.value}`}
      </span>
    ) : (
      ''
    ),
  ];
}

function codeText(code: string | undefined): string {
  return code === undefined || code === '0x' ? 'none' : `${groupedText((code.length - 2) / 2)} bytes`;
}

function slotText(slot: string): string {
  const short = `0x${slot.slice(2).replace(/^0+(?=.)/, '')}`;
  return shortText(short, 8, 6);
}

function Word({ word }: { word: string | undefined }) {
  return word === undefined ? <span>0</span> : <Id id={word} what="word" name={slotText(word)} />;
}
