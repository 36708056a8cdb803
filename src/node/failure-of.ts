import {
  causeOf,
  CommitUnknownError,
  CorruptionError,
  HomeLockedError,
  HomeReplacedError,
  OtherFormatError,
  PoisonedError,
  RestoreUnfinishedError,
} from '../store/errors.js';
import { EvmChainIdNeeded, GenesisNeeded, GenesisRefused, NoGenesisFile } from '../core/app/chain-of-genesis.js';
import { ValidatorsRefused } from '../core/chain/chain-state.js';
import { UnknownVersionError } from '../core/modules/upgrade/handlers.js';
import { type Failure, listenProblem, systemFailure } from '../config/index.js';
import { BranchRefused } from './dev/branch-height.js';
import { FaceFailed } from './faces.js';
import { ChainMismatch } from '../core/chain/chain-mismatch.js';
import { EngineMismatch } from '../runtime/chain/engine-mismatch.js';
import { AddressInUse, AddressRefused, abciUrl } from '../adapters/abci/index.js';
import { OlderChainError } from '../runtime/chain/older-chain.js';
import { ReplayMismatch } from '../runtime/rebuild/rebuild-trees.js';
import { type DaemonOptions, FACE_NAMES } from '../config/daemon-options.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';

/** Converts an error to a failure that the user can fix; undefined for a bug of this program. */
export function failureOf(error: unknown, options: DaemonOptions): Failure | undefined {
  if (error instanceof HomeLockedError) return { id: 'E_HOME_LOCKED', home: options.home, pid: error.pid };
  // After a failed write, the store wraps the first error in every later one.
  if (causeOf(error, HomeReplacedError) !== undefined) return { id: 'E_HOME_REPLACED', home: options.home };
  if (error instanceof OtherFormatError || error instanceof OlderChainError) {
    const id = error instanceof OtherFormatError && error.isNewer ? 'E_HOME_NEWER' : 'E_HOME_OLD';
    return { id, home: options.home, reason: `${error.message}.` };
  }
  const damage = causeOf(error, CorruptionError);
  if (damage !== undefined) return { id: 'E_LOG_CORRUPT', ...damage.where, problem: damage.problem };
  if (error instanceof ReplayMismatch)
    return { id: 'E_REPLAY_MISMATCH', height: error.height, expected: error.promised, got: error.computed };
  if (error instanceof ValidatorsRefused) {
    const { home, preset } = options;
    return { id: 'E_VALIDATORS', height: error.height, reason: error.reason, home, preset };
  }
  if (error instanceof EvmChainIdNeeded)
    return { id: 'E_CONFIG', message: `--chain-id: ${error.message}`, command: commandOf(options) };
  if (
    error instanceof UnknownVersionError ||
    error instanceof GenesisNeeded ||
    error instanceof BranchRefused ||
    error instanceof EngineMismatch ||
    error instanceof ChainMismatch ||
    error instanceof RestoreUnfinishedError
  )
    return { id: 'E_CONFIG', message: error.message, command: commandOf(options) };
  if (error instanceof NoGenesisFile) return { id: 'E_GENESIS', file: error.path, message: undefined };
  if (error instanceof GenesisRefused)
    return { id: 'E_GENESIS', file: options.genesisFile ?? 'the genesis of this home', message: error.message };
  if (error instanceof AddressRefused)
    return { id: 'E_CONFIG', message: `--address: ${error.message}`, command: commandOf(options) };
  if (error instanceof AddressInUse) return { id: 'E_ADDRESS_IN_USE', address: abciUrl(error.address) };
  if (error instanceof FaceFailed) {
    const { face, result } = error;
    if (result.code === 'E_PORT_IN_USE')
      return { id: 'E_PORT_IN_USE', taken: [{ port: result.port, face: FACE_NAMES[face] }] };
    const reason = listenProblem(result.reason);
    const message = `${face} cannot listen on ${result.host}:${result.port}: ${reason}`;
    return { id: 'E_CONFIG', message, command: commandOf(options) };
  }
  const system = systemFailure(error);
  if (system !== undefined) return system;
  const problem = storageProblem(error);
  return problem === undefined ? undefined : { id: 'E_STORAGE', message: problem };
}

/** Converts the reason why a running node failed; a reason that the user cannot fix is a fault of this program. */
export function failureOfRun(reason: unknown, options: DaemonOptions): Failure {
  const text = reason instanceof Error ? reason.message : String(reason);
  // The message of a lost executor contains its stack trace, which the log shows.
  return failureOf(reason, options) ?? { id: 'E_EXECUTION', message: text.split('\n', 1).join() };
}

/** The command whose `--help` the failure text names. */
function commandOf({ mode, engine }: DaemonOptions): 'abci' | DaemonOptions['mode'] {
  return engine === undefined ? mode : 'abci';
}

/** A text for the system error or database error at the end of the cause chain. */
function storageProblem(error: unknown): string | undefined {
  let found: string | undefined;
  let current = error;
  for (let depth = 0; depth < FIXED_LIMITS.causes && current instanceof Error; depth += 1) {
    const code =
      'code' in current && typeof current.code === 'string' && /^(E[A-Z0-9]+|LEVEL_[A-Z_]+)$/.test(current.code)
        ? current.code
        : undefined;
    if (code === 'ENOSPC' || /No space left on device/.test(current.message)) return 'The disk is full.';
    if (code === 'EFBIG' || /File too large/.test(current.message))
      return 'A file may not grow any more (file too large).';
    if (code === undefined && current.message.startsWith('IO error: ')) found = current.message;
    else if (code !== undefined) found = `${current.message} (${code})`;
    else if (current instanceof PoisonedError || current instanceof CommitUnknownError) found = current.message;
    current = current.cause;
  }
  return found;
}
