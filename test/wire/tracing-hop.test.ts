import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { app, attributesOf, cwd, PRELOAD, useApps } from '../tracing/apps.ts'

const { service, run } = useApps()
const running: { kill(signal: NodeJS.Signals): void }[] = []
afterAll(() => {
  for (const program of running) program.kill('SIGTERM')
})

const CALLER = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${CALLER}-00f067aa0ba902b7-01`

/** What a client of ours may have sent, and what is left of it in another process. */
const ARRIVED = {
  'user.id': 'ada',
  'session.id': 'session 1, übermorgen; =%',
  'svc.version': '2.1',
  'svc.trace.name': 'ask and answer',
  'svc.environment': 'propagated',
  'svc.trace.tags': ['a', 'b c'],
  'svc.trace.metadata.plan': '"pro"',
  'svc.trace.metadata.seats': '5',
  'svc.trace.metadata.digits': '"3"',
  'svc.trace.metadata.team': '{"id":7}',
  'svc.observation.prompt.name': 'greeting',
  'svc.observation.prompt.version': 3,
}

const TRUSTING = { SVC_TRUST_TRACEPARENT: 'true', SVC_TRUST_BAGGAGE: 'true' }

/** The second process. Its spans are there when it has ended. */
async function startCallee(env: Readonly<Record<string, string>> = {}) {
  const before = service().local.spans().length
  const server = startNode([...PRELOAD, app('callee.mjs')], { cwd, env: { ...service().env, ...TRUSTING, ...env } })
  running.push(server)
  const [, port] = await server.printed(/listening on (\d+)/)
  return {
    url: `http://127.0.0.1:${port}`,
    async spans() {
      server.kill('SIGTERM')
      const { code, stderr } = await server.ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return service().local.spans().slice(before)
    },
  }
}

/** Our caller asks the second process. */
async function hop({ asBaggage = true, env = {}, path = '/', caller = {} } = {}) {
  const server = await startCallee(env)
  const variables = { CALLEE: `${server.url}${path}`, AS_BAGGAGE: String(asBaggage), ...caller }
  const callerRun = await run('caller.mjs', { env: variables })
  expect({ code: callerRun.code, lines: callerRun.lines }).toEqual({ code: 0, lines: [] })
  return { callerRun, spans: await server.spans() }
}

/** What the second process records of third-party requests, one after the other, and the baggage that it hands on. */
async function answersTo(
  requests: readonly Readonly<Record<string, string>>[],
  env: Readonly<Record<string, string>> = {},
) {
  const server = await startCallee(env)
  const handedOn: string[] = []
  for (const headers of requests) {
    handedOn.push(await fetch(server.url, { headers }).then((response) => response.text()))
  }
  const answers = (await server.spans()).filter(({ name }) => name === 'answer')
  expect(answers).toHaveLength(requests.length)
  answers.sort((one, other) => (BigInt(one.startTimeUnixNano) < BigInt(other.startTimeUnixNano) ? -1 : 1))
  return answers.map((answer, at) => ({ ...answer, handedOn: handedOn[at] }))
}

const baggage = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join(',')

const OWN = { 'svc.observation.type': 'span', 'svc.internal.is_app_root': true }

describe('values that are propagated as baggage', () => {
  it('reach every observation of another process, in the same trace, and win over its variables', async () => {
    const { callerRun, spans } = await hop({ env: { SVC_TRACING_ENVIRONMENT: 'other', SVC_RELEASE: 'r2' } })
    const expected = { 'svc.observation.type': 'span', 'svc.release': 'r2', ...ARRIVED }
    expect(attributesOf(spans, 'answer')).toEqual(expected)
    expect(attributesOf(spans, 'think')).toEqual(expected)
    // ask            in the one process
    // └─ answer      in the other
    //    └─ think
    const named = (name: string) => [...callerRun.spans, ...spans].find((span) => span.name === name)
    expect(named('answer')).toMatchObject({ traceId: named('ask')?.traceId, parentSpanId: named('ask')?.spanId })
    expect(named('think')).toMatchObject({ traceId: named('ask')?.traceId, parentSpanId: named('answer')?.spanId })
  })

  it('are ignored by a server that does not trust them, which stays in the trace', async () => {
    const { callerRun, spans } = await hop({ path: '/refused' })
    expect(attributesOf(spans, 'answer')).toEqual(OWN)
    expect(new Set([...callerRun.spans, ...spans].map(({ traceId }) => traceId)).size).toBe(1)
  })

  it('are sent automatically by instrumented HTTP', async () => {
    const HTTP = '@opentelemetry/instrumentation-http'
    const { callerRun, spans } = await hop({ caller: { VIA: 'http', SVC_OTEL_ALLOWED_SCOPES: HTTP } })
    expect(attributesOf(spans, 'answer')).toEqual({ 'svc.observation.type': 'span', ...ARRIVED })
    // ask
    // └─ GET            by the instrumentation
    //    └─ answer      in the other process
    const [ask, get] = ['ask', 'GET'].map((name) => callerRun.spans.find((span) => span.name === name))
    expect(get).toMatchObject({ parentSpanId: ask?.spanId, attributes: { 'user.id': 'ada' } })
    expect(spans.find(({ name }) => name === 'answer')).toMatchObject({ parentSpanId: get?.spanId })
  })
})

