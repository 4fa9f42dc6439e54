import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('one model call arrives as one trace with its model, messages and tokens', async () => {
  await runNode([...PRELOAD, app('chat.mjs')], { cwd, env: { ...service.env, SVC_TRACING_ENVIRONMENT: 'test' } })
  // chat gpt-test · GENERATION
  expect(service.local.traces()).toEqual([
    {
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'chat gpt-test',
      userId: null,
      sessionId: null,
      public: false,
      tags: [],
      environment: 'test',
      observations: [
        {
          id: expect.stringMatching(/^[0-9a-f]{16}$/),
          parentId: null,
          type: 'GENERATION',
          name: 'chat gpt-test',
          level: 'DEFAULT',
          model: expect.stringContaining('gpt-test'),
          input: { messages: [{ role: 'user', content: 'Say hello.' }] },
          output: [{ role: 'assistant', content: expect.any(String) }],
          usage: expect.objectContaining({
            input: expect.any(Number),
            output: expect.any(Number),
            total: expect.any(Number),
          }),
          startTime: expect.stringMatching(/Z$/),
          endTime: expect.stringMatching(/Z$/),
          metadata: expect.any(Object),
        },
      ],
    },
  ])
})
