import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { afterEach, expect, it } from 'vitest'
import { catchLog, svcLines } from '../test/log.ts'
import { SvcModule, type SvcModuleOptions } from './index.ts'

const logged = catchLog()
afterEach(releaseRuntime)

/** An application beside a pipeline that flushes like this, closed. */
async function close(forceFlush: () => Promise<void>, options: SvcModuleOptions = {}): Promise<void> {
  claimRuntime({ owner: 'test', attach() {}, forceFlush, shutdown: async () => {} })
  @Module({ imports: [SvcModule.forRoot(options)] })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: svcLines })
  await app.close()
}

it('closing the application waits until the last spans are delivered', async () => {
  let taken = false
  await close(async () => {
    await new Promise(setImmediate)
    taken = true
  })
  expect(taken).toBe(true)
  expect(logged()).toEqual([])
})

it('closing the application waits for spans at most shutdownTimeoutMs, with a warning', async () => {
  await close(() => new Promise(() => {}), { shutdownTimeoutMs: 20 })
  expect(logged()).toEqual([
    'svc: [WARN] closing did not wait for the last spans: they were not accepted within 20 ms (shutdownTimeoutMs).',
  ])
})
