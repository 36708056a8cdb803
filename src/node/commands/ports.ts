import { createServer } from 'node:net';
import type { DaemonOptions, Face } from '../../core/config/daemon-options.js';

/** Faces that this build opens. */
export const FACES_OPENED: readonly Face[] = ['comet', 'metrics'];

/** Faces whose port somebody else has: all of them at once, before anything is opened. */
export async function portsTaken(options: DaemonOptions): Promise<readonly { readonly port: number; readonly face: Face }[]> {
  const asked = FACES_OPENED.map((face) => ({ face, ...options.listen[face] })).filter(({ port }) => port !== 0);
  const taken = await Promise.all(asked.map(({ host, port }) => isTaken(host, port)));
  return asked.filter((_, index) => taken[index]).map(({ face, port }) => ({ face, port }));
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(false)));
  });
}
