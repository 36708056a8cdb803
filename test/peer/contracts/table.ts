/** Every function of every precompile, with right arguments and wrong ones. */
import type { Hex } from 'viem';
import { proposal } from './proposals.js';
import {
  address,
  type Argument,
  CALLER,
  coins,
  description,
  height,
  named,
  operatorName,
  options,
  page,
  signed,
  text,
  unsigned,
  words,
} from './values.js';

/** Accounts of the genesis document; the first is the operator of its validator. */
export const FIRST: Hex = '0x7cB61D4117AE31a12E393a1Cfa3BaC666481D02E';
export const SECOND: Hex = '0xC6Fe5D33615a1C52c08018c47E8Bc53646A0E101';
export const THIRD: Hex = '0x963EBDf2e1f8DB8707D05FC75bfeFFBa1B5BaC17';
export const WRAPPED: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
export const COIN: Hex = '0x80b5a32E4F032B2a058b4F29EC95EEfEEB87aDcd';
const number = (value: number): Hex => `0x${value.toString(16).padStart(40, '0')}`;

/** One function of one contract. */
export interface Row {
  readonly to: Hex;
  readonly signature: string;
  readonly arguments: readonly Argument[];
  /** Index of the account that calls it; 0 without it. */
  readonly by?: number;
}

const KEY = 'XsGGBzeMxH5EQ6v1lyhW4dSLFd71fJdvJAQ4JMDDnkg=';
const me = address(CALLER, SECOND, THIRD);
const operatorOf = operatorName(FIRST, SECOND, THIRD);
const stake = unsigned(256, 1000n, 10n ** 18n, 10n ** 30n);
const proposalId = (right: bigint): Argument => unsigned(64, right, 2n, 3n, 4n, 99n);
const RATE = 10n ** 17n;
const rates: Argument = {
  right: [RATE, 2n * RATE, RATE / 10n],
  wrong: [
    [0n, 0n, 0n],
    [RATE, RATE / 2n, 0n],
    [RATE, 20n * RATE, 0n],
    [RATE, 2n * RATE, 3n * RATE],
    [(1n << 256n) - 1n, (1n << 256n) - 1n, (1n << 256n) - 1n],
    [1n << 255n, 1n << 255n, 0n],
    [RATE, 1n << 255n, 0n],
    [RATE, 2n * RATE, 1n << 255n],
  ],
};

const rows = (to: Hex, functions: Readonly<Record<string, readonly Argument[]>>): readonly Row[] =>
  Object.entries(functions).map(([signature, list]) => ({ to, signature, arguments: list }));

const DESCRIPTION = description(['new', '', 'web', '', 'more'].map(text));
const PAGE = '(bytes,uint64,uint64,bool,bool)';
const STRINGS = '(string,string,string,string,string)';

const staking: readonly Row[] = [
  ...rows(number(0x800), {
    'delegate(address,string,uint256)': [me, operatorOf, stake],
    'undelegate(address,string,uint256)': [me, operatorOf, stake],
    'redelegate(address,string,string,uint256)': [me, operatorOf, operatorName(SECOND, FIRST), stake],
    'cancelUnbondingDelegation(address,string,uint256,uint256)': [
      me,
      operatorOf,
      unsigned(256, 10n, 10n ** 20n),
      height(4n),
    ],
    'delegation(address,string)': [me, operatorOf],
    'unbondingDelegation(address,string)': [me, operatorOf],
    'validator(address)': [address(FIRST, SECOND)],
    [`validators(string,${PAGE})`]: [
      words(
        'BOND_STATUS_BONDED',
        'BOND_STATUS_UNBONDED',
        'BOND_STATUS_UNBONDING',
        'BOND_STATUS_UNSPECIFIED',
        'bonded',
        '3',
      ),
      page,
    ],
    'redelegation(address,string,string)': [me, operatorOf, operatorName(SECOND, FIRST)],
    [`redelegations(address,string,string,${PAGE})`]: [me, operatorOf, operatorName(SECOND, FIRST), page],
  }),
  {
    to: number(0x800),
    signature: `editValidator(${STRINGS},address,int256,int256)`,
    arguments: [DESCRIPTION, me, signed(-1n, RATE, 10n ** 18n, 10n ** 18n + 1n), signed(-1n, 2n, 10n ** 30n)],
    by: 1,
  },
  {
    to: number(0x800),
    signature: `createValidator(${STRINGS},(uint256,uint256,uint256),uint256,address,string,uint256)`,
    arguments: [
      DESCRIPTION,
      rates,
      unsigned(256, 2n, 10n ** 30n),
      me,
      words(
        KEY,
        'AAAA',
        KEY.slice(0, -1),
        `${KEY}=`,
        `${KEY.slice(0, 9)}\n${KEY.slice(9)}`,
        `${KEY} `,
        `-${KEY.slice(1)}`,
        '=',
      ),
      unsigned(256, 10n ** 18n, 10n ** 30n),
    ],
    by: 3,
  },
];

