import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

// Only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const cwd = path('hostile')

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

// KiB that so many calls may leave, of which caches of the library and of the engine are most. Of one call in five that
// kept its span, or what it holds of its question, there would be more.
const LIMIT = 1_200
const CALLS = 300

/** One library of each kind: how it is observed, and what holds its answers. */
const LIBRARIES = [
  'openai',
  'anthropic',
  'google-genai',
  'ollama',
  'cohere',
  'mistral',
  'bedrock',
  'ai',
  'ai-5',
  'langchain',
  'agents',
  'mcp',
] as const

// 100,000 calls of one: node --import @svc/register --expose-gc many-calls.mjs <library> 100000, and the bench.
it.each(LIBRARIES)(`${CALLS} calls of all kinds leave nothing behind: %s`, async (library) => {
  const many = [path('harness/many-calls.mjs'), library, String(CALLS), String(LIMIT)]
  const args = [...PRELOAD, '--expose-gc', '--no-deprecation', ...many]
  const { stdout, stderr } = await runNode(args, {
    cwd,
    env: {
      SVC_LOG_LEVEL: 'NONE',
      SVC_CONFIG_FILE: path('harness/nowhere.config.mjs'),
      MODEL_URL: service.models.url,
      AI_SDK_LOG_WARNINGS: 'false',
    },
  })
  expect(stdout, stderr).not.toBe('')
  const { grown, open } = JSON.parse(stdout)
  expect(open).toBe(0)
  expect(grown).toBeLessThan(LIMIT)
})
