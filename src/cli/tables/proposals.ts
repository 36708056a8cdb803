import type { CommandRow, CommandTable, OptionRow, OptionSet } from '../command-table.js';

const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const proposals = () => import('../commands/tx-proposals.js');
const draft = () => import('../commands/draft-proposal.js');

/** Options of a command that proposes a message (cosmos-sdk v0.53 `x/gov/client/cli/util.go`). */
export const PROPOSAL: readonly OptionRow[] = [
  { flag: '--from <key>', doc: 'key that signs', required: true },
  { flag: '--title <text>', doc: 'title of the proposal' },
  { flag: '--summary <text>', doc: 'summary of the proposal' },
  { flag: '--deposit <coins>', doc: 'first deposit of the proposal' },
  { flag: '--metadata <text>', doc: 'metadata of the proposal' },
  { flag: '--no-proposal', doc: 'send the message itself; the signer is the authority' },
];

/** `update-params-proposal` by module, with the name of its body. */
const PARAMETERS = {
  auth: 'authParams',
  bank: 'bankParams',
  consensus: 'consensusParams',
  distribution: 'distributionParams',
  mint: 'mintParams',
  slashing: 'slashingParams',
} as const;

function proposal(path: string, { options = [], ...row }: Omit<CommandRow, 'path' | 'sets' | 'output'>): CommandRow {
  return { ...row, path: `tx ${path}`, output: 'json', sets: SENDS, options: [...PROPOSAL, ...options] };
}

/** Commands of `tx` that propose a message of a module to governance, under the command names of the SDK. */
export const PROPOSALS: CommandTable = {
  groups: [
    { path: 'tx auth', doc: 'accounts' },
    { path: 'tx consensus', doc: 'consensus parameters' },
    { path: 'tx evidence', doc: 'proven offences of validators: no kind of them can be submitted' },
    { path: 'tx feemarket', doc: 'the base fee' },
    { path: 'tx mint', doc: 'inflation' },
  ],
  commands: [
    ...Object.entries(PARAMETERS).map(([module, body]) =>
      proposal(`${module} update-params-proposal`, {
        args: '<params>',
        doc: `propose all parameters of ${module}, as JSON or in a file NAME.json`,
        load: async () => (await proposals())[body],
      }),
    ),
    proposal('feemarket update-params', {
      doc: 'propose all parameters of the fee market',
      options: [{ flag: '--params <json>', doc: 'the parameters, as JSON or in a file NAME.json', required: true }],
      load: async () => (await proposals()).feemarketParams,
    }),
    proposal('bank set-send-enabled-proposal', {
      args: '[send-enabled...]',
      doc: 'propose which denoms may be sent, as JSON: {"denom":"x","enabled":false}',
      options: [{ flag: '--use-default-for <denoms>', doc: 'denoms whose entries are deleted, separated by commas' }],
      load: async () => (await proposals()).setSendEnabled,
    }),
    proposal('distribution community-pool-spend-proposal', {
      args: '<recipient> <amount>',
      doc: 'propose to spend coins of the community pool',
      load: async () => (await proposals()).communityPoolSpend,
    }),
    proposal('upgrade cancel-upgrade-proposal', {
      doc: 'propose to cancel the scheduled upgrade',
      load: async () => (await proposals()).cancelUpgrade,
    }),
    {
      path: 'tx gov draft-proposal',
      doc: 'write the file of a proposal from answers to questions',
      sets: SENDS,
      output: 'json',
      options: [{ flag: '--skip-metadata', doc: 'ask for title and summary only, and write no metadata' }],
      load: async () => (await draft()).draftProposal,
    },
  ],
};