const distribution = rows(number(0x801), {
  'claimRewards(address,uint32)': [me, unsigned(32, 5n, 7n, 8n)],
  'withdrawDelegatorRewards(address,string)': [me, operatorOf],
  'withdrawValidatorCommission(string)': [operatorOf],
  'setWithdrawAddress(address,string)': [
    me,
    words(
      named('cosmos', FIRST),
      SECOND,
      SECOND.slice(2),
      `0X${SECOND.slice(2).toLowerCase()}`,
      `0x0x${SECOND.slice(2)}`,
      SECOND.slice(0, -1),
      `${SECOND}0`,
      `${SECOND.slice(0, -1)}g`,
      number(0),
      number(0x800),
      named('cosmosvaloper', SECOND),
      named('osmo', SECOND),
      named('cosmos', SECOND).toUpperCase(),
      named('cosmos', number(0x801)),
      // the account of fees, which is blocked
      'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta',
      named('cosmos', `0x${'11'.repeat(32)}`),
      named('cosmos', '0x'),
      named('cosmos', `0x${'11'.repeat(256)}`),
    ),
  ],
  'fundCommunityPool(address,(string,uint256)[])': [me, coins(7n)],
  'depositValidatorRewardsPool(address,string,(string,uint256)[])': [me, operatorOf, coins(7n)],
  'validatorDistributionInfo(string)': [operatorOf],
  'validatorOutstandingRewards(string)': [operatorOf],
  'validatorCommission(string)': [operatorOf],
  [`validatorSlashes(string,uint64,uint64,${PAGE})`]: [
    operatorName(THIRD, FIRST),
    unsigned(64, 1n, 1000n),
    unsigned(64, 1000n, 5n),
    page,
  ],
  'delegationRewards(address,string)': [me, operatorOf],
  'delegationTotalRewards(address)': [me],
  'delegatorValidators(address)': [me],
  'delegatorWithdrawAddress(address)': [me],
  'communityPool()': [],
});

const ics20 = rows(number(0x802), {
  'transfer(string,string,string,uint256,address,string,(uint64,uint64),uint64,string)': [
    words('transfer', 'port-1', 'a b', 'p', 'p'.repeat(128), 'p'.repeat(129)),
    words(
      'channel-0',
      'channel-1',
      'channel-',
      'channel-x',
      'channel-18446744073709551616',
      '07-tendermint-0',
      '08-wasm-1',
      'client',
      'c'.repeat(64),
      'c'.repeat(65),
    ),
    words(
      'aoak',
      'ucoin',
      'x',
      'ibc/',
      'ibc/x',
      `ibc/${'A'.repeat(64)}`,
      'transfer/channel-0/aoak',
      `erc20:${COIN}`,
      COIN,
    ),
    unsigned(256, 5n),
    me,
    words(named('cosmos', SECOND), 'a'.repeat(2048), 'a'.repeat(2049)),
    {
      right: [0n, 0n],
      wrong: [
        [1n, 1n],
        [0n, 1_000_000n],
        [1n, (1n << 64n) - 1n],
        [(1n << 64n) - 1n, 0n],
      ],
    },
    unsigned(64, 1n << 62n),
    words('memo', 'm'.repeat(32_769)),
  ],
  'denom(string)': [
    words(
      'A'.repeat(64),
      'ibc/',
      `ibc/${'A'.repeat(64)}`,
      `ibc/${'a'.repeat(64)}`,
      'AB',
      'ABC',
      'zz',
      `ibc/ibc/${'A'.repeat(64)}`,
      `IBC/${'A'.repeat(64)}`,
      'A'.repeat(63),
      'A'.repeat(66),
      'aoak',
    ),
  ],
  [`denoms(${PAGE})`]: [page],
  'denomHash(string)': [
    words(
      'transfer/channel-0/aoak',
      'aoak',
      'transfer/aoak',
      '/',
      '//',
      'transfer/channel-0/',
      'transfer/channel-x/aoak',
      '/channel-0/aoak',
      'transfer//aoak',
      'transfer/channel-0/transfer/channel-1/uatom',
      'a b/channel-0/aoak',
      'transfer/channel-0',
    ),
  ],
});

const bank = rows(number(0x804), {
  'balances(address)': [me],
  'totalSupply()': [],
  'supplyOf(address)': [address(WRAPPED, COIN)],
});

