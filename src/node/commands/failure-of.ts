import { CorruptionError, HomeLockedError, OtherFormatError } from '../../store/errors.js';
import { GenesisRefused } from '../chain/open-chain.js';
import type { Failure } from '../config/index.js';
import { FaceFailed } from '../faces.js';
import { ReplayMismatch } from '../chain/rebuild-trees.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';

/** What went wrong, in terms that its user can act on; undefined for a defect of ours. */
export function failureOf(error: unknown, options: DaemonOptions): Failure | undefined {
  if (error instanceof HomeLockedError) return { id: 'E_HOME_LOCKED', home: options.home, pid: error.pid };
  if (error instanceof OtherFormatError) return { id: 'E_HOME_OLD', home: options.home, reason: `${error.message}.` };
  if (error instanceof CorruptionError) return { id: 'E_LOG_CORRUPT', position: error.where.position, problem: error.message };
  if (error instanceof ReplayMismatch) return { id: 'E_REPLAY_MISMATCH', height: error.height, expected: error.promised, got: error.computed };
  if (error instanceof GenesisRefused) return { id: 'E_GENESIS', file: options.genesisFile ?? 'the genesis of this home', message: error.message };
  if (error instanceof FaceFailed) {
    const { face, result } = error;
    if (result.code === 'E_PORT_IN_USE') return { id: 'E_PORT_IN_USE', taken: [{ port: result.port, face }] };
    return { id: 'E_CONFIG', message: `${face} cannot listen on ${result.host}:${result.port}` };
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(E[A-Z]+|LEVEL_[A-Z_]+)$/.test(error.code)) {
    return { id: 'E_STORAGE', message: error.code === 'ENOSPC' ? 'The disk is full.' : error.code };
  }
  return undefined;
}
