import { createServer } from 'node:net';
import { FACES, type DaemonOptions, type Face } from '../../config/daemon-options.js';

/** Finds all faces whose port is in use, before anything is opened. */
export async function portsTaken(
  options: DaemonOptions,
): Promise<readonly { readonly port: number; readonly face: Face }[]> {
  // The consensus face of a node that an engine drives is the engine's own.
  const faces = FACES.filter((face) => face !== 'comet' || options.engine === undefined);
  const chosen = faces.map((face) => ({ face, ...options.listen[face] })).filter(({ port }) => port !== 0);
  const taken = await Promise.all(chosen.map(({ host, port }) => isTaken(host, port)));
  return chosen.filter((_, index) => taken[index]).map(({ face, port }) => ({ face, port }));
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(false)));
  });
}
