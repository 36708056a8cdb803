import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../../../src/cli/keyring/memory-files.js';
import { openArmor, sealArmor } from '../../../src/cli/keyring/armor.js';
import { openEncryptedFiles } from '../../../src/cli/keyring/encrypted-files.js';
import { createKeyring } from '../../../src/core/keys/keyring.js';
import { parsePath, privateKeyAt } from '../../../src/core/keys/hd-path.js';
import { addressOfKey, parsePublicKeyJson, publicKeyJson } from '../../../src/core/sdk/signing/account-key.js';
import { DEV_MNEMONIC } from '../../../src/core/keys/dev-mnemonic.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';
import { withTomlValue } from '../../../src/cli/toml-edit.js';
import { runCli } from '../support.js';
import { privateKeysOf } from '../../support/accounts.js';

const counter = () => {
  let next = 0;
  return { bytes: (length: number) => new Uint8Array(length).fill((next += 1)) };
};
/** Base64 with another first character. */
const changed = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
const typing = (...lines: readonly string[]) => {
  const rest: Iterator<string, undefined> = lines.values();
  return { readLine: () => Promise.resolve(rest.next().value), randomness: counter() };
};

describe('an encrypted keyring', () => {
  test('opens with its passphrase, and refuses another passphrase and changed or renamed files', async () => {
    const disk = memoryFiles();
    const files = await openEncryptedFiles(disk, typing('long enough', 'long enough'));
    files.write('a.json', 'first');
    files.write('b.json', 'second');
    expect(disk.read('a.json')).not.toContain('first');
    // The scrypt cost of a geth keystore.
    expect(JSON.parse(disk.read('keyring.check') ?? '')).toMatchObject({ n: 262_144 });
    const again = await openEncryptedFiles(disk, typing('long enough'));
    expect([again.read('a.json'), again.read('b.json'), again.list()]).toEqual([
      'first',
      'second',
      ['a.json', 'b.json'],
    ]);
    await expect(openEncryptedFiles(disk, typing('something else'))).rejects.toThrow('incorrect passphrase');
    const written = disk.read('a.json') ?? '';
    disk.write('b.json', written);
    expect(() => again.read('b.json')).toThrow('damaged');
    const file: { readonly nonce: string; readonly sealed: string } = JSON.parse(written);
    for (const other of [
      { ...file, sealed: changed(file.sealed) },
      { ...file, sealed: file.sealed.slice(0, -4) },
      { ...file, nonce: changed(file.nonce) },
    ]) {
      disk.write('a.json', JSON.stringify(other));
      expect(() => again.read('a.json'), JSON.stringify(other)).toThrow('a.json is damaged');
    }
    disk.write('a.json', JSON.stringify({ sealed: file.sealed }));
    expect(() => again.read('a.json')).toThrow('a.json is no file of an encrypted keyring');
  });

  test('is not created with a short passphrase, or with two different ones', async () => {
    await expect(openEncryptedFiles(memoryFiles(), typing('short'))).rejects.toThrow('at least 8');
    await expect(openEncryptedFiles(memoryFiles(), typing('long enough', 'long enougH'))).rejects.toThrow(
      "don't match",
    );
  });
});

test('an exported key opens with its passphrase only', () => {
  const key = new Uint8Array(32).fill(7);
  const armor = sealArmor(key, 'eth_secp256k1', 'a passphrase', counter());
  expect(armor.split('\n')).toContain('n: 262144');
  expect(openArmor(armor, 'a passphrase')).toEqual({ ok: true, privateKey: key, kind: 'eth_secp256k1' });
  expect(openArmor(armor, 'another one')).toEqual({ ok: false, message: 'invalid account password' });
  expect(openArmor(armor.replace('type: eth_secp256k1', 'type: secp256k1'), 'a passphrase').ok).toBe(false);
  expect(openArmor('nothing', 'a passphrase').ok).toBe(false);
});

