import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { cwd, PRELOAD } from './apps.ts'
import { ALL_WAYS, end, expectedEnd, MORE_WAYS } from './ways.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const spansOf = (way: string) => service.local.spans().filter((span) => span.attributes['svc.release'] === way)

it.each(Object.keys(ALL_WAYS))('without svc a process ends so, too: %s', async (way) => {
  expect(await end([], way, service)).toEqual(expectedEnd(way))
})

it.each(Object.entries(MORE_WAYS))(
  'a process ends as without svc, and its last span arrives: %s',
  async (way, { spans = 1 }) => {
    const before = spansOf(way).length
    expect(await end(PRELOAD, way, service)).toEqual(expectedEnd(way))
    expect(spansOf(way).slice(before)).toHaveLength(spans)
  },
)

it('SIGINT ends a process as without svc', async () => {
  expect(await end(PRELOAD, 'by signal, unhandled', service, 'SIGINT')).toMatchObject({ signal: 'SIGINT' })
})

it('a busy program without spans stops at once on a signal', async () => {
  const program = startNode([...PRELOAD, '-e', 'console.log("busy"); for (;;);'], { cwd, env: service.env })
  await program.printed(/busy/)
  program.kill('SIGINT')
  expect(await program.ended).toMatchObject({ code: null, signal: 'SIGINT' })
})
