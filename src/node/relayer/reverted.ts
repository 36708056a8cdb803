import type { Side } from '../../core/relayer/path.js';
import type { Remote, RemoteHead } from './remote.js';

/** The two chains of a path. */
export type Remotes = Readonly<Record<Side, Remote>>;

/** A block of each chain, at which a pass of the relayer reads it. */
export type Heads = Readonly<Record<Side, RemoteHead>>;

/**
 * Awaits a pass that reads both chains at `heads`. Resolves with undefined if it failed and a dev-mode revert has
 * removed one of these blocks meanwhile: then the caller reads the heads again. Throws every other error of the pass.
 */
export async function unlessReverted<Result>(
  remotes: Remotes,
  heads: Heads,
  pass: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await pass;
  } catch (error) {
    // a chain that cannot answer this either has the error of the pass
    const areRemoved = await Promise.all([remotes.a.isRemoved(heads.a), remotes.b.isRemoved(heads.b)]).catch(() => []);
    if (areRemoved.some((isRemoved) => isRemoved)) return undefined;
    throw error;
  }
}
