import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { personal } from '../../packages/otel/src/redaction/personal.ts'
import { redactText } from '../../packages/otel/src/redaction/redact-text.ts'
import { SECRETS } from '../../packages/otel/src/redaction/redaction.ts'
import { fuzz } from './fuzz.ts'

const rules = [SECRETS, ...personal(new Set(['email', 'phone', 'card', 'iban', 'ip']))]
const redacted = (text: string) => redactText(text, rules, () => {})

/** What nearly is something to hide, again and again. */
const PIECES = [
  ...[
    'sk-',
    'sk-a',
    '-sk-a1',
    'ghp_',
    'eyJ',
    'eyJaaaaaaaaa.',
    'AKIA',
    '://',
    '://a:',
    '://a:b@',
    ':\\/',
    ':AA',
    '1234567890:AA',
    'SG.',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\\nMII1',
    'password=',
    'api_key: "',
    'token:',
    'Bearer ',
    'Basic a1',
  ],
  ...[
    'a@',
    '@',
    'a@a.',
    'a@a.aa',
    '%40',
    'a.',
    '.',
    "'",
    '4111',
    '4111 ',
    '1 ',
    '1-',
    '1.',
    '(',
    '(1',
    '+',
    '+1',
    '0',
    '01 ',
    '00',
  ],
  ...[
    'DE89',
    'DE89 3704 ',
    'A',
    'a1',
    ':',
    '::',
    'a:',
    'fe80:',
    '1:',
    '/',
    'tel ',
    'телефон ',
    '电话',
    '{',
    '{"',
    '{"a":"',
    '\\',
    '\\n',
    '\\u0041',
  ],
  ...['\\"', '"', ',\\"', ';base64,', ';base64,AAAA ', '[email:3f2a]', ' ', '\n', 'é', '😀', 'a', 'あ'],
]

function spent(text: string): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3; run++) {
    const start = process.threadCpuUsage()
    redacted(text)
    const { user, system } = process.threadCpuUsage(start)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

describe('the time of redaction grows with its text, not faster:', () => {
  const pairs = PIECES.flatMap((one, at) => [one, one + (PIECES[(at * 7 + 3) % PIECES.length] ?? '')])
  it.each(pairs.map((piece) => [JSON.stringify(piece), piece] as const))('%s', (_, piece) => {
    const of = (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    const long = spent(of(262_144))
    // Eight times the text: linear is eight, quadratic 64.
    if (long > 100) expect(long / Math.max(spent(of(32_768)), 0.5)).toBeLessThan(30)
  })
})

it('no text makes it throw', () => {
  const near = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string(), fc.string({ unit: 'binary', maxLength: 20 })))
  fc.assert(
    fc.property(near, (pieces) => typeof redacted(pieces.join('')) === 'string'),
    fuzz(3_000),
  )
})

it('JSON stays JSON of the same form', () => {
  const text = fc
    .array(fc.constantFrom(...PIECES, 'ada@example.com', '4111111111111111', '192.168.1.20'))
    .map((all) => all.join(''))
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.double({ noNaN: true }),
      fc.array(tie('tree')),
      fc.dictionary(text, tie('tree')),
    ),
  }))
  const formOf = (value: unknown): unknown =>
    typeof value === 'string'
      ? ''
      : typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, each]) => [key, formOf(each)])
        : value
  fc.assert(
    fc.property(tree, fc.boolean(), (value, isInner) => {
      const whole = isInner ? { arguments: JSON.stringify(value) } : value
      expect(formOf(JSON.parse(redacted(JSON.stringify(whole))))).toEqual(formOf(JSON.parse(JSON.stringify(whole))))
    }),
    fuzz(1_000),
  )
})
