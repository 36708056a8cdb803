/** Account changes of a transaction, from `prestateTracer` in diff mode. */

/** An account in the tracer's result; absent members did not change. */
export interface TracedAccount {
  readonly balance?: string;
  readonly nonce?: number;
  readonly code?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

export interface TracedDiff {
  readonly pre: Readonly<Record<string, TracedAccount>>;
  readonly post: Readonly<Record<string, TracedAccount>>;
}

/** A change of an account; undefined means absent. */
export interface Change {
  readonly address: string;
  readonly part: 'balance' | 'nonce' | 'code' | 'slot';
  /** The storage slot; empty for balance, nonce and code. */
  readonly slot: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The priority fee, which the tracer credits to the proposer, as Ethereum does. */
export interface Tip {
  readonly proposer: string;
  readonly amount: bigint;
}

/**
 * Changes sorted by address. Members that `post` omits are unchanged. The proposer's tip is removed, because this
 * chain pays all fees to the fee collector.
 */
export function changesOf(traced: TracedDiff, tip?: Tip): readonly Change[] {
  const { pre, post } = tip === undefined ? traced : withoutTip(traced, tip);
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])].toSorted();
  return addresses.flatMap((address): readonly Change[] => {
    const before = pre[address];
    const after = post[address];
    const isGone = before !== undefined && after === undefined;
    const changes: Change[] = [];
    for (const part of ['balance', 'nonce', 'code'] as const) {
      const old = before?.[part]?.toString();
      const now = after?.[part]?.toString();
      if (now === undefined ? isGone && old !== undefined : now !== old)
        changes.push({ address, part, slot: '', before: old, after: now });
    }
    const slots = new Set([...Object.keys(before?.storage ?? {}), ...Object.keys(after?.storage ?? {})]);
    for (const slot of [...slots].toSorted()) {
      const old = before?.storage?.[slot];
      const now = after?.storage?.[slot];
      if (old !== now) changes.push({ address, part: 'slot', slot, before: old, after: now });
    }
    return changes;
  });
}

function withoutTip({ pre, post }: TracedDiff, { proposer, amount }: Tip): TracedDiff {
  const address = Object.keys(post).find((one) => one.toLowerCase() === proposer.toLowerCase());
  const account = address === undefined ? undefined : post[address];
  if (address === undefined || account?.balance === undefined) return { pre, post };
  const balance = BigInt(account.balance) - amount;
  // the receipt and the tracer count gas differently
  if (balance < 0n) return { pre, post };
  const isAsBefore = balance === BigInt(pre[address]?.balance ?? 0);
  const text = isAsBefore ? pre[address]?.balance : `0x${balance.toString(16)}`;
  const { balance: _, ...others } = account;
  return { pre, post: { ...post, [address]: text === undefined ? others : { ...others, balance: text } } };
}
