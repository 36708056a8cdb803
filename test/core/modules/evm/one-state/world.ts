/** A chain with every precompile of evmd and the tokens of two coins, for random histories. */
import type { Any } from '@bufbuild/protobuf/wkt';
import { evmd } from '../../../../../src/core/app/presets.js';
import { fromHex, hex } from '../../../../../src/core/bytes/hex.js';
import { callContract } from '../../../../../src/core/modules/evm/internal-call.js';
import { SdkError } from '../../../../../src/core/sdk/module/sdk-error.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import type { StateReader } from '../../../../../src/core/state/state.js';
import type { Context } from '../../../../../src/core/sdk/module/context.js';
import { createEngineFactory } from '../../../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../../../src/runtime/evm/load-engine.js';
import { PropertyChain, type Settings } from '../../../app/properties/chain.js';
import { PEOPLE, person } from '../../../app/properties/people.js';
import { crypto } from '../../../app/support.js';
import { type ContractCall, TOKENS } from './contract-calls.js';

/** Amount of ucoin for each account. */
export const UCOINS = 1_000_000n;
/** Slashes take nothing. */
export const NO_SLASHES: Settings = {
  downtimeFraction: '0.000000000000000000',
  doubleSignFraction: '0.000000000000000000',
  maxValidators: 3,
  unbondingSeconds: 5,
};
const EACH_STATIC = [0x100, 0x400, 0x800, 0x801, 0x802, 0x804, 0x805, 0x806].map(
  (number) => `0x${number.toString(16).padStart(40, '0')}`,
);
const evm = createEngineFactory(loadEngineModule(), crypto);

/** Name of wei where achr has fewer than 18 decimals. */
const EXTENDED = 'weichr';

/** `decimals`: of achr; bank, fees and staking count in its base units. */
export function world(settings: Settings, decimals = 18): PropertyChain {
  const [native, dynamic] = [...TOKENS].map(([denom, erc20_address]) => ({
    erc20_address,
    denom: denom === 'achr' && decimals < 18 ? EXTENDED : denom,
    enabled: true,
    contract_owner: 1,
  }));
  return new PropertyChain(evmd, settings, undefined, {
    evm,
    sections: (state) => ({
      ...state,
      evm: {
        ...state.evm,
        params: {
          ...state.evm.params,
          active_static_precompiles: EACH_STATIC,
          extended_denom_options: decimals < 18 ? { extended_denom: EXTENDED } : null,
        },
      },
      // a coin of fewer decimals is worth more: its price of gas is a fraction
      ...(decimals < 18 && {
        feemarket: { ...state.feemarket, params: { ...state.feemarket.params, base_fee: '0.001000000000000000' } },
      }),
      erc20: {
        token_pairs: [native, dynamic],
        native_precompiles: [native?.erc20_address],
        dynamic_precompiles: [dynamic?.erc20_address],
      },
      bank: {
        ...state.bank,
        balances: state.bank.balances.map(({ address, coins }) => ({
          address,
          coins: [...coins, ...(people.has(address) ? [{ denom: 'ucoin', amount: UCOINS.toString() }] : [])],
        })),
        supply: [],
        denom_metadata: state.bank.denom_metadata.map((metadata) => ({
          ...metadata,
          denom_units: metadata.denom_units.map((one) =>
            one.denom === metadata.display ? { ...one, exponent: decimals } : one,
          ),
        })),
      },
    }),
  });
}
const people = new Set(Array.from({ length: PEOPLE }, (_, index) => person(index)));

/** Result of an execution over a state: the changed pairs, and the text of a refusal. */
export interface Outcome {
  readonly refusal: string | undefined;
  /** Value by store and key, in hexadecimal. */
  readonly changes: ReadonlyMap<string, string>;
}

/** Executes over a state without changing it; a refused execution has no changes. */
export function tried(chain: PropertyChain, state: StateReader, run: (context: Context) => void): Outcome {
  const store = new CacheStore(state);
  try {
    run(chain.delivering(store));
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return { refusal: error.message, changes: new Map() };
  }
  return {
    refusal: undefined,
    changes: new Map(
      store.writes().flatMap((write) => {
        const [before, after] = [state.get(write.store, write.key), write.value];
        const text = after === undefined ? 'deleted' : hex(after);
        return text === (before === undefined ? 'deleted' : hex(before))
          ? []
          : [[`${write.store} ${hex(write.key)}`, text] as const];
      }),
    ),
  };
}

export const message =
  ({ typeUrl, value }: Any) =>
  (context: Context): void => {
    context.router.find(typeUrl).handle(context, value);
  };

export const contractCall =
  (from: Uint8Array, { to, data }: ContractCall) =>
  (context: Context): void => {
    callContract(context, { from, to: bytesOfHex(to), data: bytesOfHex(data), writes: true });
  };

export const bytesOfHex = (text: string): Uint8Array => fromHex(text.slice(2));
