/** Blocks down from the newest one, in one list that scrolls. Asks: `eth_getBlockByNumber`. */
import { RANKS_PER_PAGE, useRanks } from '../data/ranks.js';
import { blocksFrom } from '../data/recent.js';
import { earliest, headHeight, moment } from '../data/store.js';
import { Callout } from '../parts/answers.js';
import { BlockLink } from '../parts/ids.js';
import { Card, Table, Title } from '../parts/layout.js';
import { Virtual, type VirtualRows } from '../parts/virtual.js';
import { BLOCK_COLUMNS, blockCells } from '../parts/block-table.js';

/** The list of all blocks. */
export function Blocks() {
  const top = moment.value ?? headHeight.value;
  const count = Number(top) + 1;
  return (
    <>
      <Title>Blocks</Title>
      <Card title={`${top} down`} id="list">
        <Virtual count={count} label="Blocks">
          {(rows) => <Rows count={count} rows={rows} />}
        </Virtual>
      </Card>
    </>
  );
}

function Rows({ count, rows: { ranks, isAside } }: { count: number; rows: VirtualRows }) {
  const { valueOf, failure } = useRanks(['blocks'], count, ranks, async (page) => {
    const start = page * RANKS_PER_PAGE;
    const end = Math.min(count, start + RANKS_PER_PAGE);
    const blocks = await blocksFrom(BigInt(end - 1), end - start);
    const byHeight = new Map(blocks.map((block) => [Number(block.number), block]));
    // the node does not give pruned blocks
    return Array.from({ length: end - start }, (_, index) => byHeight.get(start + index));
  });
  return (
    <>
      {failure !== undefined && <Callout kind="bad">{failure}</Callout>}
      <Table
        label="Blocks"
        columns={BLOCK_COLUMNS}
        rowCount={count}
        rows={ranks.map((rank) => {
          const block = valueOf(rank);
          const absent = rank < earliest.value ? 'pruned' : '…';
          const cells = block === undefined ? [<BlockLink height={`${rank}`} />, absent] : blockCells(block);
          return { key: `${rank}`, rank, isAside: isAside(rank), cells };
        })}
      />
    </>
  );
}
