import type { Any } from '@bufbuild/protobuf/wkt';
import { updateClientMessage } from '../../core/relayer/clients.js';
import type { RelayedProof } from '../../core/relayer/handshake.js';
import { proofUnder, signedBlock, validatorsAt } from './blocks.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { type Remote, RemoteFailed, type RemoteHead } from './remote.js';
import { latestOf, timeOf } from './views.js';
import { formatTime } from '../../core/comet/time.js';
import { NS_PER_MS, toTimeNs } from '../../core/primitives.js';

/** A message with a proof of a fact of another chain: the key to prove, and the function that creates the message. */
export interface Proven {
  readonly key: Uint8Array;
  readonly message: (proof: RelayedProof) => Any;
}

/**
 * The messages for chain `on`, beginning with the update of its client. The proofs are from a block of `of` that is
 * above `height`, where the facts were read, and above the client's latest height: after a dev-mode revert, a second
 * header of a known height would freeze the client.
 */
export async function provenMessages(
  on: Remote,
  of: Remote,
  clientId: string,
  height: bigint,
  facts: readonly Proven[],
  isHurried: boolean,
): Promise<{ readonly update: Any; readonly messages: readonly Any[] }> {
  const [known, time] = await Promise.all([latestOf(on, clientId), timeOf(on, clientId)]);
  const { height: head } = await later(on, of, height > known ? height : known, time, isHurried);
  const [block, nextValidators] = await Promise.all([signedBlock(of, head), validatorsAt(of, known + 1n)]);
  const messages: Any[] = [];
  for (const { key, message } of facts) messages.push(message(await proofUnder(of, head, key)));
  const signer = on.chain.account.bech32;
  return {
    update: updateClientMessage(of.chain.chainId, clientId, block, { height: known, nextValidators }, signer),
    messages,
  };
}

/**
 * Waits for a head of a chain above `height` and later than `time` (nanoseconds), which a client on `on` has: a
 * dev-mode revert also moves the clock back. Throws RemoteFailed if the clock is far behind; the error text stays the
 * same, so that it is logged once.
 */
async function later(on: Remote, of: Remote, height: bigint, time: bigint, isHurried: boolean): Promise<RemoteHead> {
  let head = await of.above(height, isHurried);
  while (head.time <= time) {
    const behindMs = Number((time - head.time) / NS_PER_MS) + 1;
    if (behindMs > FIXED_LIMITS.relayerBehindMs)
      throw new RemoteFailed(
        `${of.chain.chainId} was taken back, and ${on.chain.chainId} knows its time ${formatTime(toTimeNs(time))}: ` +
          'set its clock to a later one (evm_setTime), or reset it (anvil_reset)',
      );
    await of.pause(behindMs);
    head = await of.above(head.height, isHurried);
  }
  return head;
}
