import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { APPS, startFunction } from './runtime-api.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('of 1,000 invocations, each of which is frozen with its answer, nothing is lost', async () => {
  const { lambda, roots, calls } = await startFunction(service, 'module.handler')
  const asked: string[] = []
  for (let at = 0; at < 1_000; at++) {
    const question = `question ${at}`
    asked.push(question)
    expect(await lambda.invoke({ question })).toMatchObject({ isError: false })
  }
  await lambda.kill()
  expect(roots().map(({ attributes }) => attributes['svc.observation.input'])).toEqual(asked)
  expect(new Set(roots().map(({ traceId }) => traceId)).size).toBe(1_000)
  expect(calls().map(({ parentSpanId }) => parentSpanId)).toEqual(roots().map(({ spanId }) => spanId))
})

it.each([
  ['answers by its context', 'common.succeeds'],
  ['is a field of an export', 'common.nested.deep.handler'],
  ['is that of Express behind an adapter', 'framework.handler'],
])('what a handler recorded that %s is delivered', async (_, handler) => {
  const { lambda, roots, calls } = await startFunction(service, handler)
  for (const question of ['one', 'two']) expect(await lambda.invoke({ question })).toMatchObject({ isError: false })
  await lambda.kill()
  expect(roots()).toHaveLength(2)
  expect(calls().map(({ parentSpanId }) => parentSpanId)).toEqual(roots().map(({ spanId }) => spanId))
})

it('a span that a framework ends a moment after the answer is delivered with it', async () => {
  const env = { ...service.env, _HANDLER: 'module.framework', SVC_RELEASE: 'direct', SVC_INVOCATION_TIMEOUT: '60' }
  expect(await runNode([...PRELOAD, 'direct.mjs'], { cwd: APPS, env })).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  const spans = service.local.spans().filter(({ attributes }) => attributes['svc.release'] === 'direct')
  expect(spans.map(({ name }) => name)).toEqual(['chat gpt-test', 'request', 'module.framework'])
})

it('an invocation that is about to time out is delivered as one, with what it is waiting for', async () => {
  const { lambda, roots, calls } = await startFunction(service, 'module.late')
  lambda.invoke({ question: 'one' }, { 'lambda-runtime-deadline-ms': String(Date.now() + 20_000) }).catch(() => {})
  await service.local.waitFor(() => roots().length > 0)
  await lambda.kill()
  expect(roots()).toMatchObject([{ status: { code: 2, message: 'the invocation was about to time out' } }])
  expect(calls().map(({ name }) => name)).toEqual(['chat gpt-test', 'thinks'])
})

describe('a process that is there again ten minutes after it was frozen, or restored from a snapshot,', () => {
  const THAWED = 600_000
  /** @param clocks that know of those minutes */
  const start = async (release: string, clocks = 'both') => {
    const relay = await startRelay(service.local.url)
    const own = { SVC_BASE_URL: relay.url, SVC_RELEASE: release, AWS_LAMBDA_INITIALIZATION_TYPE: 'snap-start' }
    const env = { ...own, THAWED: String(THAWED), THAWED_CLOCKS: clocks }
    const { lambda } = await startFunction(service, 'snapshot.handler', env, ['--import', './copy.mjs', ...PRELOAD])
    const spans = () => service.local.spans().filter(({ attributes }) => attributes['svc.release'] === release)
    return { lambda, relay, spans, roots: () => spans().filter(({ name }) => name === 'shop') }
  }

  it.each(['both', 'time of day'])(
    'loses nothing, and its spans have the right times, by clocks: %s',
    async (clocks) => {
      const { lambda, relay, spans, roots } = await start(clocks, clocks)
      for (const times of [1, 2, 3]) {
        const earliest = Date.now()
        expect(await lambda.invoke({ question: `question ${times}` })).toMatchObject({ isError: false })
        const latest = Date.now()
        // Its connections are dead when it is there again.
        relay.cut()
        expect(roots()).toHaveLength(times)
        const invocation = spans().filter(({ traceId }) => traceId === roots().at(-1)?.traceId)
        expect(invocation).toHaveLength(2)
        for (const { startTimeUnixNano, endTimeUnixNano } of invocation) {
          const [started, ended] = [startTimeUnixNano, endTimeUnixNano].map(
            (each) => Number(each) / 1e6 - THAWED * times,
          )
          expect(started).toBeGreaterThanOrEqual(earliest - 1)
          expect(ended).toBeLessThanOrEqual(latest + 1)
        }
      }
      await lambda.kill()
    },
  )

  it('has ids that no other copy of it has', async () => {
    const copies = [await start('one copy'), await start('another copy')]
    for (const { lambda } of copies) {
      await lambda.invoke({ question: 'one' })
      await lambda.kill()
    }
    const all = service.local.spans()
    expect(all.filter(({ name }) => name === 'before the snapshot').map(({ traceId }) => traceId)).toContain(
      '07'.repeat(16),
    )
    const ids = copies.flatMap(({ spans, roots }) => {
      const [root] = roots()
      return spans().flatMap(({ traceId, spanId }) => (traceId === root?.traceId ? [traceId, spanId] : []))
    })
    // Two spans of each, which have their trace in common.
    expect([ids.length, new Set(ids).size]).toEqual([8, 6])
  })
})

/** A way to a service whose connections can be cut. */
async function startRelay(to: string) {
  const sockets = new Set<Socket>()
  const relay = createServer((socket) => {
    const on = connect(Number(new URL(to).port), '127.0.0.1')
    for (const [one, other] of [
      [socket, on],
      [on, socket],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => other.destroy())
        .on('close', () => sockets.delete(one))
        .pipe(other)
    }
  })
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  onTestFinished(() => {
    cut()
    relay.close()
  })
  return { url: `http://127.0.0.1:${(relay.address() as { port: number }).port}`, cut }
}
