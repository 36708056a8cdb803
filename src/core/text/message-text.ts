/**
 * Gives the protobuf library the texts of `any-text.ts`: a message keeps the bytes of its texts from its decoding to
 * the state, to events and to answers. What decodes or encodes messages of a chain imports this for its effect.
 */
import { configureTextEncoding } from '@bufbuild/protobuf/wire';
import { text, utf8, utf8Into } from '../bytes/bytes.js';

configureTextEncoding({ encodeUtf8: utf8, encodeUtf8Into: utf8Into, decodeUtf8: text, checkUtf8: () => true });
