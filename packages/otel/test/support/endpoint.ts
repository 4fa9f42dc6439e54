import { Ledger } from '@svc/core/delivery/ledger'
import { environmentOf } from '@svc/core/environment'
import type { HttpSender } from '@svc/core/http-exchange'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { DIRECT } from '@svc/core/transport'
import { vi } from 'vitest'
import { EndpointExport } from '../../src/export/endpoint-export.ts'
import { PROTOBUF } from '../../src/export/protobuf.ts'
import { SPANS } from '../../src/export/span-format.ts'
import type { SvcSpanProcessorParams } from '../../src/params.ts'
import { expectToAddUp } from './health.ts'
import { type Reply, startIntake } from './intake.ts'
import { KEYS, tracing } from './tracing.ts'

/** Ends `count` spans towards a service that replies like this, and shuts down. */
export async function run(reply: Reply, params: SvcSpanProcessorParams = {}, count = 1) {
  await using intake = await startIntake(reply)
  const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, ...params })
  for (let at = 0; at < count; at++) tracer().startSpan(`s${at}`).end()
  await processor.shutdown()
  const health = processor.health()
  expectToAddUp(health)
  return { host: new URL(intake.url).host, requests: intake.requests, spans: intake.spans, health }
}

/** A way to `url` whose health is looked at after each flush. */
export function sending(url: string, params: SvcSpanProcessorParams = {}) {
  const { processor, tracer } = tracing({ ...KEYS, baseUrl: url, ...params })
  const look = () => {
    expectToAddUp(processor.health())
    return processor.health()
  }
  const timed = async (work: Promise<void>) => {
    const started = performance.now()
    await work
    return { ...look(), ms: performance.now() - started }
  }
  return {
    end: (...names: readonly string[]) => {
      for (const name of names) tracer().startSpan(name).end()
      look()
    },
    flush: () => timed(processor.forceFlush()),
    shutdown: () => timed(processor.shutdown()),
    look,
  }
}

/** An export to an endpoint that replies as `send` does, behind fake timers. */
export function exportTo(send: HttpSender['send'], isMainThread = true) {
  vi.useFakeTimers()
  const queue = new EndpointExport({
    settings: readSettings(exportSettings, { baseUrl: 'http://host:1' }, environmentOf({}), () => {}),
    mode: 'batched',
    target: { url: 'http://host:1/traces', headers: {} },
    transport: DIRECT,
    encoding: PROTOBUF,
    compression: 'none',
    ledger: new Ledger(SPANS),
    isMainThread,
    sender: { send, close() {} },
  })
  let flushes = 0
  return {
    queue,
    /** How many flushes have ended. */
    flushes: () => flushes,
    flush: () =>
      void queue.flush({ idleMs: 5_000, totalMs: 30_000 }).then(() => {
        flushes++
      }),
  }
}
