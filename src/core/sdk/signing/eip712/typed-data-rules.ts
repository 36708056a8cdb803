import type { Registry } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { RuleSet } from '../../module/rule-set.js';
import type { Tx } from '../../module/tx.js';

/** Rules of typed data (EIP-712) that is signed in place of a transaction. */
export interface TypedDataRules {
  /** False for a transaction whose bytes of direct mode say more than its document. */
  readonly isShown: (tx: Pick<Tx, 'body' | 'unknownFields'>) => boolean;
  /** Throws SdkError for messages with an absent part; `unpacked`: what an `Any` holds is known. */
  readonly requireParts: (messages: readonly Any[], types: Registry, unpacked: boolean) => void;
}

export const typedDataRules = new RuleSet<TypedDataRules>({
  isShown: ({ body, unknownFields }) => !unknownFields && body.timeoutTimestamp === undefined,
  requireParts: () => {},
});
