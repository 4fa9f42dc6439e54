import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { useChat } from '../support/chat.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const chat = useChat()
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each([
  ['errors', 0],
  ['errors,rest:1', 1],
])('SVC_KEEP=%s of a process whose one trace has no error sends %i of its spans, in silence', async (keep, spans) => {
  const ended = await chat({ SVC_KEEP: keep })
  expect({ code: ended.code, lines: ended.lines, spans: ended.spans.length }).toEqual({ code: 0, lines: [], spans })
})

const ENDS = { SVC_KEEP: 'errors,scored', SVC_FLUSH_INTERVAL: '60' }
const sentOf = (release: string) =>
  service.local
    .spans()
    .filter(({ attributes }) => attributes['svc.release'] === release)
    .map(({ name }) => name)

it.each([
  ['exit', 3],
  ['throw', 1],
])('SVC_KEEP decides by what is known when the process ends in the middle of traces, by %s', async (HOW, code) => {
  const env = { ...service.env, ...ENDS, HOW, SVC_RELEASE: HOW }
  const ended = await runNode([...PRELOAD, app('keep-ends.mjs')], { cwd, env })
  expect(ended.code).toBe(code)
  expect(sentOf(HOW)).toEqual(['failed'])
  const counts = { kept: { errors: 1 }, leftOut: { rest: 2 }, spansLeftOut: 2, spansHeld: 0 }
  expect(JSON.parse(ended.stdout)).toEqual(counts)
})
