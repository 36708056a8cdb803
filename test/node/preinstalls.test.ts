/** The contracts of the dev genesis, called by viem and with signatures made by viem. */
import {
  createPublicClient,
  createWalletClient,
  custom,
  domainSeparator,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  hashStruct,
  keccak256,
  maxUint160,
  multicall3Abi,
  numberToHex,
  padHex,
  parseAbi,
  parseEventLogs,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { startNode, type ChronicleNode } from '../../src/index.js';
import { Token } from '../contracts/index.js';
import { afterwards } from '../support/temporary.js';

const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';
const PERMIT2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const FACTORIES: readonly Address[] = [
  '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7',
];
const owner = mnemonicToAccount('test test test test test test test test test test test junk');
const spender = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 1 });
const receiver: Address = '0x00000000000000000000000000000000000000aa';

const permit2Abi = parseAbi([
  'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct PermitBatchTransferFrom { TokenPermissions[] permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function permit(address owner, PermitSingle permitSingle, bytes signature)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
  'function permitTransferFrom(PermitTransferFrom permitted, SignatureTransferDetails transfer, address owner, bytes signature)',
  'function permitTransferFrom(PermitBatchTransferFrom permitted, SignatureTransferDetails[] transfers, address owner, bytes signature)',
  'function permitWitnessTransferFrom(PermitTransferFrom permitted, SignatureTransferDetails transfer, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
  'error AllowanceExpired(uint256 deadline)',
  'error InsufficientAllowance(uint256 amount)',
  'error InvalidNonce()',
  'error InvalidSigner()',
  'error InvalidAmount(uint256 maxAmount)',
  'error SignatureExpired(uint256 signatureDeadline)',
]);
const ERC1820: Address = '0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24';
const erc1820Abi = parseAbi([
  'event InterfaceImplementerSet(address indexed addr, bytes32 indexed interfaceHash, address indexed implementer)',
  'function getInterfaceImplementer(address account, bytes32 interfaceHash) view returns (address)',
  'function setInterfaceImplementer(address account, bytes32 interfaceHash, address implementer)',
  'function setManager(address account, address newManager)',
  'function getManager(address account) view returns (address)',
  'function interfaceHash(string name) pure returns (bytes32)',
  'function updateERC165Cache(address account, bytes4 interfaceId)',
  'function implementsERC165Interface(address account, bytes4 interfaceId) view returns (bool)',
]);
const CREATEX: Address = '0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed';
/** Creation code of the CREATE3 proxy. */
const CREATE3_PROXY: Hex = '0x67363d3d37363d34f03d5260086018f3';
const createXAbi = parseAbi([
  'struct Values { uint256 constructorAmount; uint256 initCallAmount; }',
  'event ContractCreation(address indexed newContract, bytes32 indexed salt)',
  'event ContractCreation(address indexed newContract)',
  'event Create3ProxyContractCreation(address indexed newContract, bytes32 indexed salt)',
  'error FailedContractCreation(address emitter)',
  'error FailedContractInitialisation(address emitter, bytes revertData)',
  'error InvalidNonceValue(address emitter)',
  'error InvalidSalt(address emitter)',
  'function computeCreateAddress(address deployer, uint256 nonce) view returns (address)',
  'function deployCreate(bytes initCode) payable returns (address)',
  'function deployCreateClone(address implementation, bytes data) payable returns (address)',
  'function deployCreate2(bytes initCode) payable returns (address)',
  'function deployCreate2(bytes32 salt, bytes initCode) payable returns (address)',
  'function deployCreate3(bytes32 salt, bytes initCode) payable returns (address)',
  'function deployCreate3AndInit(bytes32 salt, bytes initCode, bytes data, Values values) payable returns (address)',
]);
const erc20Abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
]);
const FOREVER = 2n ** 47n;
const PERMISSIONS = [
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint256' },
] as const;