const gov = rows(number(0x805), {
  'vote(address,uint64,uint8,string)': [me, proposalId(1n), unsigned(8, 1n, 2n, 3n, 4n, 5n), words('why')],
  'voteWeighted(address,uint64,(uint8,string)[],string)': [me, proposalId(1n), options, words('why')],
  'deposit(address,uint64,(string,uint256)[])': [me, proposalId(2n), coins(300_000n)],
  'submitProposal(address,bytes,(string,uint256)[])': [me, proposal, coins(500_000n)],
  'getVote(uint64,address)': [proposalId(1n), me],
  [`getVotes(uint64,${PAGE})`]: [proposalId(1n), page],
  'getDeposit(uint64,address)': [proposalId(2n), me],
  [`getDeposits(uint64,${PAGE})`]: [proposalId(1n), page],
  'getTallyResult(uint64)': [proposalId(1n)],
  'getProposal(uint64)': [proposalId(1n)],
  [`getProposals(uint32,address,address,${PAGE})`]: [
    unsigned(32, 2n, 1n, 3n, 4n, 5n, 6n, 255n),
    { right: number(0), wrong: [CALLER, SECOND, number(0x805), `0x${'5a'.repeat(20)}`] },
    { right: number(0), wrong: [CALLER, SECOND, number(0x805), `0x${'5a'.repeat(20)}`] },
    page,
  ],
  'getParams()': [],
  'getConstitution()': [],
  'cancelProposal(address,uint64)': [me, proposalId(3n)],
});

/** The consensus address of the genesis document's validator. */
export const CONSENSUS: Hex = '0x68308927e1ea5be4c95112dd6eef0def0ef6faa4';
const slashing: readonly Row[] = [
  ...rows(number(0x806), {
    'getSigningInfo(address)': [address(CONSENSUS, FIRST)],
    [`getSigningInfos(${PAGE})`]: [page],
    'getParams()': [],
    'unjail(address)': [me],
  }),
  { to: number(0x806), signature: 'unjail(address)', arguments: [me], by: 2 },
];

const bech32 = rows(number(0x400), {
  'hexToBech32(address,string)': [
    me,
    words(
      'cosmos',
      'cosmosvaloper',
      'COSMOS',
      'Cosmos',
      '1',
      'a1',
      'a b',
      'p'.repeat(83),
      'p'.repeat(84),
      'é',
      '\u00a0',
      '\u2003',
      '\t\n',
    ),
  ],
  'bech32ToHex(string)': [
    words(
      named('cosmos', FIRST),
      named('cosmosvaloper', FIRST),
      named('x', FIRST),
      named('cosmos', FIRST).toUpperCase(),
      `${named('cosmos', FIRST).slice(0, 10)}${named('cosmos', FIRST).slice(10).toUpperCase()}`,
      named('cosmos', `0x${'11'.repeat(32)}`),
      named('cosmos', '0x1122'),
      named('cosmos', '0x'),
      named('cosmos', `0x${'11'.repeat(256)}`),
      `${named('cosmos', FIRST).slice(0, -1)}b`,
      ` ${named('cosmos', FIRST)}`,
      '1',
      '1qqqqqqqq',
      'cosmos1',
      'cosmos1b',
      'cosmos1é',
      'a1b1c',
      'cosmos',
    ),
  ],
});

const token = (to: Hex): readonly Row[] =>
  rows(to, {
    'name()': [],
    'symbol()': [],
    'decimals()': [],
    'totalSupply()': [],
    'balanceOf(address)': [me],
    'allowance(address,address)': [me, address(SECOND)],
    'approve(address,uint256)': [address(SECOND, FIRST), unsigned(256, 500n)],
    'transfer(address,uint256)': [address(SECOND, FIRST, WRAPPED, COIN), unsigned(256, 5n, 10n ** 30n)],
    'transferFrom(address,address,uint256)': [
      address(SECOND, FIRST, THIRD),
      address(THIRD, SECOND, WRAPPED),
      unsigned(256, 3n, 10n ** 30n),
    ],
    'increaseAllowance(address,uint256)': [address(SECOND), unsigned(256, 1n)],
    'deposit()': [],
    'withdraw(uint256)': [unsigned(256, 4n, 10n ** 30n)],
  });

export const TABLE: readonly Row[] = [
  ...bech32,
  ...staking,
  ...distribution,
  ...ics20,
  ...bank,
  ...gov,
  ...slashing,
  ...token(WRAPPED),
  ...token(COIN),
];

/** A signature of P-256 that is right (RIP-7212): hash, r, s, x, y. */
const SIGNED: Hex = `0x${[
  '4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4d',
  'a73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac',
  '36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d60',
  '4aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff3',
  '7618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e',
].join('')}`;
export const P256 = { to: number(0x100), input: SIGNED };