/** Files of builds that did not name the scrypt cost, which was N = 2^15; the passphrase is "long enough". */
describe('a file of an earlier build', () => {
  const CHECK = {
    salt: 'AQEBAQEBAQEBAQEBAQEBAQ==',
    nonce: 'AgICAgICAgICAgIC',
    sealed: 'lGAPzs+l/fKykdn/QybqGdBLrCp/pcuHzlhR5632cMIC',
  };
  const keyring = (check: object) => {
    const disk = memoryFiles();
    disk.write('keyring.check', JSON.stringify(check));
    disk.write('a.json', '{"nonce":"AgICAgICAgICAgIC","sealed":"kWEP0tVT7rEGgSj4+lhr8ybi9GrC"}');
    return openEncryptedFiles(disk, typing('long enough'));
  };
  const armor = (cost: string) =>
    `-----BEGIN CHRONICLE PRIVATE KEY-----
kdf: scrypt
${cost}salt: 01010101010101010101010101010101
nonce: AgICAgICAgICAgIC
type: eth_secp256k1

xz9NlpH7rqnnhoKtCmOzQIfV3FVsPR+hzFrKrFwJ4isOaicyuvfCyaERjgyyhuXW
ONgdMMCdi0qYJdvX9rdHYA3qeayd3A9Tp0IeD3nrc88=
-----END CHRONICLE PRIVATE KEY-----`;

  test('is readable as a keyring, unless it names an unknown scrypt cost', async () => {
    expect((await keyring(CHECK)).read('a.json')).toBe('first');
    for (const n of [2 ** 14, 2 ** 40, 'many'])
      await expect(keyring({ ...CHECK, n })).rejects.toThrow('keyring.check is no file of an encrypted keyring');
  });

  test('is readable as an exported key, unless it is changed or names an unknown scrypt cost', () => {
    const privateKey = new Uint8Array(32).fill(7);
    expect(openArmor(armor(''), 'long enough')).toEqual({ ok: true, privateKey, kind: 'eth_secp256k1' });
    expect(openArmor(armor('').replace('xz9N', 'xz9M'), 'long enough').ok).toBe(false);
    expect(openArmor(armor('n: 1099511627776\n'), 'long enough')).toEqual({
      ok: false,
      message: 'the file is damaged',
    });
  });
});

