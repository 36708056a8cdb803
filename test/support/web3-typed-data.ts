import { readFileSync } from 'node:fs';
import { base64 } from '@scure/base';

interface Recorded {
  readonly origin: string;
  readonly transactions: readonly { readonly name: string; readonly tx: string }[];
}

const fixture = new URL('../fixtures/web3-typed-data.json', import.meta.url);
const { transactions }: Recorded = JSON.parse(readFileSync(fixture, 'utf8'));

/** Transactions of a real client, which the fixture's `origin` names: each is signed in its option. */
export const WEB3_TRANSACTIONS: readonly { readonly name: string; readonly bytes: Uint8Array }[] = transactions.map(
  ({ name, tx }) => ({ name, bytes: base64.decode(tx) }),
);

/** The transaction of a name; empty where there is none. */
export const web3TypedData = (name: string): Uint8Array =>
  WEB3_TRANSACTIONS.find((one) => one.name === name)?.bytes ?? new Uint8Array();
