/** Health of the node (`/health`, `src/node/metrics.ts`), and explanations of halts. */
import { statusOf } from './faces.js';
import { fetchNode } from './origin.js';

export interface NodeHealth {
  readonly status: string;
  readonly height: string;
  readonly position: string;
  readonly reason?: string;
  /** True while blocks are made. */
  readonly isWell: boolean;
}

/** Reads the health of the node; null if the metrics face is closed. */
export async function readHealth(): Promise<NodeHealth | null> {
  const answer = await fetchNode('/_page/metrics/health');
  if (statusOf(answer) === 404) return null;
  const body = (await answer.json()) as Omit<NodeHealth, 'isWell'>;
  return { ...body, isWell: statusOf(answer) < 400 };
}

const STANDSTILLS: Readonly<Record<string, string>> = {
  halted: 'The chain is halted',
  diskFull: 'The node makes no blocks: its disk is full',
  waitingForEngine: 'No block can come: CometBFT is not connected to the node',
  noValidator: 'The node makes no blocks',
  draining: 'The node is stopping',
};

/** Why a node makes no blocks; undefined if it makes blocks or will soon. */
export function standstillOf(health: NodeHealth | null): string | undefined {
  const words = health === null || health.isWell ? undefined : STANDSTILLS[health.status];
  const reason = health?.reason?.replace(/[:\s]+$/, '');
  return words === undefined ? undefined : `${words}${reason === undefined ? '' : `: ${reason}`}.`;
}
