/** Answers of the node for a view: read again with each block, never of another chain, branch or moment. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { clock, generation, moment, pulse, returns } from './store.js';

export type Answer<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  /** `isOld`: of the moment before, while that of the new moment is on its way. */
  | { readonly state: 'there'; readonly value: Value; readonly isOld: boolean };

interface Kept<Value> {
  readonly subject: string;
  readonly at: string;
  readonly answer: Answer<Value>;
}

/**
 * The answer of `read` for a subject, which names all that the answer depends on besides chain and moment. It is read
 * again with each block, unless `isFixed`, and when the node answers again after it had not; until the new answer is
 * there, the one before stays.
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
      // an answer that comes late is neither for another subject nor older than what is shown
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

/** An answer about the running process, which is read with each look at the node, whatever moment is shown. */
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
