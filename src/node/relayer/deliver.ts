import type { Any } from '@bufbuild/protobuf/wkt';
import { updateClientMessage } from '../../core/relayer/clients.js';
import type { RelayedProof } from '../../core/relayer/handshake.js';
import { proofUnder, signedBlock, validatorsAt } from './blocks.js';
import type { Remote } from './remote.js';
import { latestOf } from './views.js';

/** Messages that prove facts of a chain to another one: the key of each, and the message with its proof. */
export interface Proven {
  readonly key: Uint8Array;
  readonly message: (proof: RelayedProof) => Any;
}

/**
 * The messages for `on`, which begin with the update of its client. A block of `of` above `height`, where the facts
 * were read, and above everything that the client knows, holds their proofs: a header of a height that the client knows
 * already would freeze it, where dev mode took the chain back.
 */
export async function provenMessages(
  on: Remote,
  of: Remote,
  clientId: string,
  height: bigint,
  facts: readonly Proven[],
  isHurried: boolean,
): Promise<{ readonly update: Any; readonly messages: readonly Any[] }> {
  const known = await latestOf(on, clientId);
  const { height: head } = await of.above(height > known ? height : known, isHurried);
  const [block, nextValidators] = await Promise.all([signedBlock(of, head), validatorsAt(of, known + 1n)]);
  const messages: Any[] = [];
  for (const { key, message } of facts) messages.push(message(await proofUnder(of, head, key)));
  const signer = on.chain.account.bech32;
  return {
    update: updateClientMessage(of.chain.chainId, clientId, block, { height: known, nextValidators }, signer),
    messages,
  };
}
