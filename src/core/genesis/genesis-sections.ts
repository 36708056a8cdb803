import { asObject } from '../text/json-object.js';
import type { ChainConfig } from '../sdk/module/chain-config.js';
import type { GenesisDocument } from './genesis-document.js';

/** Names of the sections in `app_state`; null sections do not count. */
export function genesisModules({ appState }: Pick<GenesisDocument, 'appState'>): Pick<ChainConfig, 'genesisModules'> {
  const sections = Object.entries(asObject(appState) ?? {});
  return { genesisModules: sections.flatMap(([name, section]) => (section === null ? [] : [name])) };
}

/** ERC-20 contracts in `app_state.erc20` that the chain implements natively, in the chain configuration's form. */
export function genesisTokens({ appState }: Pick<GenesisDocument, 'appState'>): Pick<ChainConfig, 'tokens'> {
  const section = asObject(asObject(appState)?.['erc20']);
  const list = (name: string, jsonName: string): readonly string[] => {
    const texts: unknown = section?.[name] ?? section?.[jsonName];
    // erc20 rejects a genesis with other values.
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
  };
  return {
    tokens: {
      native: list('native_precompiles', 'nativePrecompiles'),
      dynamic: list('dynamic_precompiles', 'dynamicPrecompiles'),
    },
  };
}
