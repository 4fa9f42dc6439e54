import { describe, expect, it } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { NoAnswerError } from './answer.ts'
import { causeOfAnswer, causeOfError, spanFailures } from './failures.ts'

const log = catchLog()

describe('lost spans', () => {
  const broken = { kind: '500', text: 'Broken.' }

  it('are one line a cause, then one a minute with the number lost since', () => {
    let now = 0
    const failures = spanFailures(() => now)
    for (let second = 0; second < 59; second++) {
      now = second * 1_000
      failures.report(broken, 10)
    }
    failures.report({ kind: '400', text: 'Refused.' }, 1)
    now = 60_000
    failures.report(broken, 10)
    failures.report(broken, 5)
    failures.reportRest()
    expect(log.lines()).toEqual([
      'svc: [ERROR] Broken. 10 spans are lost.',
      'svc: [ERROR] Refused. 1 span is lost.',
      'svc: [ERROR] Broken. 590 spans are lost.',
      'svc: [ERROR] Broken. 5 spans are lost.',
    ])
  })

  it('over refused keys are said once', () => {
    let now = 0
    const failures = spanFailures(() => now)
    for (; now < 600_000; now += 1_000) failures.report(causeOfAnswer({ status: 401, text: '' }, 'host:1'), 1)
    failures.reportRest()
    expect(log.lines()).toHaveLength(1)
  })
})

describe('causes', () => {
  it.each<[status: number, text: string, location: string | undefined, said: string]>([
    [
      401,
      '{"message":"Invalid credentials"}',
      undefined,
      'host:1 refuses the keys (401: {"message":"Invalid credentials"}): check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is where they belong.',
    ],
    [
      403,
      '',
      undefined,
      'host:1 refuses the keys (403): check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is where they belong.',
    ],
    [
      307,
      '',
      'https://new/',
      'host:1 redirects (307) to https://new/, which is not followed: set SVC_BASE_URL to the final address.',
    ],
    [413, '', undefined, 'host:1 finds a batch too large (413): lower SVC_FLUSH_AT.'],
    [500, ' oh\n\u001b[31m no ', undefined, 'host:1 did not take a batch of spans: it answered 500: oh [31m no.'],
  ])('%d is said in words', (status, text, location, said) => {
    expect(causeOfAnswer({ status, text, location }, 'host:1').text).toBe(said)
  })

  it('a long answer is cut', () => {
    expect(causeOfAnswer({ status: 500, text: 'x'.repeat(10_000) }, 'h').text.length).toBeLessThan(300)
  })

  it.each<[error: unknown, kind: string, said: string]>([
    [new NoAnswerError(3_210), 'no answer', 'h is too slow: no answer within 5 s (SVC_TIMEOUT).'],
    [
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
      'Cannot reach h: connect ECONNREFUSED.',
    ],
    [new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }), 'ENOTFOUND', 'Cannot reach h: fetch failed.'],
    [
      Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
      'Cannot reach h: ECONNREFUSED.',
    ],
    ['odd', 'network', 'Cannot reach h: odd.'],
    [null, 'network', 'Cannot reach h: null.'],
  ])('%s', (error, kind, said) => {
    expect(causeOfError(error, 'h', 5_000)).toEqual({ kind, text: said })
  })
})
