/** Buttons whose action takes time, and what they read from forms. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A button whose action takes time: while it runs it cannot be pressed, and its end is said beside it. */
export function Action({ label, run, kind = '' }: { label: string; run: () => Promise<string>; kind?: string }) {
  const [state, set] = useState<{
    readonly isBusy: boolean;
    readonly text: ComponentChildren;
    readonly isBad: boolean;
  }>({ isBusy: false, text: '', isBad: false });
  const isMounted = useRef(true);
  useEffect(() => () => void (isMounted.current = false), []);
  const press = async (): Promise<void> => {
    set({ isBusy: true, text: '', isBad: false });
    const end = await run().then(
      (text) => ({ isBusy: false, text, isBad: false }),
      (error: unknown) => ({ isBusy: false, text: messageOf(error), isBad: true }),
    );
    if (isMounted.current) set(end);
  };
  return (
    <span class="action">
      <button type="button" class={kind} disabled={state.isBusy} onClick={() => void press()}>
        {label}
      </button>
      <span role="status" class={state.isBad ? 'outcome bad' : 'outcome'}>
        {state.text}
      </span>
    </span>
  );
}

/** The words of anything that was thrown; wallets throw plain objects. */
export function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}

/** Text of a field of a form by its name; empty without one. */
export function fieldText(form: HTMLFormElement | null, name: string): string {
  const value = new FormData(form ?? undefined).get(name);
  return typeof value === 'string' ? value : '';
}
