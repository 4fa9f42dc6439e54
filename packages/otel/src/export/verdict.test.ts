import { RequestForm } from '@svc/core/delivery/request-form'
import { answererOf, type verdictOf } from '@svc/core/delivery/verdict'
import { NoResponseError } from '@svc/core/http-exchange'
import { DIRECT } from '@svc/core/transport'
import { describe, expect, it } from 'vitest'
import { batchOf } from '../../test/support/batches.ts'
import { networkError, responseOf, taken } from '../../test/support/responses.ts'
import { ProtobufWriter } from './otlp/writer.ts'
import { PROTOBUF } from './protobuf.ts'
import { spanFormat } from './span-format.ts'

const verdict = (outcome: Parameters<typeof verdictOf>[0]) =>
  spanFormat(new RequestForm(false), 'host:1', 5_000, PROTOBUF).verdictOf(outcome, batchOf(['a']))

/** What it says to the user. */
const text = (outcome: Parameters<typeof verdictOf>[0]) => verdict(outcome).cause?.text ?? ''

describe('a response with status', () => {
  it.each<[status: number, expected: object]>([
    [200, { kind: 'accepted', rejected: 0 }],
    [202, { kind: 'accepted', rejected: 0 }],
    [204, { kind: 'accepted', rejected: 0 }],
    [408, { kind: 'retry', answered: true, afterMs: undefined }],
    [425, { kind: 'retry', answered: true }],
    [429, { kind: 'retry', answered: true }],
    [500, { kind: 'retry', answered: true }],
    [501, { kind: 'retry', answered: true }],
    [502, { kind: 'retry', answered: true }],
    [503, { kind: 'retry', answered: true }],
    [504, { kind: 'retry', answered: true }],
    [599, { kind: 'retry', answered: true }],
    [400, { kind: 'split', reason: 'rejected' }],
    [422, { kind: 'split', reason: 'rejected' }],
    [413, { kind: 'split', reason: 'too_large' }],
    [415, { kind: 'uncompressed' }],
    [401, { kind: 'refused' }],
    [403, { kind: 'refused' }],
    [402, { kind: 'refused' }],
    [404, { kind: 'refused' }],
    [405, { kind: 'refused' }],
    [410, { kind: 'refused' }],
    [301, { kind: 'refused' }],
    [302, { kind: 'refused' }],
    [307, { kind: 'refused' }],
    [308, { kind: 'refused' }],
  ])('%d is judged as %j', (status, expected) => {
    expect(verdict(responseOf(status))).toMatchObject(expected)
  })

  it.each([408, 429, 500, 503])('%d is retried after Retry-After', (status) => {
    expect(verdict(responseOf(status, '', { 'retry-after': '7' }))).toMatchObject({ kind: 'retry', afterMs: 7_000 })
  })

  it('503 may have a date as Retry-After, by the clock of the sender', () => {
    const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }
    expect(verdict(responseOf(503, '', headers))).toMatchObject({ afterMs: 10_000 })
  })

  it('is a cause of its own, and wrong keys are one cause', () => {
    const kinds = [500, 503, 404, 401, 403, 301, 308, 413].map((status) => verdict(responseOf(status)).cause?.kind)
    expect(kinds).toEqual(['500', '503', '404', 'keys', 'keys', 'redirect', 'redirect', '413'])
  })

  it.each<[status: number, body: string, location: string | undefined, expected: string]>([
    [
      401,
      '{"message":"Invalid credentials"}',
      undefined,
      'host:1 refuses the keys (401: {"message":"Invalid credentials"}): check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is the service they belong to.',
    ],
    [
      403,
      '',
      undefined,
      'host:1 refuses the keys (403): check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is the service they belong to.',
    ],
    [
      307,
      '',
      'https://new/',
      'host:1 redirects (307) to https://new/, which is not followed: set SVC_BASE_URL to the final address.',
    ],
    [302, '', undefined, 'host:1 redirects (302), which is not followed: set SVC_BASE_URL to the final address.'],
    [413, '<html>', undefined, 'host:1 rejects a span as too large (413).'],
    [
      404,
      '',
      undefined,
      'host:1 did not accept a batch of spans: it answered 404. Check SVC_BASE_URL, the address of the service without /api/public.',
    ],
    [500, ' oh\n\u001b[31m no ', undefined, 'host:1 did not accept a batch of spans: it answered 500: oh [31m no.'],
  ])('%d is described in words', (status, body, location, expected) => {
    expect(text(responseOf(status, body, location === undefined ? {} : { location }))).toBe(expected)
  })

  it('and a long body is truncated in the message', () => {
    expect(text(responseOf(500, 'x'.repeat(10_000))).length).toBeLessThan(300)
    expect(text(responseOf(301, '', { location: `https://${'x'.repeat(10_000)}` })).length).toBeLessThan(400)
  })
})

