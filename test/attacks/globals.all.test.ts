import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const app = fileURLToPath(new URL('../preload/apps/without-global.mjs', import.meta.url))
const cwd = fileURLToPath(new URL('..', import.meta.url))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Runs the application with and without us: how it ends, what it prints, and how many of its two spans arrive. */
async function runBoth(args: readonly string[], flags: readonly string[] = []) {
  const before = service.local.spans().length
  const [bare, ours] = [
    await run([...flags, app, ...args]),
    await run(['--import', '@svc/register', ...flags, app, ...args]),
  ]
  return { bare, ours: { ...ours, spans: service.local.spans().length - before } }
}

async function run(args: readonly string[]) {
  const { code, signal, stderr } = await runNode(args, { cwd, env: service.env })
  return { code, signal, stderr }
}

describe('an application ends as it does without us, and its spans arrive,', () => {
  const changes = ['unset', 'deleted', 'empty', 'a getter that throws']
  it.each(changes.flatMap((how) => ['itself', 'exit', 'signal'].map((end) => [how, end] as const)))(
    'if its global process is %s when it ends by %s',
    async (how, end) => {
      const { bare, ours } = await runBoth(['process', how, end])
      expect(ours).toEqual({ ...bare, spans: 2 })
    },
  )

  it.each(
    [
      'console',
      'fetch',
      'Buffer',
      'URL',
      'performance',
      'TextEncoder',
      'AbortController',
      'clearTimeout',
      'setImmediate',
    ].flatMap((name) => ['itself', 'exit'].map((end) => [name, end] as const)),
  )('if it unsets %s, and ends by %s', async (name, end) => {
    const { bare, ours } = await runBoth([name, 'unset', end])
    expect(ours).toEqual({ ...bare, spans: 2 })
  })

  it.each(['Object', 'Array', 'Function', 'Promise', 'Map'])('if it freezes the prototype of %s', async (name) => {
    const { bare, ours } = await runBoth([name, 'frozen', 'exit'])
    expect(ours).toEqual({ ...bare, spans: 2 })
  })
})

it.each(['Promise', 'Map', 'Math', 'Error', 'Uint8Array'])(
  'an application that takes %s from everybody ends with its own code, whatever arrives',
  async (name) => {
    const { bare, ours } = await runBoth([name, 'unset', 'exit'])
    expect(ours.code).toBe(bare.code)
  },
)
