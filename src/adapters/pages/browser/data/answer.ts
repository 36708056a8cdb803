/** Node data for views: refetched with each block, and never shown for another chain, branch or moment. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { clock, generation, moment, pulse, returns } from './store.js';

export type Answer<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** `isOld`: the value of the previous moment, while the new one is being fetched. */
  | { readonly state: 'there'; readonly value: Value; readonly isOld: boolean };

interface Kept<Value> {
  readonly subject: string;
  readonly at: string;
  readonly answer: Answer<Value>;
}

/**
 * Fetches data with `read`. `subject` must contain everything that the answer depends on besides chain and moment.
 * Refetches with each block (unless `isFixed`), and when the node becomes reachable again; the old value stays until
 * the new one arrives.
 */
export function useAnswer<Value>(
  subject: readonly unknown[],
  read: () => Promise<Value>,
  { isFixed = false }: { readonly isFixed?: boolean } = {},
): Answer<Value> {
  const key = JSON.stringify([generation.value, ...subject], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const at = `${moment.value ?? 'now'}`;
  const [kept, keep] = useState<Kept<Value>>({ subject: key, at, answer: { state: 'loading' } });
  const wanted = useRef({ key, at, asked: 0, shown: 0 });
  if (wanted.current.key !== key || wanted.current.at !== at) wanted.current = { key, at, asked: 0, shown: 0 };
  const beat = `${returns.value} ${isFixed ? '' : pulse.value}`;
  useEffect(() => {
    const mine = wanted.current;
    mine.asked += 1;
    const turn = mine.asked;
    const done = (answer: Answer<Value>): void => {
      // ignore a late answer for another subject, or one older than the shown value
      if (mine !== wanted.current || turn < mine.shown) return;
      mine.shown = turn;
      keep({ subject: key, at, answer });
    };
    read().then(
      (value) => done({ state: 'there', value, isOld: false }),
      (error: unknown) => done({ state: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  }, [key, at, beat]);
  if (kept.subject !== key) return { state: 'loading' };
  return kept.at !== at && kept.answer.state === 'there' ? { ...kept.answer, isOld: true } : kept.answer;
}

/** Fetches data about the running process with each poll of the node, independent of the shown moment. */
export function useLive<Value>(read: () => Promise<Value>): Answer<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>({ state: 'loading' });
  const isHere = useRef(true);
  useEffect(() => () => void (isHere.current = false), []);
  const beat = clock.value;
  useEffect(() => {
    const done = (next: Answer<Value>): void => {
      if (isHere.current) setAnswer(next);
    };
    read().then(
      (value) => done({ state: 'there', value, isOld: false }),
      (error: unknown) => done({ state: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  }, [beat]);
  return answer;
}
