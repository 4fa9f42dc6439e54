import { afterEach, describe, expect, it, vi } from 'vitest'
import { textToBase64 } from './base64.ts'
import { foreignLines, foreignText, redactKeys } from './foreign-text.ts'
import { keepSecret } from './keep-secret.ts'
import * as SLOTS from './slots.ts'

const MEGABYTE = 1_000_000
const random = '0123456789abcdefABCD'

describe('text that looks like a key is redacted:', () => {
  it.each([
    ['Incorrect key sk-proj-abc_DEF-1234 provided', 'Incorrect key (hidden) provided'],
    ['no such key: AIzaSyA-1234567890abcdefghijk_lmn', 'no such key: (hidden)'],
    [`gsk_${random}, hf_${random}, xai-${random}, pk_live_${random}`, '(hidden), (hidden), (hidden), (hidden)'],
    ['401 {"authorization":"Bearer abc.DEF-123"}', '401 {"authorization":"Bearer (hidden)"}'],
    ['401 {\\"x-api-key\\":\\"0123456789abcdef\\"}', '401 {\\"x-api-key\\":\\"(hidden)\\"}'],
    ['Authorization: Basic dXNlcjpwYXNz refused', 'Authorization: Basic (hidden) refused'],
    ['client_secret=0123456789&grant=x', 'client_secret=(hidden)&grant=x'],
    ['sent Bearer 0123456789abcdef', 'sent Bearer (hidden)'],
    ['invalid credentials: Basic cGs6c2sxMjM0NTY=', 'invalid credentials: Basic (hidden)'],
    ['GET https://host/v1?key=0123456789&alt=sse failed', 'GET https://host/v1?key=(hidden)&alt=sse failed'],
    ['authorization: x-api-key: 0123456789abcdef', 'authorization: x-api-key: (hidden)'],
    ['no api_key: authorization: Bearer dXNlcjpwYXNz', 'no api_key: authorization: Bearer (hidden)'],
    ['cannot reach https://user:pass@host/v1', 'cannot reach https://user:(hidden)@host/v1'],
    ['cannot reach https://user:p@ss:w0rd@host/v1', 'cannot reach https://user:(hidden)@host/v1'],
  ])('%s', (message, hidden) => {
    expect(redactKeys(message)).toBe(hidden)
  })
})

describe('text without a key is unchanged:', () => {
  it.each([
    'Incorrect API key provided: sk-ab***yz',
    'the bearer understands nothing, a risk-taking-basic misunderstanding: co-operation',
    'The model xai-grok-beta does not exist, hf-internal-testing/tiny and pplx-70b-online neither',
    'hf_hub_download failed',
    'the bearer token-based scheme',
    'authorization: required. Use api_key=process.env.KEY, not api_key=undefined',
    'invalid api_key: none',
    '{"url":"https://host:8080","mail":"a@b.c"}',
    'at https://host:8080/v1@2/models, http://host:80?mail=a@b.c',
    'The token limit is 128000; the key: a shorter prompt',
  ])('%s', (message) => {
    expect(redactKeys(message)).toBe(message)
  })
})

/** Without a form that any vendor has, and with what URLs, JSON and base64 write in another way. */
const SECRET = 'correct/horse+battery "staple" & ü'

const slots = globalThis as unknown as Record<symbol, Set<string> | undefined>
afterEach(() => {
  vi.unstubAllEnvs()
  slots[Symbol.for(SLOTS.SECRETS)]?.clear()
  Reflect.deleteProperty(globalThis, Symbol.for(SLOTS.SECRETS))
})