describe('a successful response', () => {
  it('counts rejected spans, with the reason', () => {
    const partial = responseOf(200, '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too\\nold"}}', {
      'content-type': 'application/json',
    })
    expect(verdict(partial)).toEqual({
      kind: 'accepted',
      rejected: 3,
      cause: { kind: 'partial', text: 'host:1 rejected spans: too old.' },
    })
  })

  it('counts rejected spans in protobuf, too', () => {
    const writer = new ProtobufWriter()
    const start = writer.open(1)
    writer.unsigned(1, 2)
    writer.close(start)
    const partial = responseOf(200, writer.view(), { 'content-type': 'application/x-protobuf' })
    expect(verdict(partial)).toMatchObject({
      kind: 'accepted',
      rejected: 2,
      cause: { text: 'host:1 rejected spans.' },
    })
  })

  it('of an intermediary is retried', () => {
    const portal = responseOf(200, '<html>Sign in to Hotel WiFi</html>', { 'content-type': 'text/html' })
    expect(verdict(portal)).toEqual({
      kind: 'retry',
      answered: true,
      cause: {
        kind: 'no OTLP endpoint',
        text: 'host:1 answers 200, but not as the OTLP endpoint does: <html>Sign in to Hotel WiFi</html>: check SVC_BASE_URL and any proxy in between.',
      },
    })
  })

  it('that breaks off is retried', () => {
    const broken = responseOf(200, '{"partial', { 'content-type': 'application/json' }, false)
    expect(verdict(broken)).toEqual({
      kind: 'retry',
      answered: true,
      cause: { kind: 'broken', text: 'host:1 closed the connection during its response.' },
    })
  })
})

describe('a missing response', () => {
  it.each<[error: Error, kind: string, expected: string]>([
    [new NoResponseError(3_210), 'no answer', 'host:1 did not answer within 5 s (SVC_TIMEOUT).'],
    [networkError('ECONNREFUSED'), 'ECONNREFUSED', 'Cannot reach host:1: connect ECONNREFUSED.'],
    [
      new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }),
      'ENOTFOUND',
      'Cannot reach host:1: fetch failed.',
    ],
    [
      Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
      'Cannot reach host:1: ECONNREFUSED.',
    ],
    [new Error('odd'), 'network', 'Cannot reach host:1: odd.'],
  ])('is retried and reported: %s', (error, kind, expected) => {
    expect(verdict(error)).toEqual({ kind: 'retry', answered: false, cause: { kind, text: expected } })
  })
})

describe('the reported reason contains no secret:', () => {
  const KEY = 'sk-lf-0123456789abcdef'

  it.each<[what: string, outcome: Parameters<typeof verdictOf>[0]]>([
    ['the password of a proxy, in an error', new Error('getaddrinfo ENOTFOUND http://me:hunter22@proxy:3128')],
    ['a key that a refusal repeats', responseOf(401, `{"message":"no such key ${KEY}"}`)],
    ['the credentials that a refusal repeats', responseOf(403, 'authorization: Basic aHVudGVyMjI6aHVudGVyMjI=')],
    ['a key that an error of the server repeats', responseOf(500, `secret_key=${KEY}`)],
    ['the credentials in a redirect', responseOf(302, '', { location: 'https://me:hunter22hunter@host/' })],
    ['a password that is cut', responseOf(401, `${'x'.repeat(160)} http://user:${'hunter22'.repeat(5)}@proxy`)],
    [
      'a key in a partial success',
      responseOf(200, `{"partialSuccess":{"rejectedSpans":1,"errorMessage":"${KEY} is over its quota"}}`, {
        'content-type': 'application/json',
      }),
    ],
    ['a key on a page in between', responseOf(200, `<html>${KEY}</html>`, { 'content-type': 'text/html' })],
  ])('%s', (_, outcome) => {
    expect(text(outcome)).toContain('(hidden)')
    expect(text(outcome)).not.toMatch(/hunter22|sk-lf|aHVudGVy/)
  })
})

it('the response of the real service is a success', () => {
  expect(verdict(taken)).toMatchObject({ kind: 'accepted', rejected: 0 })
})

describe('the sender of a response is named:', () => {
  it.each([
    ['http://svc.test:3000/traces', DIRECT, 'svc.test:3000'],
    [
      'http://svc.test:3000/traces',
      { ...DIRECT, answering: 'proxy:3128' },
      'svc.test:3000 by way of the proxy proxy:3128',
    ],
  ])('%s', (url, transport, expected) => {
    expect(answererOf(url, transport)).toBe(expected)
  })
})
