import { goldenLines, hasGolden } from './golden.js';

/** A transaction that was recorded in several sign modes. */
export interface TxVector<Modes> {
  readonly name: string;
  readonly chain_id: string;
  readonly account_number: number;
  readonly sequence: number;
  readonly unsigned: { readonly body: { readonly messages: readonly { readonly '@type': string }[] } };
  readonly modes: Modes;
}

/** The recorded transactions; none where the recording is missing. */
export const txVectors = <Modes>(): readonly TxVector<Modes>[] =>
  hasGolden ? goldenLines<TxVector<Modes>>('tx-vectors/cosmos.jsonl') : [];