describe('contracts of the dev genesis', () => {
  let node: ChronicleNode;
  let token: Address;
  let clients: ReturnType<typeof clientsOf>;

  function clientsOf(to: ChronicleNode) {
    const chain = {
      id: Number(to.evmChainId),
      name: to.chainId,
      nativeCurrency: { name: 'chr', symbol: 'CHR', decimals: 18 },
      rpcUrls: { default: { http: [to.endpoints.ethHttp] } },
      contracts: { multicall3: { address: MULTICALL3 } },
    } as const;
    const transport = custom(to.ethereum);
    return {
      read: createPublicClient({ chain, transport, pollingInterval: 20 }),
      owner: createWalletClient({ chain, transport, account: owner }),
      spender: createWalletClient({ chain, transport, account: spender }),
    };
  }

  async function included(hash: Hex): Promise<void> {
    const { status } = await clients.read.waitForTransactionReceipt({ hash });
    expect(status).toBe('success');
  }

  const balance = (of: Address): Promise<bigint> =>
    clients.read.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [of] });

  const permit2Domain = () => ({
    name: 'Permit2',
    chainId: Number(node.evmChainId),
    verifyingContract: PERMIT2,
  });

  /** Signs typed data of Permit2 as the owner. */
  const sign = (
    primaryType: string,
    types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>,
    message: Readonly<Record<string, unknown>>,
    by = owner.signTypedData,
  ): Promise<Hex> =>
    by({
      domain: permit2Domain(),
      types,
      primaryType,
      message,
    });

  beforeAll(async () => {
    node = await startNode();
    afterwards(() => node.stop());
    clients = clientsOf(node);
    const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: ['Token', 'TOK', 10n ** 24n] });
    const hash = await clients.owner.sendTransaction({ data });
    const receipt = await clients.read.waitForTransactionReceipt({ hash });
    token = receipt.contractAddress ?? receiver;
    await included(
      await clients.owner.writeContract({
        address: token,
        abi: erc20Abi,
        functionName: 'approve',
        args: [PERMIT2, 2n ** 255n],
      }),
    );
  });

  test('the ERC-1820 registry stores implementers and managers', async () => {
    const registry = { address: ERC1820, abi: erc1820Abi } as const;
    const [account, other] = [owner.address, spender.address];
    const name = keccak256(toHex('ERC777TokensRecipient'));
    const { read } = clients;
    const implementer = () =>
      read.readContract({ ...registry, functionName: 'getInterfaceImplementer', args: [account, name] });
    expect(
      await read.readContract({ ...registry, functionName: 'interfaceHash', args: ['ERC777TokensRecipient'] }),
    ).toBe(name);
    expect([
      await implementer(),
      await read.readContract({ ...registry, functionName: 'getManager', args: [account] }),
    ]).toEqual([zeroAddress, account]);
    const set = { ...registry, functionName: 'setInterfaceImplementer' } as const;
    await included(await clients.owner.writeContract({ ...set, args: [zeroAddress, name, account] }));
    expect(await implementer()).toBe(account);
    await expect(read.simulateContract({ ...set, args: [account, name, other], account: spender })).rejects.toThrow(
      'Not the manager',
    );
    await included(
      await clients.owner.writeContract({ ...registry, functionName: 'setManager', args: [account, other] }),
    );
    await included(await clients.spender.writeContract({ ...set, args: [account, name, other] }));
    expect(await implementer()).toBe(other);
    const erc165 = `0x01ffc9a7${'0'.repeat(56)}` as const;
    await expect(read.simulateContract({ ...set, args: [account, erc165, other], account: spender })).rejects.toThrow(
      'Must not be an ERC165 hash',
    );
    // it speaks no ERC-165, and a token is no implementer
    await expect(read.simulateContract({ ...set, args: [account, name, token], account: spender })).rejects.toThrow();
    expect(
      await read.readContract({ ...registry, functionName: 'implementsERC165Interface', args: [token, '0x01ffc9a7'] }),
    ).toBe(false);
  });

  test('the ERC-1820 registry queries contracts by ERC-165', async () => {
    const registry = { address: ERC1820, abi: erc1820Abi } as const;
    const address: Address = '0x0000000000000000000000000000000000000165';
    // answers 1 for 01ffc9a7 and 80ac58cd, 0 for all other ids
    const code: Hex = '0x60043560e01c806301ffc9a714906380ac58cd14175f5260205ff3';
    await node.ethereum.request({ method: 'anvil_setCode', params: [address, code] });
    const supports = (id: Hex) =>
      clients.read.readContract({ ...registry, functionName: 'implementsERC165Interface', args: [address, id] });
    expect([await supports('0x80ac58cd'), await supports('0x12345678')]).toEqual([true, false]);
    await included(
      await clients.owner.writeContract({
        ...registry,
        functionName: 'updateERC165Cache',
        args: [address, '0x80ac58cd'],
      }),
    );
    expect(
      await clients.read.readContract({
        ...registry,
        functionName: 'getInterfaceImplementer',
        args: [address, `0x80ac58cd${'0'.repeat(56)}`],
      }),
    ).toBe(address);
  });

  describe('CreateX', () => {
    const createX = { address: CREATEX, abi: createXAbi } as const;
    /** Pairs of chosen and guarded salts; the first 21 bytes choose the guard (README of CreateX). */
    const salts = (id: bigint): readonly (readonly [salt: Hex, guarded: Hex])[] => {
      const rest = '5a'.repeat(11);
      const caller = owner.address.toLowerCase().slice(2);
      const [word, zeros] = [`${'0'.repeat(24)}${caller}`, '0'.repeat(40)];
      const chain = numberToHex(id, { size: 32 }).slice(2);
      const salt = (first: string, flag: string): Hex => `0x${first}${flag}${rest}`;
      const of = (one: Hex, before = ''): readonly [Hex, Hex] => [one, keccak256(`0x${before}${one.slice(2)}`)];
      return [
        of(salt('77'.repeat(20), '05')),
        of(salt(zeros, '00')),
        of(salt(zeros, '01'), chain),
        of(salt(caller, '00'), word),
        of(salt(caller, '01'), `${word}${chain}`),
      ];
    };
    const tokenCode = (name: string): Hex =>
      encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [name, 'TOK', 7n] });
    const logsOf = async (hash: Hex) => {
      const { status, logs } = await clients.read.waitForTransactionReceipt({ hash });
      expect(status).toBe('success');
      return parseEventLogs({ abi: createXAbi, logs }).map(({ eventName, args }) => ({ eventName, ...args }));
    };

    test('deploys by CREATE2 and CREATE3 at the addresses of the guarded salt', async () => {
      for (const [index, [salt, guarded]] of salts(node.evmChainId).entries()) {
        const code = tokenCode(`Token ${index}`);
        const second = getContractAddress({ opcode: 'CREATE2', from: CREATEX, salt: guarded, bytecode: code });
        const proxy = getContractAddress({ opcode: 'CREATE2', from: CREATEX, salt: guarded, bytecode: CREATE3_PROXY });
        const third = getContractAddress({ from: proxy, nonce: 1n });
        expect(
          await logsOf(
            await clients.owner.writeContract({ ...createX, functionName: 'deployCreate2', args: [salt, code] }),
          ),
        ).toEqual([{ eventName: 'ContractCreation', newContract: second, salt: guarded }]);
        expect(
          await logsOf(
            await clients.owner.writeContract({ ...createX, functionName: 'deployCreate3', args: [salt, code] }),
          ),
        ).toEqual([
          { eventName: 'Create3ProxyContractCreation', newContract: proxy, salt: guarded },
          { eventName: 'ContractCreation', newContract: third },
        ]);
        expect(await clients.read.getCode({ address: third })).toBe(await clients.read.getCode({ address: second }));
      }
    });

    test('refuses an invalid salt, a second contract at an address, and one without code', async () => {
      const ask = (salt: Hex, code: Hex) =>
        clients.read.simulateContract({
          ...createX,
          functionName: 'deployCreate3',
          args: [salt, code],
          account: owner.address,
        });
      const taken = padHex('0x7a5e', { size: 32, dir: 'right' });
      await included(
        await clients.owner.writeContract({ ...createX, functionName: 'deployCreate3', args: [taken, tokenCode('A')] }),
      );
      await expect(ask(taken, tokenCode('B'))).rejects.toThrow('FailedContractCreation');
      await expect(ask(`0x${owner.address.slice(2)}02${'5a'.repeat(11)}`, tokenCode('C'))).rejects.toThrow(
        'InvalidSalt',
      );
      await expect(ask(`0x${'0'.repeat(40)}02${'5a'.repeat(11)}`, tokenCode('C'))).rejects.toThrow('InvalidSalt');
      await expect(ask(`0x${'5b'.repeat(32)}`, '0x')).rejects.toThrow('FailedContractCreation');
    });

    test('deploys by CREATE, clones, picks salts, and refunds unspent value after initialising a contract', async () => {
      const nonce = BigInt(await clients.read.getTransactionCount({ address: CREATEX }));
      const code = tokenCode('Cloned');
      const implementation = getContractAddress({ from: CREATEX, nonce });
      expect(
        await logsOf(await clients.owner.writeContract({ ...createX, functionName: 'deployCreate', args: [code] })),
      ).toEqual([{ eventName: 'ContractCreation', newContract: implementation }]);
      const clone = getContractAddress({ from: CREATEX, nonce: nonce + 1n });
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender.address, 1n] });
      expect(
        await logsOf(
          await clients.owner.writeContract({
            ...createX,
            functionName: 'deployCreateClone',
            args: [implementation, data],
          }),
        ),
      ).toEqual([{ eventName: 'ContractCreation', newContract: clone }]);
      expect(await clients.read.getCode({ address: clone })).toBe(
        `0x363d3d373d3d3d363d73${implementation.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`,
      );
      await expect(
        clients.read.simulateContract({ ...createX, functionName: 'deployCreateClone', args: [receiver, '0x'] }),
      ).rejects.toThrow('FailedContractInitialisation');

      const [chosen] = await logsOf(
        await clients.owner.writeContract({ ...createX, functionName: 'deployCreate2', args: [code] }),
      );
      expect(chosen).toEqual({
        eventName: 'ContractCreation',
        salt: expect.stringMatching(/^0x[0-9a-f]{64}$/u),
        newContract: getContractAddress({
          opcode: 'CREATE2',
          from: CREATEX,
          bytecode: code,
          salt: chosen !== undefined && 'salt' in chosen ? chosen.salt : '0x',
        }),
      });

      // code that accepts the value of a call
      const paid: Hex = '0x600180600b6000396000f300';
      const called = await clients.owner.writeContract({
        ...createX,
        functionName: 'deployCreate3AndInit',
        args: [`0x${'6c'.repeat(32)}`, paid, '0x', { constructorAmount: 2n, initCallAmount: 3n }],
        value: 50n,
      });
      const created = (await logsOf(called)).at(-1)?.newContract ?? zeroAddress;
      expect(await clients.read.getBalance({ address: created })).toBe(5n);
      expect(await clients.read.getBalance({ address: CREATEX })).toBe(0n);
    });

    test('computes CREATE addresses for nonces of every length', async () => {
      const ask = (nonce: bigint) =>
        clients.read.readContract({ ...createX, functionName: 'computeCreateAddress', args: [owner.address, nonce] });
      for (const nonce of [0n, 1n, 127n, 128n, 255n, 256n, 65_535n, 65_536n, 2n ** 40n, 2n ** 64n - 2n])
        expect(await ask(nonce), `${nonce}`).toBe(getContractAddress({ from: owner.address, nonce }));
      await expect(ask(2n ** 64n - 1n)).rejects.toThrow('InvalidNonceValue');
    });
  });

  test.each(FACTORIES)('the factory %s deploys at the CREATE2 address', async (factory) => {
    const salt: Hex = `0x${'5a'.repeat(32)}`;
    const bytecode: Hex = '0x600160005360016000f3';
    await included(await clients.owner.sendTransaction({ to: factory, data: `${salt}${bytecode.slice(2)}` }));
    const address = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode });
    expect(await clients.read.getCode({ address })).toBe('0x01');
  });

  test("Multicall3 serves viem's multicall, with failures where they are allowed", async () => {
    const of = (address: Address) =>
      ({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] }) as const;
    const failing = { address: PERMIT2, abi: erc20Abi, functionName: 'balanceOf', args: [receiver] } as const;
    const results = await clients.read.multicall({ contracts: [of(owner.address), failing, of(receiver)] });
    expect(results.map(({ status }) => status)).toEqual(['success', 'failure', 'success']);
    await expect(
      clients.read.multicall({ contracts: [of(owner.address), failing], allowFailure: false }),
    ).rejects.toThrow();
    const facts = await clients.read.multicall({
      allowFailure: false,
      contracts: [
        { address: MULTICALL3, abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' },
        { address: MULTICALL3, abi: multicall3Abi, functionName: 'getEthBalance', args: [receiver] },
      ],
    });
    expect(facts[1]).toBe(0n);
  });

  test('Multicall3 refuses a failing call and unspent value with its standard messages', async () => {
    const abi = parseAbi([
      'struct Call { address target; bytes callData; }',
      'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
      'function aggregate(Call[] calls) payable returns (uint256, bytes[])',
      'function aggregate3Value(Call3Value[] calls) payable returns ((bool, bytes)[])',
    ]);
    const failing = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [receiver] });
    await expect(
      clients.read.simulateContract({
        address: MULTICALL3,
        abi,
        functionName: 'aggregate',
        args: [[{ target: PERMIT2, callData: failing }]],
      }),
    ).rejects.toThrow('Multicall3: call failed');
    await expect(
      clients.read.simulateContract({
        address: MULTICALL3,
        abi,
        functionName: 'aggregate3Value',
        args: [[{ target: receiver, allowFailure: false, value: 1n, callData: '0x' }]],
        value: 2n,
        account: owner,
      }),
    ).rejects.toThrow('Multicall3: value mismatch');
  });

  test('Permit2 returns its EIP-712 domain separator', async () => {
    const separator = await clients.read.readContract({
      address: PERMIT2,
      abi: permit2Abi,
      functionName: 'DOMAIN_SEPARATOR',
    });
    expect(separator).toBe(domainSeparator({ domain: permit2Domain() }));
  });

  test('a signed Permit2 allowance is valid once, up to its amount, for its spender only', async () => {
    const details = { token, amount: 1_000n, expiration: Number(FOREVER), nonce: 0 };
    const permit = { details, spender: spender.address, sigDeadline: FOREVER };
    const signature = await sign(
      'PermitSingle',
      {
        PermitDetails: [
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint160' },
          { name: 'expiration', type: 'uint48' },
          { name: 'nonce', type: 'uint48' },
        ],
        PermitSingle: [
          { name: 'details', type: 'PermitDetails' },
          { name: 'spender', type: 'address' },
          { name: 'sigDeadline', type: 'uint256' },
        ],
      },
      permit,
    );
    const call = {
      address: PERMIT2,
      abi: permit2Abi,
      functionName: 'permit',
      args: [owner.address, permit, signature],
    } as const;
    await included(await clients.spender.writeContract(call));
    await expect(clients.read.simulateContract(call)).rejects.toThrow('InvalidNonce');
    const spend = (amount: bigint) =>
      ({
        address: PERMIT2,
        abi: permit2Abi,
        functionName: 'transferFrom',
        args: [owner.address, receiver, amount, token],
      }) as const;
    await included(await clients.spender.writeContract(spend(400n)));
    expect(await balance(receiver)).toBe(400n);
    await expect(clients.read.simulateContract({ ...spend(601n), account: spender })).rejects.toThrow(
      'InsufficientAllowance',
    );
    await expect(clients.read.simulateContract({ ...spend(1n), account: owner })).rejects.toThrow('AllowanceExpired');
    await included(
      await clients.owner.writeContract({
        address: PERMIT2,
        abi: permit2Abi,
        functionName: 'approve',
        args: [token, spender.address, maxUint160, Number(FOREVER)],
      }),
    );
    await included(await clients.spender.writeContract(spend(700n)));
    const [amount] = await clients.read.readContract({
      address: PERMIT2,
      abi: permit2Abi,
      functionName: 'allowance',
      args: [owner.address, token, spender.address],
    });
    // The maximum allowance does not decrease.
    expect(amount).toBe(maxUint160);
  });

  test('a signed Permit2 transfer is valid once, up to its amount, for its signer only', async () => {
    const before = await balance(receiver);
    const permitted = { permitted: { token, amount: 50n }, nonce: 77n, deadline: FOREVER };
    const types = {
      TokenPermissions: PERMISSIONS,
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    };
    const message = { ...permitted, spender: spender.address };
    const signature = await sign('PermitTransferFrom', types, message);
    const call = (requestedAmount: bigint, by: Hex = signature) =>
      ({
        account: spender,
        address: PERMIT2,
        abi: permit2Abi,
        functionName: 'permitTransferFrom',
        args: [permitted, { to: receiver, requestedAmount }, owner.address, by],
      }) as const;
    await expect(clients.read.simulateContract(call(51n))).rejects.toThrow('InvalidAmount');
    const foreign = privateKeyToAccount(`0x${'11'.repeat(32)}`);
    const forged = await sign('PermitTransferFrom', types, message, foreign.signTypedData);
    await expect(clients.read.simulateContract(call(1n, forged))).rejects.toThrow('InvalidSigner');
    await included(await clients.spender.writeContract(call(50n)));
    expect((await balance(receiver)) - before).toBe(50n);
    await expect(clients.read.simulateContract(call(1n))).rejects.toThrow('InvalidNonce');
  });

  test('signed Permit2 transfers work in a batch and with a witness', async () => {
    const before = await balance(receiver);
    const batch = {
      permitted: [
        { token, amount: 3n },
        { token, amount: 4n },
      ],
      nonce: 300n,
      deadline: FOREVER,
    };
    const batchSignature = await sign(
      'PermitBatchTransferFrom',
      {
        TokenPermissions: PERMISSIONS,
        PermitBatchTransferFrom: [
          { name: 'permitted', type: 'TokenPermissions[]' },
          { name: 'spender', type: 'address' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      { ...batch, spender: spender.address },
    );
    await included(
      await clients.spender.writeContract({
        address: PERMIT2,
        abi: permit2Abi,
        functionName: 'permitTransferFrom',
        args: [
          batch,
          [
            { to: receiver, requestedAmount: 3n },
            { to: receiver, requestedAmount: 4n },
          ],
          owner.address,
          batchSignature,
        ],
      }),
    );
    const permitted = { permitted: { token, amount: 5n }, nonce: 301n, deadline: FOREVER };
    const witnessSignature = await sign(
      'PermitWitnessTransferFrom',
      {
        TokenPermissions: PERMISSIONS,
        Order: [{ name: 'id', type: 'uint256' }],
        PermitWitnessTransferFrom: [
          { name: 'permitted', type: 'TokenPermissions' },
          { name: 'spender', type: 'address' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
          { name: 'witness', type: 'Order' },
        ],
      },
      { ...permitted, spender: spender.address, witness: { id: 9n } },
    );
    const witness = hashStruct({
      data: { id: 9n },
      primaryType: 'Order',
      types: { Order: [{ name: 'id', type: 'uint256' }] },
    });
    await included(
      await clients.spender.writeContract({
        address: PERMIT2,
        abi: permit2Abi,
        functionName: 'permitWitnessTransferFrom',
        args: [
          permitted,
          { to: receiver, requestedAmount: 5n },
          owner.address,
          witness,
          'Order witness)Order(uint256 id)TokenPermissions(address token,uint256 amount)',
          witnessSignature,
        ],
      }),
    );
    expect((await balance(receiver)) - before).toBe(12n);
  });
});
