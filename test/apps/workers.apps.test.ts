import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SpanStatusCode } from '@opentelemetry/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Redis, startRedis } from '../nest/support/redis.ts'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { MODEL } from './model.ts'

let service: Service
let redis: Redis
let home: string
beforeAll(async () => {
  service = await startService()
  redis = await startRedis()
  const dependencies = {
    openai: '7.55.0',
    bullmq: '6.7.0',
    ioredis: '6.0.0',
    '@temporalio/activity': '1.24.0',
    '@temporalio/testing': '1.24.0',
    '@temporalio/worker': '1.24.0',
  }
  // Temporal's tests would fetch its server.
  const args = ['--ignore-scripts']
  home = await installPacked({ dependencies }, { only: ['@svc/register', '@svc/tracing'], args })
  await cp(fileURLToPath(new URL('workers', import.meta.url)), home, { recursive: true })
  await writeFile(join(home, 'model.mjs'), MODEL)
}, NPM_TIMEOUT)
afterAll(async () => {
  await redis.close()
  await service.close()
})

it.each([
  ['jobs of BullMQ', ['bullmq.mjs', 'inline']],
  ['jobs of BullMQ in processes of their own', ['bullmq.mjs', 'process']],
  ['jobs of BullMQ in threads', ['bullmq.mjs', 'thread']],
  ['activities of Temporal', ['temporal.mjs']],
])('%s are a trace each, named by them, with the user, an error and one call', async (_, args) => {
  const before = service.local.spans().length
  const flags = ['--import', '@svc/register']
  const ended = await runNode([...flags, ...args, redis.socket], { cwd: home, env: service.env, asBuilt: true })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const spans = service.local.spans().slice(before)
  const drawn = spans.map(({ name, attributes, parentSpanId, status }) => {
    const root = spans.find(({ spanId }) => spanId === parentSpanId)
    return [root?.name ?? null, name, attributes['user.id'], status.code === SpanStatusCode.ERROR]
  })
  const wanted = ['ann', 'bob'].flatMap((user) =>
    ['ask', 'stream', 'fail'].flatMap((work) => [
      [null, work, user, work === 'fail'],
      [work, 'chat gpt-test', user, false],
    ]),
  )
  expect(drawn.sort()).toEqual(wanted.sort())
})
