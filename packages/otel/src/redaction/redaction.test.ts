import { type Attributes, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { plainSpan } from '../../test/support/batches.ts'
import { catchLog } from '../../test/support/console.ts'
import { exporting } from '../../test/support/tracing.ts'
import { genAiConventions } from '../dialects/gen-ai-conventions.ts'
import type { SvcSpanProcessorParams } from '../params.ts'
import { personal } from './personal.ts'
import { Redaction } from './redaction.ts'

const log = catchLog()
const KEY = `sk-proj-${'a1B2c3D4'.repeat(5)}`
const MARK = /\[(?:secret|email|phone|card|iban|ip|order):[\da-f]{4}\]/g
const MEDIA = 'data:application/pdf;base64,JVBERi0='
const ALL = ['email', 'phone', 'card', 'iban', 'ip'] as const

/** What is delivered of texts, each an attribute of its own, with `#` for what a mark says of its value. */
async function delivered(options: SvcSpanProcessorParams, ...texts: string[]): Promise<readonly unknown[]> {
  const { tracer, exported } = exporting(options)
  const named = texts.map((text, at) => [`text.${at}`, text] as const)
  tracer('ai')
    .startSpan('s', { attributes: Object.fromEntries(named) })
    .end()
  const [span] = await exported()
  return named.map(([name]) => String(span?.attributes[name]).replace(/(?<=\[\w+:)[\da-f]{4}(?=\])/g, '#'))
}

describe('secrets are hidden by default, and nothing else', () => {
  it('keys, tokens, headers and passwords of addresses', async () => {
    expect(
      await delivered(
        {},
        `use ${KEY}!`,
        'Authorization: Bearer abc123def456ghi7',
        'postgres://app:hunter22@db.example.com/shop',
        '{"api_key":"0123456789abcdef"}',
        'ada@example.com, 4111 1111 1111 1111, +49 170 1234567, 192.168.1.20',
      ),
    ).toEqual([
      'use [secret:#]!',
      'Authorization: Bearer [secret:#]',
      'postgres://app:[secret:#]@db.example.com/shop',
      '{"api_key":"[secret:#]"}',
      'ada@example.com, 4111 1111 1111 1111, +49 170 1234567, 192.168.1.20',
    ])
  })

  it('with marks that make no message longer than any may be', async () => {
    const message = '://a:b@'.repeat(9_362)
    const { tracer, exported } = exporting({})
    const span = tracer('ai').startSpan('s', { attributes: { 'svc.observation.status_message': message } })
    span.setStatus({ code: SpanStatusCode.ERROR, message }).end()
    const [ended] = await exported()
    const texts = [ended?.status.message, ended?.attributes['svc.observation.status_message']]
    expect(texts.map((text) => String(text).length)).toEqual([65_536, 65_536])
  })

  it('with raw answers left out where a part of them is hidden elsewhere', async () => {
    const raw = [KEY.slice(0, 9), KEY.slice(9)]
    const rawOf = async (output: string) => {
      const { tracer, exported } = exporting({})
      const attributes = { 'svc.observation.output': output, 'svc.raw.answers': raw }
      tracer('ai').startSpan('s', { attributes }).end()
      return (await exported())[0]?.attributes['svc.raw.answers']
    }
    expect([await rawOf('nothing'), await rawOf(KEY)]).toEqual([raw, undefined])
  })

  it('unless nothing is asked for', async () => {
    expect(await delivered({ redact: ['none'] }, KEY)).toEqual([KEY])
    expect(await delivered({ env: (name) => (name === 'SVC_REDACT' ? 'none' : undefined) }, KEY)).toEqual([KEY])
  })

  it('and the log says so once, without the secret', async () => {
    await delivered({}, KEY, KEY)
    await delivered({}, `${KEY}x`)
    expect(log.lines()).toEqual([expect.stringMatching(/secret .*\[secret:….*SVC_REDACT=none/)])
  })
})

it('of personal data, only what is asked for is hidden', async () => {
  const text = 'ada@example.com, 4111 1111 1111 1111, +49 170 1234567, 192.168.1.20, DE89370400440532013000'
  const hidden = [
    '[email:#], 4111 1111 1111 1111, +49 170 1234567, 192.168.1.20, DE89370400440532013000',
    'ada@example.com, 4111 1111 1111 1111, [phone:#], 192.168.1.20, DE89370400440532013000',
    'ada@example.com, [card:#], +49 170 1234567, 192.168.1.20, DE89370400440532013000',
    'ada@example.com, 4111 1111 1111 1111, +49 170 1234567, 192.168.1.20, [iban:#]',
    'ada@example.com, 4111 1111 1111 1111, +49 170 1234567, [ip:#], DE89370400440532013000',
  ]
  expect(await Promise.all(ALL.map((kind) => delivered({ redact: [kind] }, text)))).toEqual(
    hidden.map((each) => [each]),
  )
})

it('a card and an address are found behind any other numbers', async () => {
  for (let length = 0; length < 40; length++) {
    const before = '12 34 56 78 90 '.repeat(3).slice(0, length)
    expect(await delivered({ redact: ALL }, `${before} 4111 1111 1111 1111 12 192.168.1.20 12`)).toEqual([
      `${before} [card:#] 12 [ip:#] 12`,
    ])
  }
})

it.each(['emial', 'email,none'])(
  '%s, which is none of the words or no choice, is read as all of them',
  async (text) => {
    const env = (name: string) => (name === 'SVC_REDACT' ? text : undefined)
    expect(await delivered({ env }, 'ada@example.com')).toEqual(['[email:#]'])
    expect(log.lines('SVC_REDACT=')).toEqual([expect.stringContaining(`SVC_REDACT="${text}" is read as all of them: `)])
  },
)

describe('what is asked for is hidden in every text of a span, and who the trace is about stays:', () => {
  const private_ = 'ada@example.com'
  const attributes = {
    'svc.observation.input': private_,
    'svc.observation.output': JSON.stringify([{ type: 'file', filename: `${private_}.pdf`, data: MEDIA }]),
    'svc.observation.metadata.a': JSON.stringify(private_),
    'svc.observation.status_message': private_,
    'svc.trace.metadata.b': JSON.stringify(private_),
    'svc.trace.name': private_,
    'svc.observation.prompt.name': private_,
    'gen_ai.tool.call.arguments': JSON.stringify({ to: private_ }),
    'url.full': `https://example.com/?to=${encodeURIComponent(private_)}`,
    'http.url': `https://${encodeURIComponent(private_)}:hunter22@example.com/`,
    'error.message': private_,
    list: [private_, 'b'],
    'user.id': private_,
  }

  function end(tracer: Tracer) {
    const context = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }
    const links = [{ context, attributes: { of: private_ } }]
    const span = tracer.startSpan(`mail to ${private_}`, { attributes, links })
    span.addEvent('gen_ai.user.message', { content: private_ })
    span.addEvent(`mailed ${private_}`)
    span.recordException(new Error(private_))
    span.setStatus({ code: SpanStatusCode.ERROR, message: private_ })
    span.end()
  }

  function expectHidden(sent: ReadableSpan | undefined) {
    const { 'user.id': user, ...others } = sent?.attributes ?? {}
    expect(user).toBe(private_)
    const texts = JSON.stringify([sent?.name, sent?.status, others, sent?.events, sent?.links])
    expect(texts).not.toMatch(/ada(?:@|%40)/)
    expect(texts.match(MARK)?.length).toBeGreaterThanOrEqual(Object.keys(attributes).length + 5)
  }

  it('for the service', async () => {
    const { tracer, exported } = exporting({ redact: ALL })
    end(tracer('ai'))
    expectHidden((await exported())[0])
  })

  it('for another destination', async () => {
    const exporter = new InMemorySpanExporter()
    const spanProcessors = [genAiConventions(new SimpleSpanProcessor({ exporter }), [], [{ redact: ALL }])]
    const provider = new TracerProvider({ spanProcessors })
    end(provider.getTracer('ai'))
    await provider.forceFlush()
    expectHidden(exporter.getFinishedSpans()[0])
  })
})

it('values that are no text are searched, too: objects, lists in lists, bytes and long numbers', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const values = {
    object: { 'ada@example.com': { to: [['ada@example.com']] }, count: 7 },
    text: bytes('to ada@example.com'),
    number: 4_111_111_111_111_111,
    numbers: [1, 4_111_111_111_111_111],
    named: { api_key: 'fedcba9876543210', note: 'fedcba9876543210' },
    command: ['curl', '--token', 'fedcba9876543210', '-v', 'fedcba9876543210'],
  }
  const same = {
    object: { to: [['nobody', 1, null]] },
    image: new Uint8Array([0x89, 0x50, 0xff]),
    numbers: [1_234, 1.5],
  }
  const attributes = { ...values, same } as unknown as Attributes
  const { tracer, exported } = exporting({ redact: [...ALL, 'secrets'], redactPatterns: { pin: /1234/ } })
  const span = tracer('ai').startSpan('s', { attributes })
  span.addEvent('mail to ada@example.com').end()
  const [sent] = await exported()
  const mark = (kind: string) => expect.stringMatching(new RegExp(`^\\[${kind}:[\\da-f]{4}\\]$`))
  expect(sent?.attributes).toMatchObject({
    object: { 'ada@example.com': { to: [[mark('email')]] }, count: 7 },
    number: mark('card'),
    numbers: [1, mark('card')],
    named: { api_key: mark('secret'), note: 'fedcba9876543210' },
    command: ['curl', '--token', mark('secret'), '-v', 'fedcba9876543210'],
    same,
  })
  expect(String(new TextDecoder().decode(sent?.attributes.text as unknown as Uint8Array))).toMatch(/^to \[email:/)
  expect(JSON.stringify(sent?.events)).not.toContain('ada@')
})

it('what is a secret by the name of its attribute is hidden, and JSON below it as elsewhere', async () => {
  const value = 'fedcba9876543210'
  const secrets = {
    'svc.observation.metadata.api_key': value,
    'svc.observation.metadata.password': JSON.stringify(value),
    'http.request.header.x-api-key': [value, value],
  }
  const others = {
    'svc.observation.metadata.note': value,
    'svc.observation.metadata.access_token': `{"a":[1,"${value}"]}`,
  }
  const { tracer, exported } = exporting({})
  tracer('ai')
    .startSpan('s', { attributes: { ...secrets, ...others } })
    .end()
  const sent = (await exported())[0]?.attributes
  const hidden = Object.keys(secrets).map((key) => JSON.stringify(sent?.[key]).replace(MARK, '#'))
  expect(hidden).toEqual(['"#"', JSON.stringify('"#"'), '["#","#"]'])
  expect(sent).toMatchObject(others)
})

it('a value that never ends costs the span its own place, and one that equals nothing not even that', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const redaction = new Redaction({ redact: ['secrets'] }, personal)
  const spanWith = (attributes: object) => ({ ...plainSpan('s'), attributes: attributes as Attributes })
  const odd = spanWith({ none: Number.NaN, score: [Number.NaN, 1], note: 'a' })
  expect(redaction.step(odd)).toBe(odd)
  expect(redaction.step(spanWith({ circular, note: 'a' }))).toMatchObject({
    attributes: { circular: '<failed to serialize>', note: 'a' },
  })
})

