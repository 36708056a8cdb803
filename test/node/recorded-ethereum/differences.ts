/** Recorded answers that differ here, by recording and line, each with the reason. */

export interface Difference {
  readonly recording: string;
  /** Lines and ranges of lines of the recording, from 1 on. */
  readonly lines: string;
  readonly why: string;
}

const of =
  (recording: string) =>
  (lines: string, why: string): Difference => ({ recording, lines, why });
const http = of('eth-http');
const ws = of('eth-ws');
const poolOn = of('eth-mempool-on');
const poolOff = of('eth-mempool-off');

export const DIFFERENCES: readonly Difference[] = [
  http('2, 5', 'name of the program; the count of peers is a quantity, as in geth'),
  http('14, 26, 27, 230, 232-234, 340, 344', 'the node holds keys only in dev mode'),
  http(
    '9-11, 16, 17, 21, 23, 25, 75, 147, 331-333, 337, 339',
    'methods of geth, and of anvil, that the recorded node does not have',
  ),
  http('28-30, 328, 329, 334, 336', 'the recorded node refuses to profile; here the methods work or do not exist'),
  http(
    '12, 13, 231',
    'the suggested tip is at least 1 wei and is a part of prices; the unsigned transaction of `eth_fillTransaction` has a `gasPrice`, as in execution-apis',
  ),
  http('34, 35', 'the recorded node hashes the text of its parameter'),
  http('39, 79, 83, 84, 245', 'block 0 exists here, and `earliest` means it'),
  http(
    '40, 49, 154, 222-224',
    'accepted as in geth: the tag `safe`, a call without a block, state overrides of an estimate',
  ),
  http('67, 88', 'text that is not hex is refused, as in geth'),
  http('44, 58, 97, 111, 255, 319, 324', "geth's answers where a block, height or transaction does not exist"),
  http(
    '69-72, 74',
    'proofs of EIP-1186 over a trie; the recorded node refuses `latest` and answers proofs of its IAVL trees',
  ),
  http(
    '86, 90, 93, 238, 239',
    '`gasUsed` counts Ethereum transactions alone; fee history follows from it, and names the base fee that the next block had',
  ),
  http('137, 275', '`cumulativeGasUsed` adds up within a block'),
  http('153, 157, 192, 196', "a revert without data has geth's code 3 and empty `data`"),
  http('159-163, 166, 188, 198, 202, 205, 227', "geth's texts, without the prefix of an inner service"),
  http('164, 165, 203, 204', 'a fee cap below the base fee or the tip is refused, as in geth'),
  http('199, 200', "geth's text when the allowance is not enough"),
  http('212', 'the recorded node ignores the hash of a block and estimates on a state without the contract'),
  http('228, 229', 'the recorded node runs out of gas where geth makes a list'),
  http('240, 241, 243', "no blocks are empty lists; up to `ethFeeHistoryBlocks` are answered; geth's text"),
  http('256, 257, 268', "ranges are refused with geth's code, also those of a new filter"),
  http('289, 290, 292, 293, 297', "geth's text of a filter that is not there"),
  http(
    '298, 300',
    "logs of opcodes: geth's present form of storage; `limit` counts steps, as in execution-apis, the recorded node counts bytes",
  ),
  http(
    '302, 308, 326, 327',
    "calls have the gas that they used and this node's gas limit of calls; the recorded node shows 0 or half of the limit",
  ),
  http('309', '`withLog` works'),
  http('312', 'the difference holds fees and nonces, as in geth'),
  http('315', 'flat traces name their block'),
  http('317, 318, 320', 'there are no tracers in JavaScript, and `timeout` means nothing'),
  http('321, 325', 'traces of a block name their transactions, as in geth'),
  http('323', 'block 0 has no traces'),
  http('330', 'the encoded header holds another `miner`'),
  http('366', '`jsonrpc` may be missing'),
  http('374, 377, 383', "geth's answer to a GET without a body; other texts of 405 and 413"),
  http('378, 379', 'foreign pages are refused unless `--cors-allowed-origins` names them'),
  http('380', 'text after the message is refused'),
  ws(
    '22-25, 62, 63, 77, 84, 85, 87, 95, 102',
    'one registry answers both transports: the codes, texts and ids of HTTP',
  ),
  ws('26', 'a wrong address is refused'),
  ws('28, 31', '`true` asks for whole transactions, as in geth'),
  ws(
    '32, 33, 52, 53, 98, 115-117',
    'heads are those of `eth_getHeaderByNumber`; the recorded ones lack gas and bloom and have a hash that no block has',
  ),
  ws('78', 'the parent of block 1 is block 0'),
  ws('83', 'a notification has no answer'),
  ws('93', 'a batch may subscribe'),
  ws('119, 120', 'both ports answer HTTP, too'),
  poolOn('7, 23, 33, 35', 'blocks of another chain'),
  poolOn('12, 13', "geth's text"),
  poolOff('1-3, 5, 6', 'transactions wait here for lower nonces'),
  poolOff('4, 9-12, 14, 15, 17', "geth's texts, or those of the ante rules without the path of a Go file"),
];
