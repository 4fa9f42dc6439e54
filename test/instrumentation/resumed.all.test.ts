import { fileURLToPath } from 'node:url'
import { type LocalService, startLocal } from '@svc/local'
import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'

let service: LocalService
let model: ModelServer
beforeAll(async () => {
  ;[service, model] = await Promise.all([startLocal(), startModelServer()])
})
afterAll(() => Promise.all([service.close(), model.close()]))

const program = fileURLToPath(new URL('harness/resumed.mjs', import.meta.url))

/** Runs one process, and returns what it has kept for the next one. */
async function inProcess(folder: string, ...kept: string[]): Promise<string> {
  const args = [...PRELOAD, program, fileURLToPath(new URL(folder, import.meta.url)), model.url, ...kept]
  const { stdout, stderr, code } = await runNode(args, { cwd, env: service.env })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  return stdout
}

it.each([
  { folder: 'agents', key: 'run_id', session: 'conversation-1' },
  { folder: 'langchain', key: 'thread_id', session: 'thread-1' },
  { folder: 'ai-6', key: 'approval_ids', session: undefined },
  { folder: 'ai-7', key: 'approval_ids', session: undefined },
  { folder: 'openai', key: 'approval_ids', session: undefined },
])('a run of $folder that another process resumes has the same $key', async ({ folder, key, session }) => {
  await inProcess(folder, await inProcess(folder))
  const found = service.observations().filter(({ metadata }) => (metadata as Record<string, unknown>)[key])
  const paused = found.find(({ statusMessage }) => statusMessage === 'interrupted')
  const resumed = found.find(({ traceId }) => traceId !== paused?.traceId)
  const of = (one: typeof paused) => [(one?.metadata as Record<string, unknown>)?.[key], one?.sessionId ?? undefined]
  expect(of(paused)).toEqual([expect.anything(), session])
  expect(of(resumed)).toEqual(of(paused))
})
