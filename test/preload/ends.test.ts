import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Runs one way to end, sends `signals` once the model has answered, and tells how the process ended. */
async function end(preload: readonly string[], way: string, signals: readonly NodeJS.Signals[]) {
  const program = startNode([...preload, app('end.mjs'), way], { cwd, env: { ...service.env, SVC_RELEASE: way } })
  await program.printed(/asked/)
  for (const signal of signals) program.kill(signal)
  const { code, signal, stdout, stderr } = await program.ended
  return { code, signal, stdout, failed: stderr.includes('the application failed') }
}

const spansOf = (way: string) => service.local.spans().filter((span) => span.attributes['svc.release'] === way)

describe('a process ends as without svc, and its last span arrives:', () => {
  it.each([
    ['naturally', [], 1],
    ['with exitCode 3', [], 1],
    ['without settling', [], 1],
    ['by signal, unhandled', ['SIGTERM'], 1],
    ['by signal, handled', ['SIGTERM'], 1],
    ['by signal, handler exits 0', ['SIGTERM'], 1],
    ['by signal, handler makes a last call', ['SIGTERM'], 2],
    ['by signal, handler sends it again', ['SIGTERM'], 1],
    ['by signal, handler exits with exitCode', ['SIGTERM'], 1],
    ['by signal, exit listener has the last word', ['SIGTERM'], 1],
    ['by signal, handler exits on the second', ['SIGTERM'], 1],
    ['by signal, handler tries what is no exit code', ['SIGTERM'], 1],
    ['by signal, handled once and first in line', ['SIGTERM'], 1],
    ['by signal, with a call under way', ['SIGTERM'], 2],
    ['naturally, after cleaning up', [], 1],
  ] as const)('%s', async (way, signals, spans) => {
    const [bare, ours] = await Promise.all([end([], way, signals), end(PRELOAD, way, signals)])
    expect(ours).toEqual(bare)
    expect(spansOf(way)).toHaveLength(spans)
  })

  it('by SIGINT', async () => {
    const way = 'by signal, unhandled'
    const [bare, ours] = await Promise.all([end([], way, ['SIGINT']), end(PRELOAD, way, ['SIGINT'])])
    expect(bare.signal).toBe('SIGINT')
    expect(ours).toEqual(bare)
  })
})

describe('a process that crashes ends as without svc, and its last span arrives:', () => {
  it.each(['with a throw', 'with a rejection'])('%s', async (way) => {
    const [bare, ours] = await Promise.all([end([], way, []), end(PRELOAD, way, [])])
    expect(bare).toMatchObject({ code: 1, failed: true })
    expect(ours).toEqual(bare)
    expect(spansOf(way)).toHaveLength(1)
  })
})

it('a busy program without spans stops at once on a signal', async () => {
  const program = startNode([...PRELOAD, '-e', 'console.log("busy"); for (;;);'], { cwd, env: service.env })
  await program.printed(/busy/)
  program.kill('SIGINT')
  expect(await program.ended).toMatchObject({ code: null, signal: 'SIGINT' })
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
