import type { AppVersion } from '../core/sdk/module/app-version.js';
import type { Contract } from '../core/abi/contract.js';
import type { Randomness } from '../core/ports/time.js';
import type { CommandArguments } from '../config/command-arguments.js';
import type { DaemonOptions } from '../config/daemon-options.js';
import type { DaemonCommand, DaemonConfig } from '../config/option-spec.js';
import type { KeyFiles, Keyring } from '../core/keys/keyring.js';
import type { KeyCrypto } from '../core/ports/key-crypto.js';
import type { RpcClient } from './client/rpc-client.js';

/** Text files that commands read and write; relative paths are relative to the working directory. */
export interface TextFiles {
  /** Text of a file; undefined when it cannot be read. */
  read(path: string): string | undefined;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Names of the files in a folder, sorted; undefined when it cannot be read. */
  list(path: string): readonly string[] | undefined;
  /** Writes a file, replacing an existing one. */
  write(path: string, text: string): void;
}

/** A recorded chain in a folder, and the application that executes it. */
export interface ComparedChainOptions {
  readonly folder: string;
  readonly preset: string;
  /** EIP-155 id; undefined takes the number in the chain id. */
  readonly evmChainId: bigint | undefined;
}

/** The app hashes that an execution gives as they are recorded, counted, and the first difference. */
export interface ChainComparison {
  readonly equal: number;
  readonly recorded: number;
  readonly difference: { readonly height: bigint; readonly texts: readonly string[] } | undefined;
  /** The first log that differs; logs are in no hash. */
  readonly remark?: { readonly height: bigint; readonly text: string } | undefined;
}

/** The host services of the command line. */
export interface CliPorts {
  /** Runs a command that runs the node or opens its home; resolves with the exit code of the process. */
  readonly runDaemon: (command: DaemonCommand, options: DaemonOptions, args: CommandArguments) => Promise<number>;
  readonly config: DaemonConfig;
  /** Writes to standard output: the data of a command. */
  readonly stdout: (text: string) => void;
  /** Writes to standard error: messages. */
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files of the keyring in a directory. */
  readonly keyring: (directory: string) => KeyFiles;
  readonly keyCrypto: KeyCrypto;
  readonly randomness: Randomness;
  readonly version: string;
  readonly files: TextFiles;
  /** Compiled contracts in folders; without folders, in those of hardhat and foundry in the working directory. */
  readonly contracts: (folders: readonly string[]) => Promise<readonly Contract[]>;
  /** Executes a recorded chain and compares it; throws CommandError for what cannot be read. */
  readonly compareChain: (options: ComparedChainOptions) => Promise<ChainComparison>;
  /** The application version of a preset; throws GenesisRefused for an unknown one. */
  readonly loadPreset: (name: string) => Promise<AppVersion>;
  /** True where standard output is a terminal that may show colours. */
  readonly isColoured?: boolean;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Opens an address in a browser; false where there is none. */
  readonly openPage: (address: string) => Promise<boolean>;
  /**
   * Asks on standard error and reads one line of standard input; undefined at its end. A `hidden` line is not echoed.
   */
  readonly readLine: (question: string, hidden: boolean) => Promise<string | undefined>;
  /** Asks a person for consent; undefined where the input is not a terminal. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** The context of a client command. */
export interface CommandContext {
  readonly ports: CliPorts;
  readonly rpc: RpcClient;
  readonly output: 'text' | 'json';
  /** JSON over several lines, as the SDK prints it; one line with `--no-indent`. */
  readonly indent: boolean;
  readonly home: () => string;
  /** The options that `start` has with this home. */
  readonly options: () => DaemonOptions;
  /** The words of dev accounts that `dev` has with this home, by its configuration and the environment. */
  readonly mnemonic: () => string;
  /** The keyring that the flags name, with addresses under a prefix; asks for its passphrase when it has one. */
  readonly keyring: (prefix: string) => Promise<Keyring>;
}
