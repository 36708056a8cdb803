import { upgradeNeeded } from '../core/modules/upgrade/plan.js';
import { EXIT, type ExitCode } from './exit-codes.js';

/** A port that another process has, for the face that a person calls by this name. */
interface TakenPort {
  readonly port: number;
  readonly face: string;
  readonly owner?: string | undefined;
}

/** Failures that a user can act on: one line each for what failed, why, and what to do. */
export type Failure =
  | {
      readonly id: 'E_PORT_IN_USE';
      readonly taken: readonly TakenPort[];
    }
  | { readonly id: 'E_ADDRESS_IN_USE'; readonly address: string }
  | { readonly id: 'E_HOME_LOCKED'; readonly home: string; readonly pid: number | undefined }
  | { readonly id: 'E_HOME_REPLACED'; readonly home: string }
  | { readonly id: 'E_HOME_OLD' | 'E_HOME_NEWER'; readonly home: string; readonly reason: string }
  | {
      readonly id: 'E_LOG_CORRUPT';
      /** Position in the log, key of the row (hex), and name of the file, as far as they are known. */
      readonly position?: bigint;
      readonly key?: string;
      readonly file?: string;
      readonly problem: string;
    }
  | { readonly id: 'E_REPLAY_MISMATCH'; readonly height: bigint; readonly expected: string; readonly got: string }
  | {
      readonly id: 'E_UPGRADE_NEEDED';
      readonly name: string;
      readonly height: bigint;
      readonly info: string;
      /** The application's reason for the halt; undefined when this process lacks the upgrade. */
      readonly reason?: string | undefined;
    }
  | {
      readonly id: 'E_VALIDATORS';
      readonly height: bigint;
      readonly reason: string;
      readonly home: string;
      readonly preset: string;
    }
  | { readonly id: 'E_CONFIG'; readonly message: string; readonly command: 'dev' | 'start' | 'abci' }
  | {
      readonly id: 'E_GENESIS';
      readonly file: string;
      /** Description of the file's error; undefined if the file does not exist. */
      readonly message: string | undefined;
    }
  | { readonly id: 'E_NODE_VERSION'; readonly current: string; readonly needed: string }
  | { readonly id: 'E_UNWRITABLE'; readonly path: string; readonly reason: string }
  | { readonly id: 'E_NATIVE_BINARY'; readonly message: string }
  | { readonly id: 'E_STORAGE'; readonly message: string }
  | { readonly id: 'E_EXECUTION'; readonly message: string };

/** Exit code of each failure (`docs/OPERATING.md`). */
export const FAILURE_EXIT_CODES: Readonly<Record<Failure['id'], ExitCode>> = {
  E_PORT_IN_USE: EXIT.portInUse,
  E_ADDRESS_IN_USE: EXIT.portInUse,
  E_HOME_LOCKED: EXIT.homeLocked,
  E_HOME_REPLACED: EXIT.homeLocked,
  E_HOME_OLD: EXIT.config,
  E_HOME_NEWER: EXIT.config,
  E_LOG_CORRUPT: EXIT.logCorrupt,
  E_REPLAY_MISMATCH: EXIT.logCorrupt,
  E_UPGRADE_NEEDED: EXIT.haltedForUpgrade,
  E_VALIDATORS: EXIT.failed,
  E_CONFIG: EXIT.config,
  E_GENESIS: EXIT.config,
  E_NODE_VERSION: EXIT.config,
  E_UNWRITABLE: EXIT.config,
  E_NATIVE_BINARY: EXIT.config,
  E_STORAGE: EXIT.failed,
  E_EXECUTION: EXIT.failed,
};

/** Lines for standard error; the last one says what to do. */
export function failureLines(failure: Failure): readonly string[] {
  const [what, ...rest] = linesOf(failure);
  return [`${failure.id}: ${what ?? ''}`, ...rest];
}

/** A line for each owner, and one for the ports whose owner nobody knows. */
function linesOfPorts(taken: readonly TakenPort[]): readonly string[] {
  return [...new Set(taken.map(({ owner }) => owner))].map((owner) => {
    const ports = taken.filter((one) => one.owner === owner).map(({ port, face }) => `${port} (${face})`);
    const by = owner === undefined ? '' : ` by ${owner}`;
    return ports.length === 1 ? `Port ${ports.join('')} is taken${by}.` : `Ports ${ports.join(', ')} are taken${by}.`;
  });
}

