import type { Crypto } from '../../core/ports/crypto.js';
import { createClientMessage } from '../../core/relayer/clients.js';
import { handshakeMessage, initMessage, provenKey } from '../../core/relayer/handshake.js';
import { nextStep, type PathEnds, type PathStep, type Side, SIDE_OF } from '../../core/relayer/path.js';
import { signedBlock } from './blocks.js';
import { provenMessages } from './deliver.js';
import { type Heads, type Remotes, unlessReverted } from './reverted.js';
import { send } from './send.js';
import { viewOf } from './views.js';

const OTHER: Readonly<Record<Side, Side>> = { a: 'b', b: 'a' };

/**
 * Opens clients, connection and channel as far as they are missing, and returns the channel's ends. Mines blocks on
 * request in every mining mode. A chain that was reverted to before its channel gets a new one.
 */
export async function openPath(crypto: Pick<Crypto, 'sha256'>, remotes: Remotes): Promise<PathEnds> {
  for (;;) {
    const heads = { a: await remotes.a.above(0n, true), b: await remotes.b.above(0n, true) };
    const ends = await unlessReverted(remotes, heads, takeNext(crypto, remotes, heads));
    if (ends !== undefined) return ends;
  }
}

/** Takes the next step of the handshake; returns the ends if none is left. */
async function takeNext(crypto: Pick<Crypto, 'sha256'>, remotes: Remotes, heads: Heads): Promise<PathEnds | undefined> {
  const { a, b } = remotes;
  const heights = { a: heads.a.height, b: heads.b.height };
  const [viewA, viewB] = await Promise.all([viewOf(crypto, a, b, heights.a), viewOf(crypto, b, a, heights.b)]);
  const furthest = nextStep(viewA.all, viewB.all);
  const step = furthest.kind === 'open' ? furthest : nextStep(viewA.current, viewB.current);
  if (step.kind === 'open') return step.ends;
  await take(remotes, heights, step);
  return undefined;
}

async function take(
  remotes: Remotes,
  heights: Readonly<Record<Side, bigint>>,
  step: Exclude<PathStep, { readonly kind: 'open' }>,
): Promise<void> {
  if (step.kind === 'client') {
    const [on, of] = [remotes[step.on], remotes[OTHER[step.on]]];
    const block = await signedBlock(of, heights[OTHER[step.on]]);
    return send(on, [createClientMessage(of.chain.chainId, block, on.chain.account.bech32)], true);
  }
  const { kind, phase, ends } = step;
  const side = SIDE_OF[phase];
  const [on, of] = [remotes[side], remotes[OTHER[side]]];
  const each = { own: ends[side], other: ends[OTHER[side]], signer: on.chain.account.bech32 };
  if (phase === 'init') return send(on, [initMessage(kind, each)], true);
  const { update, messages } = await provenMessages(
    on,
    of,
    each.own.clientId,
    heights[OTHER[side]],
    [{ key: provenKey(kind, each.other), message: (proof) => handshakeMessage(kind, phase, each, proof) }],
    true,
  );
  return send(on, [update, ...messages], true);
}
