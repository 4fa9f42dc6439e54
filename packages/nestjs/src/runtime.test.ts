import { Controller, Get } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { SvcSpanProcessor } from '@svc/otel'
import { startActiveObservation } from '@svc/tracing'
import { afterEach, describe, expect, it } from 'vitest'
import { catchLog, svcLines } from '../test/log.ts'
import { SvcModule, type SvcModuleOptions } from './index.ts'
import { join } from './runtime.ts'

const logged = catchLog()
afterEach(() => {
  releaseRuntime()
  trace.disable()
  context.disable()
})

@Controller()
class Ping {
  @Get() ping() {
    return startActiveObservation('model', async () => 'pong')
  }
}

async function ask(options: SvcModuleOptions): Promise<string> {
  const module = { imports: [SvcModule.forRoot(options)], controllers: [Ping] }
  const app = (await Test.createTestingModule(module).compile()).createNestApplication({ logger: svcLines })
  await app.listen(0, '127.0.0.1')
  const answer = await (await fetch(await app.getUrl())).text()
  await app.close()
  return answer
}

describe('SvcModule', () => {
  it('passes pipeline options to the running pipeline', async () => {
    const attached: unknown[] = []
    const attach = (options: unknown) => void attached.push(options)
    claimRuntime({ owner: 'test', attach, forceFlush: async () => {}, shutdown: async () => {} })
    const mask = ({ data }: { data: unknown }) => data
    const pipeline = { environment: 'live', release: '1', mask, trustBaggage: ['loopback'] }
    expect(await join({ user: () => 'ada', captureInput: true, ...pipeline })).toBe(true)
    expect(attached).toEqual([pipeline])
  })

  it('keeps a third-party provider in place and works with it', async () => {
    const exporter = new InMemorySpanExporter()
    const stamps = new SvcSpanProcessor({ env: environmentOf({}), exporter: new InMemorySpanExporter() })
    const provider = new TracerProvider({ spanProcessors: [stamps, new SimpleSpanProcessor({ exporter })] })
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    expect(await ask({ user: () => 'ada' })).toBe('pong')
    const [model, root] = exporter.getFinishedSpans()
    expect([model?.name, root?.name]).toEqual(['model', 'Ping.ping'])
    expect(model?.parentSpanContext?.spanId).toBe(root?.spanContext().spanId)
    expect([model, root].map((span) => span?.attributes['user.id'])).toEqual(['ada', 'ada'])
    expect(logged()).toEqual([])
  })

  it('starts no pipeline in a process that is not an application, such as a test runner', async () => {
    expect(await ask({ user: () => 'ada' })).toBe('pong')
    expect(logged()).toEqual([])
  })
})
