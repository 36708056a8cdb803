/** State that a transaction changed: accounts, balances, nonces, code and slots. */
import { useAnswer } from '../data/answer.js';
import { ask, type Block, type Receipt } from '../data/ethereum.js';
import { amountText, groupedText, shortText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { type Change, changesOf, type Tip, type TracedDiff } from '../data/state-diff.js';
import { facts, namespaces } from '../data/store.js';
import { AccountId, Card, Id, Shown, Table, To } from './basic.js';

/** Changes of the Ethereum world for a transaction of it; for others a link to those of the block. */
export function StateChanges({ receipt, height }: { receipt: Receipt | null; height: string | undefined }) {
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
        namespaces.value.has('chronicle') && (
          <To route={{ view: 'changes', from: (block - 1n).toString(), to: block.toString() }}>
            All changes of its block
          </To>
        )
      }
    >
      {hash === undefined ? (
        <p class="muted">The events below tell what a Cosmos transaction changed.</p>
      ) : (
        <Shown answer={answer}>
          {(changes) => (
            <Table
              label="Changed state"
              columns={['Account', 'What', '>Before', '>After', '>Difference']}
              rows={changes.map((change) => ({
                key: `${change.address} ${change.part} ${change.slot}`,
                cells: cellsOf(change, facts.value),
              }))}
            />
          )}
        </Shown>
      )}
    </Card>
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