function linesOf(failure: Failure): readonly string[] {
  switch (failure.id) {
    case 'E_PORT_IN_USE':
      return [
        ...linesOfPorts(failure.taken),
        ...(failure.taken.some(({ port }) => port === 9090) ? ['Prometheus uses 9090 too.'] : []),
        'Run with --port-base 18545 to move all ports, or --port-base 0 to let the system choose them.',
      ];
    case 'E_ADDRESS_IN_USE':
      return [
        `Another process listens on ${failure.address}.`,
        'Two applications cannot serve one address.',
        'Stop the other one, or choose an address with --address, and give the engine the same one: --proxy_app.',
      ];
    case 'E_HOME_LOCKED':
      return [
        `Data directory ${failure.home} is in use by ${failure.pid === undefined ? 'a process outside of this container' : `process ${failure.pid}`}.`,
        'Two nodes cannot write one log.',
        'Stop the other node, or run with --home <another directory> or --ephemeral.',
      ];
    case 'E_HOME_REPLACED':
      return [
        `Lock or data of ${failure.home} was removed or replaced while the node ran.`,
        'Another program may write there: this node has stopped writing and ends.',
        'Put the data back from a copy if you removed it by mistake, then start again. To start a new chain: chronicled reset, while no node runs',
      ];
    case 'E_HOME_OLD':
      return [
        `Data directory ${failure.home} is of an earlier build.`,
        failure.reason,
        `Run that build, whose export makes a genesis for this one, or start afresh with: chronicled reset --home ${failure.home}`,
      ];
    case 'E_HOME_NEWER':
      return [
        `Data directory ${failure.home} is of a newer build. It is not damaged.`,
        failure.reason,
        'Run the newer build, or use another directory with: --home <another directory>',
      ];
    case 'E_LOG_CORRUPT':
      return [
        `The log is damaged${failure.position === undefined ? '' : ` at position ${failure.position}`}${failure.file === undefined ? '' : `, in the file ${failure.file}`}.`,
        `${failure.problem}${failure.key === undefined ? '' : ` (row ${failure.key})`}`,
        'See all of the damage with: chronicled log verify. Rebuild the database from the log with: chronicled log rebuild. When the log itself is damaged, restore a copy of the home, or start afresh with: chronicled reset',
      ];
    case 'E_REPLAY_MISMATCH':
      return [
        `Replaying block ${failure.height} gave another result than the log holds.`,
        `Expected ${failure.expected}, got ${failure.got}: the code changed since this log was written.`,
        'Run the build that wrote this log, or start afresh with: chronicled reset',
      ];
    case 'E_UPGRADE_NEEDED':
      return [
        failure.reason ?? upgradeNeeded(failure),
        'The chain has agreed to go on with another version of the application from this height on.',
        `Continue with: chronicled start --app-version ${failure.name} (or skip it: --unsafe-skip-upgrades ${failure.height})`,
      ];
    case 'E_VALIDATORS':
      return [
        `Block ${failure.height} changes the validators in a way that consensus refuses: ${failure.reason}.`,
        'No node can go on with this block; CometBFT stops there, too. The state of the block before is kept.',
        `Print that state with: chronicled export --home ${failure.home}`,
        `Copy config/priv_validator_key.json to another home, and start that with: chronicled dev --preset ${failure.preset} --genesis <file>. Or start afresh with: chronicled reset`,
      ];
    case 'E_CONFIG':
      return [failure.message, `See every option with: chronicled ${failure.command} --help`];
    case 'E_GENESIS':
      if (failure.message === undefined)
        return [
          `There is no genesis file ${failure.file}.`,
          'Make one with: chronicled init, or name another with --genesis. A development chain needs none: chronicled dev',
        ];
      return [
        `${failure.file} is not a valid genesis file.`,
        failure.message,
        'Correct the file, or make one with: chronicled init',
      ];
    case 'E_NODE_VERSION':
      return [
        `Node.js ${failure.current} is too old.`,
        `Needed: ${failure.needed}.`,
        'Install a newer one from https://nodejs.org.',
      ];
    case 'E_UNWRITABLE':
      return [
        `${failure.path} cannot be written: ${failure.reason}.`,
        'Choose another path (of a home: --home, or --ephemeral), or correct the owner and the rights of this one.',
      ];
    case 'E_NATIVE_BINARY':
      return [
        failure.message,
        'A native part of the program is missing or was changed on this machine.',
        'Install the packages again with: npm ci. There are binaries for Linux, macOS and Windows on x64 and arm64.',
      ];
    case 'E_STORAGE':
      return [
        'The database failed.',
        failure.message,
        'Check the disk (space, permissions), then start again: everything acknowledged is kept.',
      ];
    case 'E_EXECUTION':
      return [
        'The node can make no more blocks, because of a fault in this program.',
        failure.message,
        'Start again: everything acknowledged is kept. If it happens again, report it with the lines above.',
      ];
  }
}
