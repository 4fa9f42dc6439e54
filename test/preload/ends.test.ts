import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'
import { end, expectedEnd, WAYS } from './ways.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const spansOf = (way: string) => service.local.spans().filter((span) => span.attributes['svc.release'] === way)

describe('a process ends as without svc, and its last span arrives:', () => {
  it.each(Object.entries(WAYS))('%s', async (way, { spans = 1 }) => {
    expect(await end(PRELOAD, way, service)).toEqual(expectedEnd(way))
    expect(spansOf(way)).toHaveLength(spans)
  })
})

it('a first span that is created in an exit listener arrives', async () => {
  const code = `import { startObservation } from '@svc/tracing'
    process.on('exit', () => startObservation('first and last').end())`
  const ended = await runNode([...PRELOAD, '--input-type=module', '-e', code], { cwd, env: service.env })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(service.local.spans().filter(({ name }) => name === 'first and last')).toHaveLength(1)
})

it('a signal that the application ignores does not end the process', async () => {
  const program = startNode([...PRELOAD, app('end.mjs'), 'by signal, ignored'], { cwd, env: service.env })
  await program.printed(/asked/)
  program.kill('SIGTERM')
  await program.printed(/not now/)
  program.kill('SIGUSR2')
  expect(await program.ended).toMatchObject({ code: 0, signal: null })
})
