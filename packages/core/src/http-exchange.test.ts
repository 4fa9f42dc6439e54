import { describe, expect, it } from 'vitest'
import {
  bodyText,
  concatBytes,
  type HttpResponse,
  isRedirect,
  isSuccess,
  NoResponseError,
  retryAfterMs,
} from './http-exchange.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const response = (fields: Partial<HttpResponse>): HttpResponse => ({
  status: 200,
  headers: {},
  body: new Uint8Array(),
  complete: true,
  ...fields,
})

const NOW = Date.parse('Fri, 01 May 2026 12:00:00 GMT')

describe('Retry-After', () => {
  it.each<[header: string, ms: number]>([
    ['0', 0],
    ['7', 7_000],
    [' 120 ', 120_000],
    ['Fri, 01 May 2026 12:00:30 GMT', 30_000],
    ['Fri, 01 May 2026 11:59:30 GMT', 0],
  ])('%j is %d ms from now', (header, ms) => {
    expect(retryAfterMs({ headers: { 'retry-after': header } }, NOW)).toBe(ms)
  })

  it.each(['3601', '9'.repeat(309), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    '%j is an hour from now, the longest pause',
    (header) => {
      expect(retryAfterMs({ headers: { 'retry-after': header } }, NOW)).toBe(3_600_000)
    },
  )

  it.each(['', ' ', 'soon', '120s', '5 minutes', '-1', '1.5', 'in 5'])('%j is treated as absent', (header) => {
    expect(retryAfterMs({ headers: { 'retry-after': header } }, NOW)).toBeUndefined()
  })

  it('that is absent is undefined', () => {
    expect(retryAfterMs({ headers: {} }, NOW)).toBeUndefined()
  })

  it.each([
    ['an hour fast', 3_600_000],
    ['an hour slow', -3_600_000],
  ])('as a date is relative to the Date of the response if the local clock is %s', (_, off) => {
    const headers = { date: 'Fri, 01 May 2026 12:00:00 GMT', 'retry-after': 'Fri, 01 May 2026 12:00:30 GMT' }
    expect(retryAfterMs({ headers }, NOW + off)).toBe(30_000)
  })

  it('as a date is relative to the local clock if the Date of the response cannot be read', () => {
    const headers = { date: 'today', 'retry-after': 'Fri, 01 May 2026 12:00:30 GMT' }
    expect(retryAfterMs({ headers }, NOW)).toBe(30_000)
  })

  it('in seconds is relative to now, whatever the Date of the response is', () => {
    const headers = { date: 'Fri, 01 May 2026 10:00:00 GMT', 'retry-after': '7' }
    expect(retryAfterMs({ headers }, NOW)).toBe(7_000)
  })
})

describe('the status', () => {
  it.each<[status: number, success: boolean, redirect: boolean]>([
    [101, false, false],
    [199, false, false],
    [200, true, false],
    [204, true, false],
    [299, true, false],
    [300, false, true],
    [308, false, true],
    [399, false, true],
    [400, false, false],
    [503, false, false],
  ])('%d: success %s, redirect %s', (status, success, redirect) => {
    expect(isSuccess(response({ status }))).toBe(success)
    expect(isRedirect(response({ status }))).toBe(redirect)
  })
})

describe('a response body', () => {
  it('is the concatenation of its chunks', () => {
    expect(concatBytes([bytes('a'), new Uint8Array(), bytes('bc')])).toEqual(bytes('abc'))
    expect(concatBytes([])).toEqual(new Uint8Array())
  })

  it('is decoded as UTF-8', () => {
    expect(bodyText(response({ body: bytes('grün') }))).toBe('grün')
  })

  it('that was cut inside a character ends with a replacement character', () => {
    expect(bodyText(response({ body: bytes('grü').subarray(0, 3) }))).toBe('gr\ufffd')
  })
})

it.each([
  [5_000, '5 s'],
  [50.5, '0.051 s'],
  [120_000, '120 s'],
])('a timeout of %d ms is described as %s', (timeoutMs, text) => {
  expect(new NoResponseError(timeoutMs).message).toBe(`no answer within ${text}`)
})
