import { toBinary } from '@bufbuild/protobuf';
import type { Application } from '../application.js';
import type { InitChainRequest, InitChainResult } from '../application-requests.js';
import { asObject } from '../text/json-object.js';
import { hex } from '../bytes/hex.js';
import { toHeight } from '../primitives.js';
import { type ValidatorUpdate, ValidatorUpdateSchema } from '../proto/tendermint/abci/types_pb.js';
import { GenesisError } from '../sdk/module/genesis-section.js';
import { missingModules } from '../sdk/module/app-version.js';
import { RecoveredPanic, SdkError, sdkErrors } from '../sdk/module/sdk-error.js';
import { CacheStore, EMPTY_STATE } from '../state/overlay.js';
import type { ApplicationOptions, Assembly } from './assembly.js';
import { mempoolChecks } from './check-transactions.js';
import { createDescriber } from './describe-tx.js';
import { ethereumFace } from './ethereum.js';
import { BlockExecution } from './finalize-block.js';
import { processProposal } from './process-proposal.js';
import { toResult } from './results.js';
import { runTx } from './run-tx.js';
import { ChainAssemblies } from './chain-assemblies.js';

/**
 * Creates the application of one version for one chain; its methods are pure functions of the state (see
 * `Application`).
 */
export function createApplication(options: ApplicationOptions): Application {
  const stages = new ChainAssemblies(options);
  const { chain, crypto, keepers } = stages.first;
  const { router, queries } = stages.last;
  const blocks = new BlockExecution(stages);

  return {
    initChain: (request) => initChain(stages.first, request),
    ...mempoolChecks(stages),
    describe: createDescriber(router, chain, crypto),
    finalizeBlock: (state, request) => blocks.finalizeBlock(state, request),
    prepareProposal: (state, request, isLate) => blocks.prepareProposal(state, request, isLate),
    finalizePrepared: (height, hash) => blocks.finalizePrepared(height, hash),

    processProposal: (state, request) => processProposal(stages.ofBlock(state, request.height), state, request),
    simulate(state, at, tx) {
      const { contexts, router } = stages.over(state);
      contexts.changing();
      const outcome = runTx(
        { shared: contexts.shared(at), router, mode: 'simulate', blockMaxGas: undefined },
        new CacheStore(state),
        tx,
      );
      const { code, codespace, log, gasWanted, gasUsed } = outcome;
      return code === 0
        ? { ok: true, gasWanted, gasUsed, result: toResult(outcome) }
        : { ok: false, code, codespace, log, gasUsed };
    },

    queryPaths: new Set(queries.keys()),

    query(state, at, path, data) {
      const { contexts, queries } = stages.over(state);
      const handler = queries.get(path);
      if (handler === undefined) {
        const { code, codespace, text } = sdkErrors.unknownRequest;
        return { ok: false, code, codespace, log: `unknown query path: ${text}` };
      }
      try {
        return { ok: true, value: handler.handle(contexts.query(state, at), data) };
      } catch (error) {
        if (!(error instanceof SdkError)) throw error;
        const { code, codespace, text } = error.registered;
        const log = error instanceof RecoveredPanic ? `${error.reason}: ${text}` : error.message;
        return { ok: false, code, codespace, log };
      }
    },

    ethereum: keepers.evm && ethereumFace(stages, keepers.evm),

    forgetState(): void {
      stages.forget();
      blocks.forget();
    },
  };
}

/** Builds the genesis state: each module writes its section of `app_state`. Throws GenesisError. */
function initChain({ version, contexts, router, initOrder }: Assembly, request: InitChainRequest): InitChainResult {
  const missing = missingModules(version);
  if (missing.length > 0)
    throw new GenesisError(
      'app_state',
      `preset ${version.name} needs modules that this build does not have: ${missing.join(', ')}`,
    );
  const sections = asObject(request.appState);
  if (sections === undefined) throw new GenesisError('app_state', 'is not an object');
  const { chainId, time, consensusParams, initialHeight } = request;
  const at = { chainId, height: toHeight(0n), time };
  const store = new CacheStore(EMPTY_STATE);
  const context = contexts.of(at, store, 'genesis');
  const deliver = (tx: Uint8Array): void => {
    const outcome = runTx({ shared: contexts.shared(at), router, mode: 'deliver', blockMaxGas: undefined }, store, tx);
    const { code, codespace, log } = outcome;
    if (code !== 0) throw new SdkError({ code, codespace, text: log });
  };
  const chosen = initOrder.flatMap(
    (module) => module.initGenesis(context, sections[module.name], { initialHeight, consensusParams, deliver }) ?? [],
  );
  return {
    writes: store.writes(),
    validators: agreedValidators(request.validators, chosen),
    consensusParams,
  };
}

/**
 * First validators: those that a module returned, which must equal the genesis document's if it lists any (SDK
 * `baseapp` InitChain); without such a module, the document's.
 */
function agreedValidators(
  named: readonly ValidatorUpdate[],
  chosen: readonly ValidatorUpdate[],
): readonly ValidatorUpdate[] {
  if (chosen.length === 0) return named;
  if (named.length === 0) return chosen;
  const textOf = (validators: readonly ValidatorUpdate[]): string =>
    validators
      .map((validator) => hex(toBinary(ValidatorUpdateSchema, validator)))
      .toSorted()
      .join();
  if (textOf(named) !== textOf(chosen))
    throw new GenesisError('consensus.validators', 'are not the validators that app_state bonds');
  return chosen;
}