describe('a secret that the process holds is hidden', () => {
  it.each<[form: string, text: string]>([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify({ key: SECRET })],
    ['in JSON inside of JSON', JSON.stringify(JSON.stringify({ key: SECRET }))],
    ['in JSON with escaped slashes', JSON.stringify({ key: SECRET }).replaceAll('/', '\\/')],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in a URL, in small letters', encodeURIComponent(SECRET).toLowerCase()],
    ['in a form', new URLSearchParams({ key: SECRET }).toString()],
    ['in base64', textToBase64(SECRET)],
    ['in base64 behind one letter', textToBase64(`a${SECRET}`)],
    ['in base64 behind a user', textToBase64(`ab:cd${SECRET}and more`)],
    ['in base64url', textToBase64(SECRET).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')],
  ])('%s', (_, text) => {
    const pieces = [SECRET, 'horse', textToBase64(SECRET).slice(4, 20)]
    keepSecret(SECRET)
    const hidden = redactKeys(`before ${text} behind`)
    expect(hidden).toMatch(/^before .*\(hidden\).* behind$/)
    for (const piece of pieces) expect(hidden).not.toContain(piece)
  })

  it.each<[name: string, value: string, hidden: string]>([
    ['SOME_API_KEY', 'correct-horse', 'correct-horse'],
    ['PGPASSWORD', 'correct-horse', 'correct-horse'],
    ['GITHUB_TOKEN_2', 'correct-horse', 'correct-horse'],
    ['DATABASE_URL', 'postgres://ada:correct%2Fhorse@db/x', 'correct/horse'],
    ['HTTPS_PROXY', 'http://ada:correct@horse@proxy:3128', 'correct@horse'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b,x-team=Bearer%20correct-horse', 'correct-horse'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-api-key=correct-horse', 'correct-horse'],
    ['REPUBLIC_API_KEY', 'correct-horse', 'correct-horse'],
    ['PUBLIC_CLOUD_TOKEN', 'correct-horse', 'correct-horse'],
  ])('from the variable %s', (name, value, hidden) => {
    vi.stubEnv(name, value)
    expect(redactKeys(`no: ${hidden}!`)).toBe('no: (hidden)!')
  })

  it.each<[name: string, value: string]>([
    ['SVC_PUBLIC_KEY', 'pk-correct-horse'],
    ['TLS_KEY', '/etc/correct/horse.pem'],
    ['TOKEN_FILE', '/run/secrets/horse'],
    ['SERVICE_URL', 'https://correct.horse'],
    ['SHORT_KEY', 'horse'],
    ['KEYBOARD', 'correct-horse'],
    ['NEXT_PUBLIC_SOME_KEY', 'correct-horse'],
    ['CACHE_KEY_PREFIX', 'correct-horse'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=correct-horse'],
  ])('but not the value of %s', (name, value) => {
    vi.stubEnv(name, value)
    expect(redactKeys(value)).toBe(value)
  })

  it('but not a password that is the name of its user', () => {
    vi.stubEnv('DATABASE_URL', 'postgres://postgres:postgres@db/x')
    expect(redactKeys('database "postgres" does not exist')).toBe('database "postgres" does not exist')
  })

  it('also when it is part of another', () => {
    keepSecret('correct-horse')
    keepSecret({ authorization: 'Bearer correct-horse-battery' })
    expect(redactKeys('correct-horse-battery, correct-horse')).toBe('(hidden), (hidden)')
  })

  it('also when a key that is not known begins with it', () => {
    keepSecret('sk-staple')
    expect(redactKeys('no: sk-staple-of_battery.')).toBe('no: (hidden).')
  })

  it('also when a text is cut inside of it, and when what stands before becomes shorter', () => {
    keepSecret('correct-horse')
    for (let at = 0; at < 30; at++) {
      const many = 'correct-horse '.repeat(4_000)
      const text = `${many}${' '.repeat(65_536 - many.length - at)}correct-horse${'b'.repeat(50_000)}`
      expect(redactKeys(text)).not.toMatch(/corr|c…$/)
    }
  })

  it('of the last 200, so that keys of customers take no endless room', () => {
    for (let at = 0; at <= 200; at++) keepSecret(`customer-key-${at}-end`)
    expect(redactKeys('customer-key-0-end customer-key-200-end')).toBe('customer-key-0-end (hidden)')
  })
})

describe('text from outside is one line:', () => {
  it.each<[text: unknown, line: string]>([
    ['  two\r\nlines\tand  \u2028 more ', 'two lines and more'],
    ['red \u001B[31m and \u009B31m', 'red [31m and 31m'],
    ['abc\u202Egpj.exe\u2066\u200B', 'abc gpj.exe'],
    ['half \uD83D a pair', 'half a pair'],
    ['ünï 한 🙂', 'ünï 한 🙂'],
    [new Error('no'), 'no'],
    [undefined, 'undefined'],
    [Object.create(null), 'unknown'],
  ])('%j', (text, line) => {
    expect(foreignText(text)).toBe(line)
  })

  it('and cut, outside of a surrogate pair', () => {
    expect(foreignText('a'.repeat(300))).toBe(`${'a'.repeat(199)}…`)
    expect(foreignText('🙂🙂🙂', 4)).toBe('🙂…')
    expect(foreignText('🙂🙂', 4)).toBe('🙂🙂')
  })

  it('without half of a secret at its end', () => {
    keepSecret('correct-horse')
    expect(foreignText('12345 correct-horse', 12)).toBe('12345 (hidd…')
  })
})

it('a report keeps its lines and its indentation', () => {
  expect(foreignLines('a\n  b \u001B[2J\n\u202E  c')).toBe('a\n  b  [2J\n   c')
})

it('no more than 64 KiB of a text are kept, and no less where it becomes short', () => {
  expect(redactKeys(`no such key: ${'sk-'.repeat(50_000)}`)).toBe('no such key: (hidden)…')
  expect(redactKeys('a'.repeat(MEGABYTE))).toHaveLength(65_536)
  expect(redactKeys('://a:b@'.repeat(10_000)).length).toBeLessThanOrEqual(65_536)
})

it.each([
  'api_key=',
  '?key=a',
  'Bearer a api_key://:',
  'Bearer ',
  'sk-',
  '://a:',
  'api_key : ',
  'authorization"\\" ',
  '"',
  ' ',
  'a',
])('a megabyte of %j is redacted in linear time', (piece) => {
  const text = `api_key: "Bearer ://${piece.repeat(MEGABYTE / piece.length)}`
  expect(redactKeys(text).length).toBeLessThanOrEqual(65_536)
})

it('secrets that are given are hidden in this text only', () => {
  expect(redactKeys('no: tea-for-two', ['tea-for-two'])).toBe('no: (hidden)')
  expect(redactKeys('no: tea-for-two')).toBe('no: tea-for-two')
})
