import { createServer } from 'node:net';
import { FACE_NAMES, FACES, type DaemonOptions } from '../../config/daemon-options.js';
import { portOwners } from './port-owners.js';

interface TakenPort {
  readonly port: number;
  /** The name of its face. */
  readonly face: string;
  /** The process that has it; undefined where the system does not tell. */
  readonly owner: string | undefined;
}

/** Finds the faces whose port is already in use, before anything is opened. */
export async function portsTaken(options: DaemonOptions): Promise<readonly TakenPort[]> {
  // With an external engine, the engine itself serves the consensus RPC.
  const faces = FACES.filter((face) => face !== 'comet' || options.engine === undefined);
  const chosen = faces.map((face) => ({ face, ...options.listen[face] })).filter(({ port }) => port !== 0);
  const taken = await Promise.all(chosen.map(({ host, port }) => isTaken(host, port)));
  const inUse = chosen.filter((_, index) => taken[index]);
  const owners = inUse.length === 0 ? undefined : portOwners(inUse.map(({ port }) => port));
  return inUse.map(({ face, port }) => ({ face: FACE_NAMES[face], port, owner: owners?.get(port) }));
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(false)));
  });
}