it('what a resource is merged to, or shows of itself, has no key, either', () => {
  const resource = resourceFromAttributes({ 'process.command': `node app.js --api-key ${KEY}` })
  const frozen = Object.freeze({ ...resource, attributes: Object.freeze({ 'process.command': KEY }) })
  const redaction = new Redaction({ redact: ['secrets'] }, personal)
  for (const each of [resource, frozen] as (typeof resource)[]) {
    const shown = (redaction.step({ ...plainSpan('s'), resource: each }) as ReadableSpan).resource as typeof resource
    const merged = each === resource ? shown.merge(resourceFromAttributes({ a: 'b' })) : shown
    expect(JSON.stringify([shown, shown.getRawAttributes(), merged.attributes])).not.toContain(KEY)
    expect(shown.attributes['process.command']).toContain('[secret:')
  }
})

it.each([
  ['known at once', [`--api-key=${KEY}`]],
  ['known later', Promise.resolve([`--api-key=${KEY}`])],
])('a key in the command line of the process is hidden, whose resource is %s', async (_, flags) => {
  const resource = resourceFromAttributes({ 'service.name': 'shop', 'process.command_args': flags })
  const second = new InMemorySpanExporter()
  const other = genAiConventions(new SimpleSpanProcessor({ exporter: second }))
  const { tracer, exported, provider } = exporting({}, { resource, spanProcessors: [other] })
  for (const name of ['a', 'b']) tracer('ai').startSpan(name).end()
  await provider.forceFlush()
  for (const [a, b] of [await exported(), second.getFinishedSpans()]) {
    expect(a?.resource.attributes['process.command_args']).toEqual([expect.stringMatching(/^--api-key=\[secret:/)])
    expect(a?.resource.attributes['service.name']).toBe('shop')
    // One batch has one resource.
    expect(a?.resource).toBe(b?.resource)
  }
})

it('the same value has the same mark, however it is written', async () => {
  const { tracer, exported } = exporting({ redact: ALL })
  const text = 'Ada@Example.com ada@example.com bob@example.com 4111-1111-1111-1111 4111111111111111'
  tracer('ai').startSpan('s', { attributes: { text } }).end()
  const [span] = await exported()
  const [one, same, other, card, sameCard] = String(span?.attributes.text).split(' ')
  expect([one === same, one === other, card === sameCard]).toEqual([true, false, true])
})

describe('JSON', () => {
  it('keeps its keys and form, also in the arguments of a tool', async () => {
    const inner = JSON.stringify({ 'ada@example.com': 'x', to: 'bob@example.com\nada@example.com' })
    const text = `{"a": 1.50, "ada@example.com": "bob@example.com", "t": ${JSON.stringify(inner)}}`
    const hiddenInner = JSON.stringify({ 'ada@example.com': 'x', to: '[email:#]\n[email:#]' })
    expect(await delivered({ redact: ALL }, text)).toEqual([
      `{"a": 1.50, "ada@example.com": "[email:#]", "t": ${JSON.stringify(hiddenInner)}}`,
    ])
  })

  it('has a text where a number is hidden, also in the arguments of a tool', async () => {
    const text = '{"a": 1.50, "n": 4111111111111111, "all": [4111111111111111,7], "order": 12345678.5}'
    const inner = JSON.stringify({ n: 4_111_111_111_111_111 })
    const options = { redact: ALL, redactPatterns: { order: /1234/ } }
    expect(await delivered(options, text, JSON.stringify({ arguments: inner }), '4111111111111111')).toEqual([
      '{"a": 1.50, "n": "[card:#]", "all": ["[card:#]",7], "order": 12345678.5}',
      JSON.stringify({ arguments: JSON.stringify({ n: '[card:#]' }) }),
      '[card:#]',
    ])
  })

  it.each([0, 2])('keeps its form inside of its texts at any depth, indented by %i', async (indent) => {
    const card = 4_111_111_111_111_111
    const text = (depth: number, value: unknown): string => {
      const json = JSON.stringify(value, undefined, indent)
      return depth === 0 ? json : JSON.stringify({ arguments: text(depth - 1, value) })
    }
    const before = [[card, 7], { all: ['a', card], 'ada@example.com': 1, [card]: { to: card, n: -1 } }, card]
    const after = [
      ['[card:#]', 7],
      { all: ['a', '[card:#]'], 'ada@example.com': 1, [card]: { to: '[card:#]', n: -1 } },
      '[card:#]',
    ]
    for (const depth of [1, 2, 3]) {
      expect(await delivered({ redact: ALL }, text(depth, before))).toEqual([text(depth, after)])
    }
    for (const sentence of ['the cards 1, 4111111111111111, and "b"', ', 4111111111111111, 7']) {
      const json = JSON.stringify({ text: sentence })
      expect(await delivered({ redact: ALL }, json)).toEqual([json.replace(String(card), '[card:#]')])
    }
  })

  it('is only what is whole: a text that begins like it is text', async () => {
    expect(await delivered({ redact: ALL }, '{"a": 4111111111111111, "b')).toEqual(['{"a": [card:#], "b'])
  })
})

it('numbers that have no checksum, versions and dates stay', async () => {
  const texts = [
    '4111111111111112',
    'DE89370400440532013001',
    'v1.2.30.4 Chrome/120.0.0.0',
    '2024-01-15 10:20:30',
    '12:30:45',
  ]
  expect(await delivered({ redact: ALL }, ...texts)).toEqual(texts)
})

it('numbers with the blanks and hyphens of typesetters are found', async () => {
  const texts = [
    ['appelez le +33\u00a06\u00a012\u00a034\u00a056\u00a078 !', 'appelez le [phone:#] !'],
    ['06\u202f12\u202f34\u202f56\u202f78', '[phone:#]'],
    ['+1 555\u2011123\u20114567', '[phone:#]'],
    ['DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000', '[iban:#]'],
    ['4111\u00a01111\u00a01111\u00a01111', '[card:#]'],
    ['10\u00a0000 \u2212 5\u00a0000', '10\u00a0000 \u2212 5\u00a0000'],
  ] as const
  expect(await delivered({ redact: ALL }, ...texts.map(([text]) => text))).toEqual(texts.map(([, hidden]) => hidden))
})

it('patterns of the application are hidden, too', async () => {
  const redactPatterns = { order: /\bORD-\d{4}\b/ }
  expect(await delivered({ redactPatterns }, 'ORD-1234 and ORD-99', 'a ORD-1234')).toEqual([
    '[order:#] and ORD-99',
    'a [order:#]',
  ])
})

it('of a pattern that is none there is a line, and what the others find is hidden', async () => {
  const redactPatterns = { order: /ORD-\d{4}/y, client: 'C-\\d{4}' as unknown as RegExp }
  expect(await delivered({ redactPatterns }, 'of ORD-1234')).toEqual(['of [order:#]'])
  await delivered({ redactPatterns }, 'of ORD-1234')
  expect(log.lines()).toEqual([expect.stringMatching(/redactPatterns\.client is ignored: expected a RegExp\./)])
})

it('a mask gets what is left, also one that comes later', async () => {
  const seen: unknown[] = []
  const mask = ({ data }: { data: unknown }) => {
    seen.push(String(data).replace(MARK, '[mark]'))
    return data
  }
  const { tracer, exported, processor } = exporting({ redact: ['email'], mask })
  processor.attach({ mask, redact: ['ip'] })
  tracer('ai')
    .startSpan('s', { attributes: { 'svc.observation.input': 'ada@example.com at 192.168.1.20' } })
    .end()
  await exported()
  expect(seen).toEqual(['[mark] at [mark]', '[mark] at [mark]'])
})

describe('where what hides personal data is loaded later', () => {
  const span = plainSpan('ada@example.com')

  it('spans wait for it, and those after it do not', async () => {
    const redaction = new Redaction({ redact: ['email'] }, async (asked) => personal(asked))
    expect(await redaction.step(span)).toMatchObject({ name: expect.stringMatching(MARK) })
    expect(redaction.step(span)).toMatchObject({ name: expect.stringMatching(MARK) })
  })

  it('no span goes without it', async () => {
    const redaction = new Redaction({ redact: ['email'] }, () => Promise.reject(new Error('no such file')))
    await expect(redaction.step(span)).rejects.toThrow('no such file')
  })

  it('it is not loaded for secrets', () => {
    const load = () => {
      throw new Error('loaded')
    }
    expect(new Redaction({ redact: ['secrets'] }, load).step(span)).toMatchObject({ name: 'ada@example.com' })
  })
})

it('the bytes of media are passed over, and what is around them is not', async () => {
  const media = `data:image/png;base64,${'ada4111111111111111'.repeat(4)}`
  expect(await delivered({ redact: ALL, mediaUploadEnabled: false }, `${media} of ada@example.com`)).toEqual([
    `${media} of [email:#]`,
  ])
})

it('an address of version 4 in one of version 6 is hidden whole, with the same mark', async () => {
  const { tracer, exported } = exporting({ redact: ['ip'] })
  const text = '::ffff:203.0.113.7 203.0.113.7 ::ffff:127.0.0.1 2001:db8::1.443'
  tracer('ai').startSpan('s', { attributes: { text } }).end()
  const [mapped = '', mark, loopback, sniffed] = String((await exported())[0]?.attributes.text).split(' ')
  expect([mapped, loopback]).toEqual([`::ffff:${mark}`, '::ffff:127.0.0.1'])
  expect(sniffed).toMatch(/^\[ip:[\da-f]{4}\]\.443$/)
})

it('the seconds of a time are no part of the number behind them', async () => {
  const texts = [
    ['10:15:07 12345678 bytes', '10:15:07 12345678 bytes'],
    ['2024-01-01T12:00:00 203.0.113.7', '2024-01-01T12:00:00 [ip:#]'],
    ['10:15:07 0170 1234567', '10:15:07 [phone:#]'],
    ['tel:0170 1234567', 'tel:[phone:#]'],
  ] as const
  expect(await delivered({ redact: ALL }, ...texts.map(([text]) => text))).toEqual(texts.map(([, hidden]) => hidden))
})

it('a count or time whose name ends with a word of telephones is none', async () => {
  const texts = ['num_sms=12345678', 'app_mobile: 1700000000', 'excel_cell: 12345678']
  expect(await delivered({ redact: ALL }, ...texts)).toEqual(texts)
})

it.each(['phone', 'telephone', 'phone_number', 'phoneNumber', 'phoneNo', 'home_phone', 'customerPhone'])(
  'the number of a field with the name %s is one of a telephone',
  async (name) => {
    const texts = ['2125550123', 2_125_550_123].map((number) => JSON.stringify({ [name]: number }))
    const hidden = JSON.stringify({ [name]: '[phone:#]' })
    expect(await delivered({ redact: ALL }, ...texts)).toEqual([hidden, hidden])
    const id = JSON.stringify({ [`${name}_id`]: 2_125_550_123 })
    expect(await delivered({ redact: ALL }, id)).toEqual([id])
  },
)

it.each([
  'HN88CABF00000000000250005469',
  'LC14BOSL123456789012345678901234',
  'MN121234123456789123',
  'OM810180000001299123456',
  'SO211000001001000100141',
])('%s is an account, too', async (account) => {
  expect(await delivered({ redact: ALL }, account)).toEqual(['[iban:#]'])
})

describe('in what is encoded for a URL', () => {
  it.each([
    ['q=%22ada%40example.com%22', 'q=%22[email:#]%22'],
    ['u=%2F%3Fto%3Dada%2Bnews%40example.com', 'u=%2F%3Fto%3D[email:#]'],
    ['u=%252F%253Fto%253Dada%2540example.com', 'u=%252F%253Fto%253D[email:#]'],
    ['to=%2B491701234567', 'to=[phone:#]'],
    ['to=%2B49%20170%201234567&a', 'to=[phone:#]&a'],
    ['/call?to=%2B49+170+1234567&card=4111+1111+1111+1111', '/call?to=[phone:#]&card=[card:#]'],
    ['?offset=+491701234567 or 010+12345678', '?offset=[phone:#] or 010+12345678'],
    ['u=%2Fpay%3Fcard%3D4111111111111111%26a', 'u=%2Fpay%3Fcard%3D[card:#]%26a'],
    ['u=%253Fiban%253DDE89370400440532013000', 'u=%253Fiban%253D[iban:#]'],
    ['u=%3Fip%3D192.168.1.20', 'u=%3Fip%3D[ip:#]'],
    ['rose by 100%22 12', 'rose by 100%22 12'],
  ])('%s', async (text, hidden) => {
    expect(await delivered({ redact: ALL }, text)).toEqual([hidden])
  })

  it('the same value has the same mark', async () => {
    const { tracer, exported } = exporting({ redact: ALL })
    const text = 'ada+b@example.com %22ada%2Bb%40example.com%22 +491701234567 %2B491701234567'
    tracer('ai').startSpan('s', { attributes: { text } }).end()
    const marks = String((await exported())[0]?.attributes.text).match(MARK) ?? []
    expect([marks.length, new Set(marks).size]).toEqual([4, 2])
  })
})

it('an address of a domain in Cyrillic letters is hidden', async () => {
  expect(await delivered({ redact: ALL }, 'пишите на ада@почта.рф, ada@example.com')).toEqual([
    'пишите на [email:#], [email:#]',
  ])
})

describe('a secret is found', () => {
  it.each([
    ['behind an escape of JSON', `{"text":"a\\n${KEY}"}`, '{"text":"a\\n[secret:#]"}'],
    ['with a line break before a value', '{"text":"password:\\nhunter2222"}', '{"text":"password:\\n[secret:#]"}'],
    ['in what is no value itself', 'secret=vault/sk_live_abcdefABCDEFabcdef', 'secret=vault/[secret:#]'],
    [
      'in a URL inside of a URL',
      `/login?next=%2Fcb%3Fkey%3D${KEY}%26a%3D1`,
      '/login?next=%2Fcb%3Fkey%3D[secret:#]%26a%3D1',
    ],
    ['by its name there', 'u=%2F%3Fapi_key%3D0123456789abcdef%26a', 'u=%2F%3Fapi_key%3D[secret:#]%26a'],
    ['in a URL of a URL there', 'u=%252Fcb%253Fapi_key%253D0123456789abcdef', 'u=%252Fcb%253Fapi_key%253D[secret:#]'],
    ['in JSON there', 'j=%7B%5C%22api_key%5C%22%3A%5C%220123456789ab', 'j=%7B%5C%22api_key%5C%22%3A%5C%22[secret:#]'],
    ['as the value of a flag', 'run --openai-api-key 0123456789abcdef', 'run --openai-api-key [secret:#]'],
    ['so with a sign', 'run --token=0123456789abcdef -v', 'run --token=[secret:#] -v'],
    ['so in a list', '["--password", "hunter2222", "-v"]', '["--password", "[secret:#]", "-v"]'],
    ['in a header of a form', 'h=Bearer+abcdef0123456789abcd&a=1', 'h=Bearer+[secret:#]&a=1'],
    ['in a header there', 'h=Authorization%3A%20Bearer%20abcdef0123456789', 'h=Authorization%3A%20Bearer%20[secret:#]'],
    [
      'in the armour of PGP',
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${'a1B2c3D4'.repeat(8)}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----`,
      '[secret:#]',
    ],
    ['with signs between quotes', '{"password":"Pa$$w0rd&1)","a":1}', '{"password":"[secret:#]","a":1}'],
    ['so inside of JSON', '{\\"password\\":\\"Tr0ub4dor&3\\"}', '{\\"password\\":\\"[secret:#]\\"}'],
    ['as Go assigns it', 'apiKey := "0123456789abcdef"', 'apiKey := "[secret:#]"'],
    ['as Ruby and PHP do', "'api_key' => '0123456789abcdef'", "'api_key' => '[secret:#]'"],
    [
      'in a URL that encodes it',
      'postgres://u:%24ecret-1@h and :%PASSWORD%@',
      'postgres://u:[secret:#]@h and :%PASSWORD%@',
    ],
    [
      'in JSON of the fourth level',
      String.raw`{\\\\\\\"api_key\\\\\\\":\\\\\\\"0123456789ab\\\\\\\"}`,
      String.raw`{\\\\\\\"api_key\\\\\\\":\\\\\\\"[secret:#]\\\\\\\"}`,
    ],
  ])('%s', async (_, text, hidden) => {
    expect(await delivered({}, text)).toEqual([hidden])
  })

  it.each([
    '$(DB_PASSWORD_1)',
    '$DB_PASSWORD_1',
    '{{password1}}',
    '<password-1>',
    '%{password1}',
    '[101,2023,2003]',
    '[secret:3f2a]',
    'config.db1.password',
  ])('and %s is none, which stands for it', async (value) => {
    const text = JSON.stringify({ password: value })
    const { tracer, exported } = exporting({})
    tracer('ai').startSpan('s', { attributes: { text } }).end()
    expect((await exported())[0]?.attributes.text).toBe(text)
  })

  it('nor is what a program writes into a URL', async () => {
    const passwords = ['%s', '%v', '%(password)s', '$config.password', '$env:PASSWORD', '%PASSWORD%']
    const texts = passwords.map((password) => `postgres://user:${password}@host`)
    expect(await delivered({}, ...texts)).toEqual(texts)
  })

  it.each(['u="/?token="+encode(id1,key)+"&a=1"', 'f("password=");g(id1,key);h("b")', 'p "Password:",12345678,"a"'])(
    'nor the code between two texts: %s',
    async (text) => {
      expect(await delivered({}, text)).toEqual([text])
    },
  )

  it('and a line break before a word is no part of it, nor what code makes of it', async () => {
    const texts = [
      'token => parseV2Token(token)',
      '{"text":"\\npm_card_0123456789"}',
      '{"text":"\\rk_live_0123456789abcdef"}',
    ]
    expect(await delivered({}, ...texts)).toEqual(texts)
  })
})
