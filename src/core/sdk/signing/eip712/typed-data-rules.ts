import type { Registry } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { RuleSet } from '../../module/rule-set.js';
import type { Tx } from '../../module/tx.js';

/** Rules for typed data (EIP-712) that is signed instead of a transaction. */
export interface TypedDataRules {
  /** False for a transaction whose direct-mode bytes contain more than its document. */
  readonly isShown: (tx: Pick<Tx, 'body' | 'unknownFields'>) => boolean;
  /** Throws SdkError for messages with an absent part; `unpacked`: the content of `Any` fields is known. */
  readonly requireParts: (messages: readonly Any[], types: Registry, unpacked: boolean) => void;
}

export const typedDataRules = new RuleSet<TypedDataRules>({
  isShown: ({ body, unknownFields }) => !unknownFields && body.timeoutTimestamp === undefined,
  requireParts: () => {},
});
