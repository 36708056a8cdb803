/**
 * Installs the string encoding of `src/core/bytes/any-text.ts` in the protobuf library, so that messages keep the
 * bytes of their strings from decoding to state, events and responses. Code that decodes or encodes chain messages
 * imports this file for its side effect.
 */
import { configureTextEncoding } from '@bufbuild/protobuf/wire';
import { text, utf8, utf8Into } from '../bytes/bytes.js';

configureTextEncoding({ encodeUtf8: utf8, encodeUtf8Into: utf8Into, decodeUtf8: text, checkUtf8: () => true });
