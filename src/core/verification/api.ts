/** Verification of the sources of contracts, in the terms of Sourcify's API (https://docs.sourcify.dev/docs/api). */
import type { Match } from './match-code.js';

/** A contract to verify. */
export interface VerificationRequest {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** The compiler's standard JSON input. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The compiler's standard JSON output, where its caller has it: no compiler is needed then. */
  readonly output: Readonly<Record<string, unknown>> | undefined;
  /** `0.8.30+commit.73712a01`. */
  readonly compilerVersion: string;
  /** `path:Name`. */
  readonly contractIdentifier: string;
  /** 32 bytes. */
  readonly creationTransaction: Uint8Array | undefined;
}

/** The reason for which a contract is not verified; codes are those of Sourcify where it has one. */
export interface VerificationError {
  readonly code:
    | 'already_verified'
    | 'compiler_error'
    | 'compiler_not_found'
    | 'contract_not_deployed'
    | 'contract_not_found'
    | 'invalid_parameter'
    | 'limit_exceeded'
    | 'no_match'
    | 'storage_failed';
  readonly message: string;
}

/** How a contract matches. */
export interface Matches {
  readonly runtime: Match;
  /** Undefined where the transaction that created the contract was not named, or is another one. */
  readonly creation: Match | undefined;
}

export interface VerifiedContract extends Matches {
  /** ISO 8601. */
  readonly verifiedAt: string;
  /** keccak256 of the code that was verified. */
  readonly codeHash: string;
  readonly name: string;
  readonly contractIdentifier: string;
  readonly compilerVersion: string;
  readonly language: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly abi: readonly unknown[];
  /** Contents by path. */
  readonly sources: Readonly<Record<string, string>>;
  readonly metadata: string | undefined;
  /** The compiler's JSON of the places of variables (`src/core/abi/storage-layout.ts`), where its output had one. */
  readonly storageLayout?: object | undefined;
}

/** A contract that was compiled beside the node: its code is that of the account, and nobody named its sources. */
export type CompiledBeside = Pick<VerifiedContract, 'name' | 'abi' | 'runtime' | 'storageLayout'>;

/** A contract as a developer told of it (dev mode): nothing is compared. */
export type ToldContract = Pick<VerifiedContract, 'name' | 'abi' | 'storageLayout'>;

/** A contract whose interface the node knows. */
export type KnownContract =
  | ({ readonly origin: 'told'; readonly runtime?: undefined } & ToldContract)
  | ({ readonly origin: 'verified' } & VerifiedContract)
  | ({ readonly origin: 'artifacts' } & CompiledBeside);

/** How a contract was verified, and when: jobs keep no sources. */
export type MatchedContract = Pick<VerifiedContract, keyof Matches | 'verifiedAt'>;

export interface VerificationJob {
  readonly id: string;
  readonly address: Uint8Array;
  readonly startedAt: string;
  readonly finishedAt: string | undefined;
  readonly result:
    | { readonly ok: true; readonly contract: MatchedContract }
    | { readonly ok: false; readonly error: VerificationError }
    | undefined;
}

export interface VerificationApi {
  /** EIP-155 id of the chain. */
  readonly chainId: bigint;
  /** Begins a job, unless the contract is verified exactly or too many jobs wait; its id. */
  begin(
    request: VerificationRequest,
  ): Promise<{ readonly ok: true; readonly id: string } | { readonly ok: false; readonly error: VerificationError }>;
  job(id: string): VerificationJob | undefined;
  /** The verified contract at an address (20 bytes), as long as its code is the same. */
  contract(address: Uint8Array): Promise<VerifiedContract | undefined>;
}
