import { startNode } from 'chronicled';
import {
  BrokenPromise,
  checkPromises,
  indexerTarget,
  play,
  PromisesBroken,
  type ChainAction,
  type Command,
} from 'chronicled/testing';
import { expect, test } from 'vitest';
import { NaiveIndexer, ResumingIndexer } from './indexers.js';

const OPTIONS = { interest: 'newHeads' };
/** Milliseconds for a test: a search takes longer than those that vitest allows by default. */
const SEARCH_MS = 60_000;
/** For tests that are meant to fail: what has not come by then is lost. */
const SHORT = { ...OPTIONS, patienceMs: 1_000 };

test('an indexer that goes on behind its last block sees every block once, in order', async () => {
  const target = await indexerTarget(startNode, ({ ethWs }) => new ResumingIndexer(ethWs), OPTIONS);
  try {
    await checkPromises(target, { runs: 8 });
  } finally {
    await target.stop?.();
  }
}, SEARCH_MS);

test('an indexer that only connects again loses blocks: the search finds it, and says when', async () => {
  const target = await indexerTarget(startNode, ({ ethWs }) => new NaiveIndexer(ethWs), SHORT);
  try {
    const broken: unknown = await checkPromises(target, { runs: 100, timeLimitMs: 10_000 }).catch((error: unknown) => error);
    expect(broken).toBeInstanceOf(PromisesBroken);
    expect(String(broken)).toMatch(/"no gap"|"complete"/);
  } finally {
    await target.stop?.();
  }
}, SEARCH_MS);

/** What the search printed, pasted into a test. */
const COUNTEREXAMPLE: readonly Command<ChainAction>[] = [
  { do: 'start' },
  { do: 'cut' },
  { do: 'mine' },
  { do: 'restore' },
  { do: 'mine' },
];

test('the counterexample breaks the one and not the other', async () => {
  const naive = await indexerTarget(startNode, ({ ethWs }) => new NaiveIndexer(ethWs), SHORT);
  const resuming = await indexerTarget(startNode, ({ ethWs }) => new ResumingIndexer(ethWs), OPTIONS);
  try {
    await expect(play(naive, COUNTEREXAMPLE)).rejects.toThrow(BrokenPromise);
    await play(resuming, COUNTEREXAMPLE);
  } finally {
    await naive.stop?.();
    await resuming.stop?.();
  }
}, SEARCH_MS);
