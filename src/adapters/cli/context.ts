import type { Randomness } from '../../core/ports/time.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import type { DaemonConfig } from '../../core/config/option-spec.js';
import type { KeyFiles, Keyring } from '../../core/keys/keyring.js';
import type { KeyCrypto } from '../../core/ports/key-crypto.js';
import type { RpcClient } from './rpc-client.js';

/** Commands that need the node itself; each answers the exit code of the process. */
export interface DaemonCommands {
  dev(options: DaemonOptions): Promise<number>;
  start(options: DaemonOptions): Promise<number>;
  init(options: DaemonOptions): Promise<number>;
  reset(options: DaemonOptions): Promise<number>;
  logVerify(options: DaemonOptions): Promise<number>;
  logShow(options: DaemonOptions): Promise<number>;
  exportState(options: DaemonOptions): Promise<number>;
}

/** Text files that commands read and write, by a path of the working directory. */
export interface TextFiles {
  /** Undefined when it cannot be read. */
  read(path: string): string | undefined;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Replaces what is there. */
  write(path: string, text: string): void;
}

/** Everything that the command line needs of the host. */
export interface CliPorts {
  readonly daemon: DaemonCommands;
  readonly config: DaemonConfig;
  /** Data. */
  readonly stdout: (text: string) => void;
  /** Messages. */
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files of the keyring in a directory. */
  readonly keyring: (directory: string) => KeyFiles;
  readonly keyCrypto: KeyCrypto;
  readonly randomness: Randomness;
  readonly version: string;
  readonly files: TextFiles;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** One line of standard input, after a question on standard error; undefined at its end. Hidden lines are not shown while typed. */
  readonly readLine: (question: string, hidden: boolean) => Promise<string | undefined>;
  /** Asks a person; undefined where nobody can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** What the body of a client command gets. */
export interface CommandContext {
  readonly ports: CliPorts;
  readonly rpc: RpcClient;
  readonly output: 'text' | 'json';
  /** JSON over several lines, as the SDK prints it; one line with `--no-indent`. */
  readonly indent: boolean;
  readonly home: () => string;
  /** The keyring that the flags name, with addresses under a prefix; asks for its passphrase when it has one. */
  readonly keyring: (prefix: string) => Promise<Keyring>;
}
