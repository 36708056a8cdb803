/** A long list of which only the visible rows are in the document, whatever its length is. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Lists up to this length are whole. */
const WHOLE = 40;
const ROW_PIXELS = 36;
/** Browsers draw no element that is much higher (17.8 million pixels in Firefox, 33.5 in Chromium). */
const MOST_PIXELS = 8_000_000;

/** Rows that are in the document, the newest first. A row has its rank in `data-rank`. */
export interface VirtualRows {
  readonly ranks: readonly number[];
  /** It is out of sight, and stays because it has the focus or a selection. */
  readonly isAside: (rank: number) => boolean;
}

/** Rows of ranks from `count - 1` down to 0. What the reader looks at stays in its place when newer ones come. */
export function Virtual({
  count,
  label,
  children,
}: {
  count: number;
  label: string;
  children: (rows: VirtualRows) => ComponentChildren;
}) {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  /** Rank of the first row in sight; undefined while that is the newest one. */
  const [top, setTop] = useState<number | undefined>(undefined);
  const [fits, setFits] = useState(20);
  const kept = useKept(outer);
  const last = Math.max(0, count - fits);
  const first = top === undefined ? 0 : Math.min(last, Math.max(0, count - 1 - top));
  const isWhole = count <= WHOLE;
  const newest = count - 1 - first;
  const oldest = isWhole ? 0 : Math.max(0, newest - fits - 1);
  const inSight = Array.from(
    { length: Math.max(0, (isWhole ? count - 1 : newest) - oldest + 1) },
    (_, index) => (isWhole ? count - 1 : newest) - index,
  );
  const shown = new Set(inSight);
  const ranks = [...inSight, ...kept.filter((rank) => !shown.has(rank) && rank < count)].toSorted((a, b) => b - a);
  const settle = useRef(() => {});
  settle.current = () => {
    const [box, view] = [outer.current, inner.current];
    if (isWhole || box === null || view === null) return;
    const heights = [...view.querySelectorAll('[data-rank]:not(.unseen)')].map(
      (row) => row.getBoundingClientRect().height,
    );
    const height = heights.reduce((sum, one) => sum + one, 0) / Math.max(1, heights.length);
    const now = Math.max(1, Math.floor(box.clientHeight / Math.max(ROW_PIXELS / 2, height)));
    if (Math.abs(now - fits) > 1) setFits(now);
    view.scrollTop = first > 0 && first >= last ? view.scrollHeight : 0;
  };
  useLayoutEffect(() => settle.current());
  useEffect(() => {
    const view = inner.current?.firstElementChild;
    if (view == null) return undefined;
    // rows come, and become higher than their places
    const observer = new ResizeObserver(() => settle.current());
    observer.observe(view);
    return () => observer.disconnect();
  }, [isWhole]);
  useLayoutEffect(() => {
    const box = outer.current;
    if (box !== null && !isWhole)
      box.scrollTop = last === 0 ? 0 : (first / last) * (box.scrollHeight - box.clientHeight);
  }, [count]);
  const scrolled = (): void => {
    const box = outer.current;
    if (box === null) return;
    const way = box.scrollHeight - box.clientHeight;
    const next = way <= 0 ? 0 : Math.round((box.scrollTop / way) * last);
    if (next !== first) setTop(next === 0 ? undefined : count - 1 - next);
  };
  useLayoutEffect(() => {
    const box = outer.current;
    // at the end no scrolling tells that fewer rows fit, and that the last ones are further down
    if (box !== null && !isWhole && box.scrollTop > 0 && box.scrollTop >= box.scrollHeight - box.clientHeight - 1)
      scrolled();
  }, [fits]);
  const rows = { ranks, isAside: (rank: number) => !shown.has(rank) };
  if (isWhole) return <div ref={outer}>{children(rows)}</div>;
  return (
    <div class="virtual" ref={outer} onScroll={scrolled} tabIndex={0} role="region" aria-label={label}>
      <div style={{ height: `${Math.min(count * ROW_PIXELS, MOST_PIXELS)}px` }}>
        <div class="window" ref={inner}>
          <div>{children(rows)}</div>
        </div>
      </div>
    </div>
  );
}

/** Ranks of the rows with the focus, and with the selected text. */
function useKept(outer: { readonly current: HTMLElement | null }): readonly number[] {
  const [kept, keep] = useState<readonly number[]>([]);
  useEffect(() => {
    const rankOf = (node: Node | null): readonly number[] => {
      const element = node instanceof Element ? node : node?.parentElement;
      const row = element?.closest<HTMLElement>('[data-rank]');
      return row == null || outer.current?.contains(row) !== true ? [] : [Number(row.dataset['rank'])];
    };
    const look = (): void => {
      const selection = getSelection();
      const selected = selection === null || selection.isCollapsed ? [] : rankOf(selection.anchorNode);
      const next = [...new Set([...rankOf(document.activeElement), ...selected])];
      keep((before) => (before.join() === next.join() ? before : next));
    };
    document.addEventListener('focusin', look);
    document.addEventListener('focusout', look);
    document.addEventListener('selectionchange', look);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('focusout', look);
      document.removeEventListener('selectionchange', look);
    };
  }, []);
  return kept;
}
