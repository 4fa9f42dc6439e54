import { once } from 'node:events'
import { connect as connect2 } from 'node:http2'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cwd, PRELOAD } from '../preload/apps.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const app = fileURLToPath(new URL('apps/served.mjs', import.meta.url))
const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }

/** Everything by which a client could try to decide something. */
const EVIL: Readonly<Record<string, string>> = {
  traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-00`,
  tracestate: 'evil=1',
  baggage: [
    'svc_user_id=evil,svc_session_id=evil,svc_tags=evil,svc_trace_name=evil,svc_environment=evil,svc_version=evil',
    'svc_metadata_role=%22evil%22,svc_prompt_name=evil,svc_prompt_version=666,svc_experiment_id=evil',
    `svc_experiment_item_root_observation_id=evil,svc_trace_id=${CALLER.traceId},%73vc_user_id=evil,tenant=kept`,
  ].join(),
  b3: `${CALLER.traceId}-${CALLER.spanId}-0`,
  'x-b3-traceid': CALLER.traceId,
  'x-b3-spanid': CALLER.spanId,
  'x-b3-sampled': '0',
  'x-svc-identity': 'eyJpZGVudGl0eSI6eyJ1c2VySWQiOiJldmlsIn19.ZXZpbA',
  'x-svc-trace-id': CALLER.traceId,
  'x-forwarded-for': '192.0.2.7',
  'x-real-ip': '192.0.2.7',
  forwarded: 'for=192.0.2.7',
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

type Ask = (port: number, path: string) => Promise<string>

const byFetch: Ask = async (port, path) => (await fetch(`http://127.0.0.1:${port}${path}`, { headers: EVIL })).text()

/** A client that sends no Host, so that its request does not look like one. */
const withoutHost: Ask = async (port, path) => {
  const socket = connect(port, '127.0.0.1')
  const lines = Object.entries(EVIL).map(([name, value]) => `${name}: ${value}`)
  socket.end([`GET ${path} HTTP/1.0`, ...lines, '', ''].join('\r\n'))
  let answer = ''
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk
  return answer.split('\r\n\r\n')[1] ?? ''
}

const byHttp2: Ask = async (port, path) => {
  const session = connect2(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':path': path, ...EVIL }).setEncoding('utf8')
  let answer = ''
  stream.on('data', (chunk) => {
    answer += chunk
  })
  stream.end()
  await once(stream, 'close')
  session.close()
  return answer
}

/** What a server of that kind records of two such requests, answers, and says. */
async function attacked(kind: string, ask: Ask, env: Readonly<Record<string, string>>) {
  const before = service.local.spans().length
  const server = startNode([...PRELOAD, app], { cwd, env: { ...service.env, KIND: kind, ...env } })
  const [, port] = await server.printed(/listening on (\d+)/)
  const answers = [await ask(Number(port), '/once'), await ask(Number(port), '/again')]
  server.kill('SIGTERM')
  const { stderr } = await server.ended
  return { answers, lines: stderr.split('\n').filter(Boolean), spans: service.local.spans().slice(before) }
}

const WAYS: readonly (readonly [string, Ask])[] = [
  ['http', byFetch],
  ['http', withoutHost],
  ['http2', byHttp2],
  ['express', byFetch],
  ['fastify', byFetch],
]

const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'by default': {},
  'beside the HTTP instrumentation': { SVC_INSTRUMENTATIONS: 'http,express' },
  'with other formats': { OTEL_PROPAGATORS: 'b3,b3multi,tracecontext,baggage' },
  'with addresses that only headers name': {
    SVC_TRUST_TRACEPARENT: '192.0.2.0/24',
    SVC_TRUST_BAGGAGE: '192.0.2.0/24,10.0.0.0/8',
  },
  'with nonsense': { SVC_TRUST_TRACEPARENT: 'yes please', SVC_TRUST_BAGGAGE: '127.0.0.0/80' },
}

describe.each(Object.entries(SETTINGS))('%s', (name, env) => {
  it.each(WAYS)('a client of %s decides nothing about a trace (%#)', async (kind, ask) => {
    const { spans, answers, lines } = await attacked(kind, ask, env)
    // Both requests are recorded, although the client says that they are not to be.
    expect(spans.map((span) => span.name)).toEqual(['answer', 'answer'])
    for (const span of spans) {
      expect(span.traceId).not.toBe(CALLER.traceId)
      expect(span.parentSpanId).toBeNull()
      expect(span.links).toEqual([expect.objectContaining(CALLER)])
      expect(JSON.stringify(span.attributes)).not.toMatch(/evil|666|kept/)
      expect(span.attributes['svc.internal.is_app_root']).toBe(true)
    }
    expect(answers.join()).not.toContain('evil')
    expect(answers.join()).toContain('tenant=kept')
    const told = name === 'with nonsense' ? /is read as false/ : /SVC_TRUST_TRACEPARENT and SVC_TRUST_BAGGAGE/
    expect(lines.filter((line) => told.test(line))).toHaveLength(name === 'with nonsense' ? 2 : 1)
    expect(lines.join()).not.toContain('evil')
  })
})

it.each(WAYS.filter(([, ask]) => ask !== withoutHost))(
  'a caller of %s at a trusted address decides',
  async (kind, ask) => {
    const env = { SVC_TRUST_TRACEPARENT: 'loopback', SVC_TRUST_BAGGAGE: 'loopback', OTEL_TRACES_SAMPLER: 'always_on' }
    const { spans, lines } = await attacked(kind, ask, env)
    expect(lines).toEqual([])
    expect(spans.map(({ traceId, attributes }) => [traceId, attributes['user.id']])).toEqual([
      [CALLER.traceId, 'evil'],
      [CALLER.traceId, 'evil'],
    ])
  },
)