it('are not sent without asBaggage, unlike the trace id', async () => {
  const { callerRun, spans } = await hop({ asBaggage: false })
  expect(callerRun.stdout).toMatch(/^baggage: svc_trace_id=[0-9a-f]{32}\n/)
  expect(attributesOf(spans, 'answer')).toEqual({ 'svc.observation.type': 'span' })
})

describe('baggage of another sender', () => {
  const many = Array.from({ length: 150 }, (_, at) => [`svc_metadata_k${at}`, String(at)])
  const SENT = {
    none: { traceparent },
    invalid: {
      baggage: baggage({
        svc_user_id: 'u'.repeat(201),
        svc_session_id: 's'.repeat(200),
        svc_trace_name: '',
        svc_environment: 'SVC prod',
        svc_tags: `fit,${'t'.repeat(201)},,also fit`,
        svc_prompt_name: 'greeting',
        svc_prompt_version: '1; drop',
        svc_metadata_long: `"${'m'.repeat(199)}"`,
        svc_metadata_fits: '"m"',
        svc_metadata_: '"no name"',
        svc_release: 'r9',
        svc_public: 'true',
        constructor: 'x',
        unrelated: 'y',
      }),
    },
    many: { baggage: baggage(Object.fromEntries(many)) },
    'another trace id': { traceparent, baggage: baggage({ svc_trace_id: 'f'.repeat(32) }) },
    trusted: { traceparent, baggage: baggage({ svc_user_id: 'ada', theirs: 'y' }) },
    malformed: { traceparent: '00-zz-zz-01', baggage: 'svc_user_id=%E0%A4%A,=,;;,svc_session_id' },
  }
  type Answer = Awaited<ReturnType<typeof answersTo>>[number]
  let answers: Answer[]
  beforeAll(async () => {
    answers = await answersTo(Object.values(SENT))
  })
  const answerTo = (sent: keyof typeof SENT): Answer => {
    const answer = answers[Object.keys(SENT).indexOf(sent)]
    if (!answer) throw new Error('no answer arrived')
    return answer
  }

  it('continues the trace of its traceparent', () => {
    const { traceId, parentSpanId, attributes } = answerTo('none')
    expect({ traceId, parentSpanId }).toEqual({ traceId: CALLER, parentSpanId: '00f067aa0ba902b7' })
    expect(attributes).toEqual(OWN)
  })

  it('is validated: lengths, environments, versions, known keys', () => {
    expect(answerTo('invalid').attributes).toEqual({
      ...OWN,
      'session.id': 's'.repeat(200),
      'svc.trace.tags': ['fit', 'also fit'],
      'svc.observation.prompt.name': 'greeting',
      'svc.trace.metadata.fits': '"m"',
    })
  })

  it("uses at most half of a span's attribute limit", () => {
    const { attributes, droppedAttributesCount } = answerTo('many')
    const propagated = Object.keys(attributes).filter((key) => key.startsWith('svc.trace.metadata.'))
    expect({ propagated: propagated.length, droppedAttributesCount }).toEqual({
      propagated: 64,
      droppedAttributesCount: 0,
    })
  })

  it('cannot hide the app root of this process with another trace id', () => {
    expect(answerTo('another trace id').attributes).toEqual(OWN)
  })

  it('is forwarded to other services if it is trusted', () => {
    expect(answerTo('trusted').handedOn).toBe(`svc_user_id=ada,theirs=y,svc_trace_id=${CALLER}`)
  })

  it('may be malformed, like the traceparent', () => {
    const { traceId, parentSpanId, attributes } = answerTo('malformed')
    expect({ parentSpanId, attributes }).toEqual({ parentSpanId: null, attributes: OWN })
    expect(traceId).not.toBe(CALLER)
  })

  it('is ignored with SVC_TRUST_BAGGAGE=false, including app root claims, and is not forwarded', async () => {
    const forged = baggage({ svc_user_id: 'eve', svc_trace_id: CALLER, svc_metadata_role: '"admin"', theirs: 'y' })
    const [answer] = await answersTo([{ traceparent, baggage: forged }], { SVC_TRUST_BAGGAGE: 'false' })
    expect(answer).toMatchObject({ traceId: CALLER, handedOn: `theirs=y,svc_trace_id=${CALLER}` })
    expect(answer?.attributes).toEqual(OWN)
  })
})
