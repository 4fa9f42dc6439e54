import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT_CONTEXT } from '@opentelemetry/api'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { useFolder } from '../support/spans.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('SVC_KEEP decides at a signal as well; a killed process loses what waits, and its spool has what was kept', async () => {
  const folder = useFolder()
  const ENDS = { SVC_KEEP: 'errors,scored', SVC_FLUSH_INTERVAL: '60' }
  const sentOf = (release: string) =>
    service.local
      .spans()
      .filter(({ attributes }) => attributes['svc.release'] === release)
      .map(({ name }) => name)
  const spool = { SVC_OTEL_SPOOL_DIR: folder, SVC_OTEL_SPOOL: 'always' }
  const [signalled, killed] = ['SIGTERM', 'SIGKILL'].map((SVC_RELEASE) => {
    const more = SVC_RELEASE === 'SIGKILL' ? spool : {}
    return startNode([...PRELOAD, app('keep-ends.mjs')], {
      cwd,
      env: { ...service.env, ...ENDS, ...more, SVC_RELEASE },
    })
  })
  await signalled?.printed(/ready/)
  signalled?.kill('SIGTERM')
  expect(await signalled?.ended).toMatchObject({ signal: 'SIGTERM', stderr: '' })
  expect(sentOf('SIGTERM')).toEqual(['failed'])
  const written = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
  await vi.waitFor(() => expect(written()).toContain('failed'), { timeout: 100_000 })
  killed?.kill('SIGKILL')
  expect(await killed?.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  expect([written().includes('failed'), written().includes('held')]).toEqual([true, false])
})

// A trace is whole, or not there at all, but where it got its error after it had called: then what was called is there if
// the rate of the rest keeps it.
it('SVC_KEEP in two processes sends no part of a trace that hangs from nothing', async () => {
  const SVC_KEEP = 'errors,rest:0.3'
  const env = { ...service.env, SVC_KEEP, SVC_TRUST_TRACEPARENT: 'true', SVC_TRUST_BAGGAGE: 'true' }
  const called = startNode([...PRELOAD, app('keep-called.mjs')], { cwd, env })
  const [, port] = await called.printed(/listening on (\d+)/)
  const CALLEE = `http://127.0.0.1:${port}`
  const variables = { ...env, CALLEE, TRACES: '200', SVC_PROPAGATE_TO: CALLEE }
  const { code, stdout, stderr } = await runNode([...PRELOAD, app('keep-caller.mjs')], { cwd, env: variables })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  called.kill('SIGTERM')
  expect(await called.ended).toMatchObject({ stderr: '' })
  const sampler = new TraceIdRatioBasedSampler(0.3)
  const isRest = (id: string) => sampler.shouldSample(ROOT_CONTEXT, id).decision === SamplingDecision.RECORD_AND_SAMPLED
  const own = { early: ['before', 'caller'], late: ['after', 'caller'], none: ['caller'] }
  const traces = [...stdout.matchAll(/^(early|late|none) (\w{32})$/gm)]
  expect(traces).toHaveLength(200)
  for (const [, kind, id = ''] of traces as unknown as [string, keyof typeof own, string][]) {
    const isWhole = kind === 'early' || isRest(id)
    const expected = [...(isWhole || kind === 'late' ? own[kind] : []), ...(isWhole ? ['called', 'inside'] : [])]
    const spans = service.local.spans().filter(({ traceId }) => traceId === id)
    expect(spans.map(({ name }) => name).sort(), kind).toEqual(expected.sort())
  }
})
