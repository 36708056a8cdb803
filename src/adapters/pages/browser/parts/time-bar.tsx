/** The time slider: the height that the whole application shows. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../data/answer.js';
import { ask, type Block, hexOf } from '../data/ethereum.js';
import { dateText } from '../data/format.js';
import { goTo, headHeight, moment, namespaces } from '../data/store.js';
import { To } from './ids.js';
import { Icon } from './icon.js';

/** A slider over all blocks, with single steps, a field for a height, and one button back to the present. */
export function TimeBar() {
  const top = headHeight.value;
  const at = moment.value;
  const isPast = at !== undefined;
  const [wish, setWish] = useState<bigint | undefined>(undefined);
  const timer = useRef(0);
  const slide = (height: bigint): void => {
    setWish(height);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setWish(undefined);
      goTo(height >= headHeight.value ? undefined : height);
    }, 120);
  };
  const step = (by: bigint): void => {
    const next = (at ?? top) + by;
    if (next >= 1n) goTo(next >= top ? undefined : next);
  };
  useEffect(() => {
    document.body.classList.toggle('past', isPast);
  }, [isPast]);
  const shown = wish ?? at ?? top;
  return (
    <div class={isPast ? 'time past' : 'time'} role="group" aria-label="Moment that is shown">
      <button
        type="button"
        class="icon-button"
        aria-label="First block"
        disabled={shown <= 1n}
        onClick={() => goTo(1n)}
      >
        <Icon name="first" />
      </button>
      <button
        type="button"
        class="icon-button back"
        aria-label="One block back"
        disabled={shown <= 1n}
        onClick={() => step(-1n)}
      >
        <Icon name="chevron" />
      </button>
      <input
        type="range"
        id="time"
        aria-label="Block that is shown"
        aria-valuetext={isPast ? `block ${shown} of ${top}` : `now, block ${top}`}
        min={1}
        max={Math.max(1, Number(top))}
        value={Number(shown)}
        onInput={(event) => slide(BigInt(event.currentTarget.value))}
      />
      <button
        type="button"
        class="icon-button"
        aria-label="One block forward"
        disabled={!isPast}
        onClick={() => step(1n)}
      >
        <Icon name="chevron" />
      </button>
      {isPast ? <Past at={at} top={top} /> : <span class="now">now</span>}
    </div>
  );
}

interface Capabilities {
  readonly state?: { readonly oldestBlock?: string };
}

function Past({ at, top }: { at: bigint; top: bigint }) {
  const time = useAnswer(['time', at], () => ask<Block | null>('eth_getHeaderByNumber', hexOf(at)));
  const date = time.state === 'there' && time.value !== null ? dateText(Number(time.value.timestamp) * 1_000) : '';
  const kept = useAnswer(['kept'], () => ask<Capabilities>('eth_capabilities'));
  const oldest = kept.state === 'there' ? BigInt(kept.value.state?.oldestBlock ?? 0) : 0n;
  return (
    <>
      <span class="then" role="status">
        {at > top ? (
          <strong>Block {at.toString()} does not exist yet</strong>
        ) : (
          <>
            <strong>
              Block {at.toString()} of {top.toString()}
            </strong>{' '}
            {date}
            {oldest > at && (
              <strong id="pruned"> · its state is pruned: states begin with block {oldest.toString()}</strong>
            )}
          </>
        )}
      </span>
      {at < top && namespaces.value.has('chronicle') && (
        <To route={{ view: 'changes', from: at.toString(), to: top.toString() }}>Compare with now</To>
      )}
      <button type="button" class="primary" id="return-to-now" onClick={() => goTo(undefined)}>
        Return to now
      </button>
    </>
  );
}