test('a member of a threshold key signs in amino JSON, and no other key signs for it', async () => {
  const keys = new Map<string, string>();
  const transaction = { body: { messages: [] }, auth_info: { fee: { amount: [], gas_limit: '1' } }, signatures: [] };
  const texts = new Map([['/t.json', JSON.stringify(transaction)]]);
  const run = (line: string) => runCli([...line.split(' '), '--home', '/h'], { keys, texts });
  expect((await run('keys add team --multisig dev0,dev1 --multisig-threshold 2')).stderr).toBe('');
  const sign = (from: string, mode?: string) =>
    run(
      `tx sign /t.json --from ${from} --multisig team --offline --chain-id c --account-number 1 --sequence 0${mode === undefined ? '' : ` --sign-mode ${mode}`}`,
    );
  for (const mode of ['direct', 'textual'])
    expect(await sign('dev0', mode)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--sign-mode ${mode}: members of a threshold key sign with amino-json`),
    });
  expect(await sign('dev2', 'amino-json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('dev2 is not a part of the multisig key team'),
  });
  for (const mode of [undefined, 'amino-json'])
    expect((await sign('dev1', mode)).stdout).toContain('SIGN_MODE_LEGACY_AMINO_JSON');
});

describe('keys', () => {
  test('are exported, deleted, imported and renamed by the command line', async () => {
    const keys = new Map<string, string>();
    const texts = new Map<string, string>();
    const run = (line: string, ...input: readonly string[]) =>
      runCli([...line.split(' '), '--home', '/h'], { keys, texts, input });
    await runCli(['keys', 'add', 'k', '--recover', DEV_MNEMONIC, '--home', '/h'], { keys });
    const exported = await run('keys export k', 'a passphrase');
    expect(exported.stdout).toMatch(/^-----BEGIN/);
    texts.set('k.txt', exported.stdout);
    expect((await run('keys delete k -y')).code).toBe(0);
    expect((await run('keys show k')).code).toBe(10);
    expect((await run('keys import k k.txt', 'wrong')).code).toBe(1);
    expect((await run('keys import k k.txt', 'a passphrase')).code).toBe(0);
    expect((await run('keys rename k other -y')).code).toBe(0);
    expect((await run('keys show other -a')).stdout).toBe('chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr\n');
    expect((await run('keys export other --unarmored-hex --unsafe -y')).stdout).toBe(
      'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80\n',
    );
    expect((await run('keys export other --unarmored-hex')).code).toBe(2);
  });

  test('of dev accounts are exported by name, bech32 or 0x address', async () => {
    for (const who of [
      'dev1',
      'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ])
      expect(await runCli(['keys', 'export', who, '--unarmored-hex', '--unsafe', '-y'])).toMatchObject({
        code: 0,
        stdout: '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d\n',
      });
    expect((await runCli(['keys', 'unsafe-export-eth-key', 'dev9'])).stdout.trim()).toMatch(/^[0-9A-F]{64}$/);
    expect((await runCli(['keys', 'export', 'dev2'], { input: ['a passphrase'] })).stdout).toMatch(/^-----BEGIN/);
    expect(await runCli(['keys', 'export', 'nobody', '--unarmored-hex', '--unsafe', '-y'])).toMatchObject({ code: 10 });
    expect((await runCli(['keys', 'delete', 'dev1', '-f'])).stderr).toContain('are in no keyring');
  });

  test('take the flags of the SDK', async () => {
    const keys = new Map<string, string>();
    const texts = new Map([['words.txt', `${DEV_MNEMONIC}\n`]]);
    const run = (line: string, ...input: readonly string[]) => runCli(line.split(' '), { keys, texts, input });
    const DEV0 = 'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr';
    const team = (await run('keys show dev0 dev1 --multisig-threshold 2 -o json')).stdout;
    expect(JSON.parse(team)).toMatchObject({ name: 'multi', type: 'multi' });
    await run('keys add team --multisig dev0,dev1 --multisig-threshold 2 --nosort');
    expect((await run('keys show team -a')).stdout).toBe(
      (await run('keys show dev0 dev1 --multisig-threshold 2 -a')).stdout,
    );
    expect(await run('keys show dev0 dev1 --multisig-threshold 3')).toMatchObject({ code: 2 });
    expect((await run('keys add twice --multisig dev0,dev0')).stderr).toContain('duplicate multisig keys: dev0');
    const { key } = JSON.parse((await run('keys show dev0 -p')).stdout);
    for (const text of [key, Buffer.from(key).toString('base64')]) {
      await run(`keys add public --pubkey-base64 ${text}`);
      expect((await run('keys show public -a')).stdout).toBe(`${DEV0}\n`);
      expect(await run('keys delete public -f')).toMatchObject({ code: 0 });
    }
    expect(await run('keys add public --pubkey-base64 AAAA')).toMatchObject({ code: 2 });
    expect(await run('keys add public --dry-run --multisig dev0,dev1')).toMatchObject({ code: 0 });
    expect(await run('keys show public')).toMatchObject({ code: 10 });
    expect((await run('keys add filed --recover --source words.txt -o json')).stdout).toContain(DEV0);
    expect((await run('keys add asked -i -o json', DEV_MNEMONIC, '')).stdout).toContain(DEV0);
    expect((await run('keys add secret -i -o json', DEV_MNEMONIC, 'x', 'y')).stderr).toContain(
      "passphrases don't match",
    );
    expect(JSON.parse((await run('keys add fresh -i -o json', '', '')).stdout).mnemonic.split(' ')).toHaveLength(24);
    expect(await run('keys add filed2 --source words.txt')).toMatchObject({ code: 2 });
  });

  test('of a derivation path equal those by index, and invalid paths are refused', () => {
    const [, second] = privateKeysOf(DEV_MNEMONIC, 2);
    expect(privateKeyAt(PURE_KEY_CRYPTO, DEV_MNEMONIC, '', parsePath("m/44'/60'/0'/0/1") ?? [])).toEqual(second);
    for (const path of ['', 'm', '44/60', "m/44''", 'm/4294967296', 'm/x', "m/2147483648'"])
      expect(parsePath(path), path).toBeUndefined();
  });

  test('in JSON are read back unchanged; invalid keys and unreachable thresholds are refused', () => {
    const simple = { kind: 'eth_secp256k1', key: new Uint8Array(33).fill(2) } as const;
    const threshold = { kind: 'multisig', threshold: 1, keys: [simple] } as const;
    for (const key of [simple, threshold])
      expect(parsePublicKeyJson(JSON.parse(JSON.stringify(publicKeyJson(key))))).toEqual(key);
    expect(parsePublicKeyJson({ ...publicKeyJson(threshold), threshold: 2 })).toBeUndefined();
    expect(parsePublicKeyJson({ ...publicKeyJson(simple), key: 'AA==' })).toBeUndefined();
    expect(addressOfKey(PURE_KEY_CRYPTO, { kind: 'eth_secp256k1', key: new Uint8Array(33).fill(5) })).toBeUndefined();
  });

  test('with a malformed file in the keyring are reported', () => {
    const files = memoryFiles();
    files.write('bad.json', '{');
    expect(createKeyring(PURE_KEY_CRYPTO, files, 'chron').find('bad')).toMatchObject({ ok: false });
  });
});

test.each([
  ['', 'a.b', '"x"', '[a]\nb = "x"\n'],
  ['', 'a', '1', 'a = 1\n'],
  ['# why\na = 1\n[s]\nb = 2\n', 'a', '3', '# why\na = 3\n[s]\nb = 2\n'],
  ['a = 1\n[s]\nb = 2\n', 's.b', '3', 'a = 1\n[s]\nb = 3\n'],
  ['a = 1\n[s]\nb = 2\n\n[t]\nc = 1\n', 's.d', '3', 'a = 1\n[s]\nb = 2\nd = 3\n\n[t]\nc = 1\n'],
  ['[s]\nb = 2\n', 'a', '3', 'a = 3\n[s]\nb = 2\n'],
  ['s.b = 2\n', 's.b', '3', 's.b = 3\n'],
])('withTomlValue: %j with %s set to %s', (before, key, value, after) => {
  expect(withTomlValue(before, key, value)).toBe(after);
});
