import { equal } from '../../core/bytes/bytes.js';
import { hexData } from '../../core/bytes/hex.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { asObject } from '../../core/text/json-object.js';
import type {
  VerificationApi,
  VerificationError,
  VerificationJob,
  VerificationRequest,
  VerifiedContract,
} from '../../core/verification/api.js';
import {
  contractIn,
  matchCreation,
  matchRuntime,
  type CompiledContract,
  type Match,
} from '../../core/verification/match-code.js';
import type { Compile } from './compilers.js';
import type { VerifiedContracts } from './verified-contracts.js';

export interface VerificationOptions {
  readonly api: Pick<EthereumApi, 'chainId' | 'blockNumber' | 'code' | 'transaction'>;
  readonly crypto: Pick<Crypto, 'keccak256'>;
  readonly compile: Compile;
  readonly contracts: VerifiedContracts;
  /** Creates a job id (UUID). */
  readonly newId: () => string;
  /** Current time in ISO 8601. */
  readonly now: () => string;
  readonly onDefect: (error: unknown) => void;
}

type Result = NonNullable<VerificationJob['result']>;

/** Compiler outputs that a comparison needs (`outputSelection`). */
const SELECTION = { '*': { '*': ['abi', 'metadata', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'] } };

/** Creates the verification API. Jobs run one at a time, because a compiler run takes a core. */
export function createVerification(options: VerificationOptions): VerificationApi {
  const { api, crypto, contracts } = options;
  const jobs = new Map<string, VerificationJob>();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  const codeAt = (address: Uint8Array): Uint8Array => {
    const code = api.code(address, api.blockNumber());
    return code.ok ? code.value : new Uint8Array();
  };
  const codeHash = (address: Uint8Array): string => hexData(crypto.keccak256(codeAt(address)));
  const contract = async (address: Uint8Array): Promise<VerifiedContract | undefined> => {
    const found = await contracts.read(address);
    // Check the code again: the chain may have been reverted or replaced.
    return found?.codeHash === codeHash(address) ? found : undefined;
  };
  const creationInput = (hash: Uint8Array | undefined, address: Uint8Array): Uint8Array | undefined => {
    const found = hash && api.transaction(hash)?.transaction;
    const created = found?.receipt.contractAddress;
    return created !== undefined && equal(created, address) ? found?.transaction.data : undefined;
  };
  const verify = async (request: VerificationRequest): Promise<Result> => {
    const { address, contractIdentifier } = request;
    const deployed = codeAt(address);
    if (deployed.length === 0)
      return failed('contract_not_deployed', `there is no code at ${hexData(address)} on the chain ${api.chainId}`);
    const compiled = await compiledBy(options.compile, request);
    if ('code' in compiled) return { ok: false, error: compiled };
    const runtime = compiled.runtime && matchRuntime(deployed, compiled.runtime);
    if (runtime === undefined)
      return failed('no_match', `the code at ${hexData(address)} is not that of ${contractIdentifier}`);
    const input = creationInput(request.creationTransaction, address);
    const creation = input && compiled.creation && matchCreation(input, compiled.creation);
    const verified = verifiedOf(request, compiled, { runtime, creation }, options.now(), codeHash(address));
    const problem = await contracts.write(address, verified);
    if (problem !== undefined) return failed('limit_exceeded', problem);
    return { ok: true, contract: { runtime, creation, verifiedAt: verified.verifiedAt } };
  };
  const run = async (id: string, request: VerificationRequest): Promise<void> => {
    let result: Result;
    try {
      result = await verify(request);
    } catch (error) {
      options.onDefect(error);
      result = failed('storage_failed', 'the contract could not be verified: see the log of the node');
    }
    waiting -= 1;
    const job = jobs.get(id);
    if (job !== undefined) jobs.set(id, { ...job, finishedAt: options.now(), result });
  };
  return {
    chainId: api.chainId,
    async begin(request) {
      const known = await contract(request.address);
      if (
        known?.runtime === 'exact_match' &&
        (known.creation === 'exact_match' || request.creationTransaction === undefined)
      )
        return { ok: false, error: { code: 'already_verified', message: 'the contract is verified exactly' } };
      const { verificationJobs: maximum } = FIXED_LIMITS;
      if (waiting >= maximum)
        return {
          ok: false,
          error: { code: 'limit_exceeded', message: `limit verificationJobs (${maximum}) exceeded` },
        };
      const id = options.newId();
      const { address } = request;
      jobs.set(id, { id, address, startedAt: options.now(), finishedAt: undefined, result: undefined });
      const [oldest] = jobs.keys();
      if (jobs.size > FIXED_LIMITS.verificationResults && oldest !== undefined) jobs.delete(oldest);
      waiting += 1;
      last = last.then(() => run(id, request));
      return { ok: true, id };
    },
    job: (id) => jobs.get(id),
    contract,
  };
}

function failed(code: VerificationError['code'], message: string): Result {
  return { ok: false, error: { code, message } };
}

/** The contract from the compiler output in the request, else from a compiler on this machine. */
async function compiledBy(
  compile: Compile,
  { input, output, compilerVersion, contractIdentifier }: VerificationRequest,
): Promise<CompiledContract | VerificationError> {
  let made: unknown = output;
  if (made === undefined) {
    // Remove the model checker: it would start an external solver.
    const { modelChecker: _, ...settings } = asObject(input['settings']) ?? {};
    const compiled = await compile(compilerVersion, {
      ...input,
      settings: { ...settings, outputSelection: SELECTION },
    });
    if (!compiled.ok) return compiled;
    made = compiled.output;
  }
  const found = contractIn(made, contractIdentifier);
  if (found !== undefined) return found;
  const problem = firstError(made);
  return problem === undefined
    ? { code: 'contract_not_found', message: `the sources have no contract ${contractIdentifier}` }
    : { code: 'compiler_error', message: problem };
}

function firstError(output: unknown): string | undefined {
  const errors = asObject(output)?.['errors'];
  const found = (Array.isArray(errors) ? errors : []).find((one: unknown) => asObject(one)?.['severity'] === 'error');
  const message = asObject(found)?.['formattedMessage'] ?? asObject(found)?.['message'];
  return typeof message === 'string' ? message : undefined;
}

function verifiedOf(
  { input, compilerVersion, contractIdentifier }: VerificationRequest,
  { abi, metadata, storageLayout }: CompiledContract,
  { runtime, creation }: { readonly runtime: Match; readonly creation: Match | undefined },
  verifiedAt: string,
  codeHash: string,
): VerifiedContract {
  const contents = Object.entries(asObject(input['sources']) ?? {}).flatMap(([path, source]) => {
    const content = asObject(source)?.['content'];
    return typeof content === 'string' ? [[path, content] as const] : [];
  });
  return {
    runtime,
    creation,
    verifiedAt,
    codeHash,
    name: contractIdentifier.slice(contractIdentifier.lastIndexOf(':') + 1),
    contractIdentifier,
    compilerVersion,
    language: 'Solidity',
    settings: asObject(input['settings']) ?? {},
    abi,
    sources: Object.fromEntries(contents),
    metadata,
    storageLayout,
  };
}
