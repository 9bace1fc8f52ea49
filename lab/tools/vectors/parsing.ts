// Vectors of lossless parsing: texts that are taken, with their canonical form, and texts that are not,
// each with the reason and the place. The reasons are stated here by hand, not computed.
import { canonicalForm } from '../../../protocol/digest.ts'
import { limits } from '../../../protocol/limits.ts'
import { parseJsonText } from '../../../protocol/parse.ts'
import type { ViolationCode } from '../../../protocol/reasons.ts'

export type ParseVectors = {
  readonly valid: readonly { name: string; text: string; canonical: string }[]
  readonly invalid: readonly {
    name: string
    /** Text, or bytes in base64url where the bytes are not UTF-8. */
    text?: string
    bytes?: string
    reason: ViolationCode
    at: string
  }[]
}

const valid: [string, string][] = [
  ['empty object', '{}'],
  ['keys are sorted by UTF-16', '{"b":1,"a":2,"\u20ac":3,"\ud83d\ude00":4,"\ufb33":5}'],
  ['white space around everything', ' \n\t\r{ "a" : [ 1 , 2 ] } '],
  ['one point zero is one', '{"n":1.0}'],
  ['an exponent is another spelling', '[1e2,1E+2,100,1.5e-3]'],
  ['decimals that a double writes alike', '[0.1,1.25,-3.5,1e-7]'],
  ['the largest integers', '[9007199254740991,-9007199254740991]'],
  ['the smallest double', '[5e-324]'],
  ['zero in other spellings', '[0,0.0,0e5]'],
  ['escapes', '["\\u0041\\n\\t\\"\\\\\\/\\b\\f\\r"]'],
  ['an escaped surrogate pair', '["\\ud83d\\ude00"]'],
  ['true, false, null', '[true,false,null]'],
  ['a bare string', '"text"'],
  ['the same key in different objects', '{"a":{"x":1},"b":{"x":1}}'],
  ['the deepest nesting', '['.repeat(limits.jsonDepthMax) + ']'.repeat(limits.jsonDepthMax)],
]

type Invalid = [string, string, ViolationCode, string]
const invalid: Invalid[] = [
  ['nothing', '', 'not_json', ''],
  ['only white space', ' ', 'not_json', ''],
  ['an open object', '{"a":1', 'not_json', ''],
  ['an open array', '[1,', 'not_json', '/1'],
  ['an open string', '"abc', 'not_json', ''],
  ['a trailing comma in an object', '{"a":1,}', 'not_json', ''],
  ['a trailing comma in an array', '[1,]', 'not_json', '/1'],
  ['text after the end', '{} {}', 'not_json', ''],
  ['a comment', '{/* */}', 'not_json', ''],
  ['single quotes', "{'a':1}", 'not_json', ''],
  ['a bare key', '{a:1}', 'not_json', ''],
  ['a leading zero', '[01]', 'not_json', ''],
  ['a leading plus', '[+1]', 'not_json', '/0'],
  ['no digits after the point', '[1.]', 'not_json', ''],
  ['no digits before the point', '[.5]', 'not_json', '/0'],
  ['NaN', '[NaN]', 'not_json', '/0'],
  ['Infinity', '[Infinity]', 'not_json', '/0'],
  ['a word with a capital', '[True]', 'not_json', '/0'],
  ['a control character in a string', '["a\u0001b"]', 'not_json', '/0'],
  ['a raw newline in a string', '["a\nb"]', 'not_json', '/0'],
  ['an unknown escape', '["\\x41"]', 'not_json', '/0'],
  ['a short unicode escape', '["\\u12"]', 'not_json', '/0'],
  ['a no-break space between values', '[1,\u00a02]', 'not_json', '/1'],
  ['a byte order mark', '\ufeff{}', 'not_json', ''],
  ['a repeated key', '{"a":1,"a":1}', 'duplicate_key', '/a'],
  ['a repeated key in another spelling', '{"a":1,"\\u0061":2}', 'duplicate_key', '/a'],
  ['a repeated key deep inside', '{"n":[{"x":{"k":1,"k":2}}]}', 'duplicate_key', '/n/0/x/k'],
  ['__proto__', '{"__proto__":{"a":1}}', 'forbidden_key', '/__proto__'],
  ['__proto__ by escape', '{"\\u005f_proto__":1}', 'forbidden_key', '/__proto__'],
  ['constructor', '{"a":{"constructor":1}}', 'forbidden_key', '/a/constructor'],
  ['prototype', '{"prototype":1}', 'forbidden_key', '/prototype'],
  ['half a surrogate pair, high', '["\\ud83d"]', 'lone_surrogate', '/0'],
  ['half a surrogate pair, low', '["\\ude00 x"]', 'lone_surrogate', '/0'],
  ['surrogates in the wrong order', '["\\ude00\\ud83d"]', 'lone_surrogate', '/0'],
  ['half a surrogate pair in a key', '{"\\ud83d":1}', 'lone_surrogate', ''],
  ['an integer past 2^53 - 1', '[9007199254740992]', 'number_not_exact', '/0'],
  ['an integer that a double rounds', '[9007199254740993]', 'number_not_exact', '/0'],
  ['a large power of ten', '[1e300]', 'number_not_exact', '/0'],
  ['overflow', '[1e400]', 'number_not_exact', '/0'],
  ['underflow', '[1e-400]', 'number_not_exact', '/0'],
  ['minus zero', '{"x":-0}', 'number_not_exact', '/x'],
  ['minus zero with a point', '{"x":-0.0}', 'number_not_exact', '/x'],
  ['more digits than a double holds', '[0.12345678901234567890]', 'number_not_exact', '/0'],
  ['one third written out', '[0.33333333333333333333]', 'number_not_exact', '/0'],
  ['a pointer with both escapes', '{"a/b~c":-0}', 'number_not_exact', '/a~1b~0c'],
  [
    'one level too deep',
    '['.repeat(limits.jsonDepthMax + 1) + ']'.repeat(limits.jsonDepthMax + 1),
    'too_deep',
    '/0'.repeat(limits.jsonDepthMax),
  ],
]

/** Bytes that are not UTF-8, in base64url. */
const broken: [string, string][] = [
  ['a lone continuation byte', 'IoAi'],
  ['an overlong slash', 'IsCvIg'],
  ['a surrogate in UTF-8', 'Iu2gvSI'],
  ['a cut sequence', 'IuKC'],
]

export function parseVectors(): ParseVectors {
  return {
    valid: valid.map(([name, text]) => {
      const parsed = parseJsonText(text)
      if (!parsed.ok) throw new Error(`vector '${name}' is not valid`)
      return { name, text, canonical: canonicalForm(parsed.value) }
    }),
    invalid: [
      ...invalid.map(([name, text, reason, at]) => ({ name, text, reason, at })),
      ...broken.map(([name, bytes]) => ({ name, bytes, reason: 'not_utf8' as const, at: '' })),
    ],
  }
}
