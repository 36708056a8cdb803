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

/** A recorded chain, and the application that executes it. */
export interface ComparedChainOptions {
  readonly folder: string;
  readonly preset: string;
  /** EIP-155 id; by default the number in the chain id. */
  readonly evmChainId: bigint | undefined;
}

/** Number of equal app hashes, and the first difference. */
export interface ChainComparison {
  readonly equal: number;
  readonly recorded: number;
  readonly difference: { readonly height: bigint; readonly texts: readonly string[] } | undefined;
  /** The first differing log. No hash covers logs. */
  readonly remark?: { readonly height: bigint; readonly text: string } | undefined;
}

/** The host services of the command line. */
export interface CliPorts {
  /** Executes a command that starts a node or opens its home; resolves with the exit code. */
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
  /** Reads compiled contracts from folders; by default from those of hardhat and foundry in the working directory. */
  readonly contracts: (folders: readonly string[]) => Promise<readonly Contract[]>;
  /** Executes a recorded chain and compares the results. Throws CommandError for an unreadable recording. */
  readonly compareChain: (options: ComparedChainOptions) => Promise<ChainComparison>;
  /** The application version of a preset; throws GenesisRefused for an unknown one. */
  readonly loadPreset: (name: string) => Promise<AppVersion>;
  /** True if standard output is a terminal with colours. */
  readonly isColoured?: boolean;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Opens an address in a browser; false if there is no browser. */
  readonly openPage: (address: string) => Promise<boolean>;
  /**
   * Prints a question to standard error and reads one line of standard input; undefined at end of input. A `hidden`
   * line is not echoed.
   */
  readonly readLine: (question: string, hidden: boolean) => Promise<string | undefined>;
  /** Asks the user for confirmation; undefined if the input is not a terminal. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** The context of a client command. */
export interface CommandContext {
  readonly ports: CliPorts;
  readonly rpc: RpcClient;
  readonly output: 'text' | 'json';
  /** True for indented JSON, as the SDK prints it; false with `--no-indent`. */
  readonly indent: boolean;
  readonly home: () => string;
  /** The options that `start` would have with this home. */
  readonly options: () => DaemonOptions;
  /** The words of dev accounts that `dev` has with this home, by its configuration and the environment. */
  readonly mnemonic: () => string;
  /** Opens the keyring of the flags, with addresses under `prefix`; asks for its passphrase if it has one. */
  readonly keyring: (prefix: string) => Promise<Keyring>;
}
