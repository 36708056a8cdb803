/** Blocks, the newest first, or down from a height that the reader chose. Asks: `eth_getBlockByNumber`. */
import { useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { blocksFrom } from '../data/recent.js';
import { headHeight, moment } from '../data/store.js';
import { Card, Shown, Title } from '../parts/basic.js';
import { BlockTable } from './home.js';

const PAGE = 25n;

/** Pages of blocks. */
export function Blocks() {
  const [from, setFrom] = useState<bigint | undefined>(undefined);
  const end = moment.value ?? headHeight.value;
  const top = from === undefined || from > end ? end : from;
  const blocks = useAnswer(['blocks', from ?? 'head'], () =>
    blocksFrom(from ?? moment.value ?? headHeight.value, Number(PAGE)),
  );
  return (
    <>
      <Title>Blocks</Title>
      <Card
        title={`${top} down`}
        id="list"
        actions={
          <span class="pages">
            <button
              type="button"
              disabled={from === undefined}
              onClick={() => setFrom(top + PAGE >= end ? undefined : top + PAGE)}
            >
              Newer
            </button>
            <button type="button" disabled={top < PAGE} onClick={() => setFrom(top - PAGE)}>
              Older
            </button>
          </span>
        }
      >
        <Shown answer={blocks} lines={10}>
          {(list) => <BlockTable blocks={list} />}
        </Shown>
      </Card>
    </>
  );
}
