import { createRequire } from 'node:module'
import { delimiter } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startRawServer } from '../test/support/raw-server.ts'
import { start } from '../test/support/run.ts'
import { startServer } from '../test/support/server.ts'

// Together with exit.ts, and in processes of their own: what is promised is how they end.

interface Case {
  /** Sent when the program says that it is ready. */
  readonly signal?: NodeJS.Signals
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The program in `test/processes/`, with something to deliver to `server`. */
const startEnd = (way: string, server: string, { flags = [], env = {} }: Case = {}) =>
  start('ends.mjs', [way], { flags, env: { ...env, SERVER: server } })

async function end(way: string, server: string, { signal, ...options }: Case) {
  const program = startEnd(way, server, options)
  if (signal) await program.wrote('ready')
  if (signal) program.child.kill(signal)
  return program.ended
}

/** What arrives when a process ends that way. It ends as it does without us. */
async function delivered(way: string, options: Case = {}): Promise<readonly string[]> {
  await using server = await startServer()
  const [bare, ours] = await Promise.all([end(way, '', options), end(way, server.url, options)])
  expect(ours).toEqual(bare)
  return server.bodies
}

describe('a process ends as without svc, and its pending data is delivered:', () => {
  it.each<[way: string, bodies: string[]]>([
    ['naturally', ['first by flush']],
    ['with exitCode 3', ['first by flush']],
    ['without settling', ['first by flush']],
    ['with process.exit(3)', ['first by last hop']],
    ['with a throw', ['first by last hop']],
    ['with a rejection', ['first by last hop']],
    ['with a throw that the application handles', ['first by last hop']],
    // One more turn of the event loop, and it would clean up twice.
    ['with a listener of beforeExit', ['first by last hop']],
    ['with a listener of beforeExit that holds more and goes on', ['first by last hop', 'more by last hop']],
    ['with exit listeners that exit with 7', ['first by last hop']],
    ['with an exit listener that is put first and exits with 7', ['first by last hop']],
    ['naturally, with exit listeners that hold more', ['first by flush', 'even more by last hop', 'more by last hop']],
    [
      'with process.exit(3) and exit listeners that hold more',
      ['even more by last hop', 'first by last hop', 'more by last hop'],
    ],
    [
      'with process.exit(3) in the tick in which an exit listener was added that holds more',
      ['first by last hop', 'more by last hop'],
    ],
    [
      'with a throw and exit listeners that hold more',
      ['even more by last hop', 'first by last hop', 'more by last hop'],
    ],
    ['naturally, after signals that were emitted', ['first by flush']],
    ['after a worker that ends naturally', ['first by flush']],
    ['after a worker that ends with process.exit(3)', ['first by last hop']],
    ['after a worker that ends with a throw', ['first by last hop']],
  ])('%s', async (way, bodies) => {
    expect((await delivered(way)).toSorted()).toEqual(bodies.toSorted())
  })

  it.each<[way: string, bodies: string[]]>([
    ['by a signal', ['first by last hop']],
    ['by a signal, after its listener was removed', ['first by last hop']],
    ['by a signal, with a listener that exits with 5, added before', ['first by last hop']],
    ['by a signal, with a listener that exits with 5, added after', ['first by last hop']],
    ['by a signal, with a listener that holds more and exits later', ['first by last hop', 'more by last hop']],
    ['by a signal, handled once, added before', ['first by flush']],
    ['by a signal, handled once, added after', ['first by flush']],
    ['by a signal, handled once and first in line', ['first by flush']],
    ['by a signal, handled once and sent again', ['first by last hop']],
    ['by a signal, whose handler leaves the end to others', ['first by last hop']],
    ['by a signal, handled and sent again when nothing else is left', ['first by flush']],
    ['by a signal, busy and with nothing to deliver', []],
  ])('%s', async (way, bodies) => {
    expect((await delivered(way, { signal: 'SIGTERM' })).toSorted()).toEqual(bodies)
  })

  it.each<NodeJS.Signals>(['SIGINT', 'SIGHUP', 'SIGUSR2'])('by %s', async (signal) => {
    expect(await delivered('by a signal', { signal })).toEqual(['first by last hop'])
  })

  it('by a signal, if only the event loop can deliver it', async () => {
    const env = { OPTIONS: '{"needsEventLoop":true}' }
    expect(await delivered('by a signal', { signal: 'SIGTERM', env })).toEqual(['first by flush'])
  })

  it.each(['naturally', 'with process.exit(3)', 'after a worker that ends with process.exit(3)'])(
    '%s, with loader hooks',
    async (way) => {
      const flags = ['--import', String(new URL('../test/processes/loader-hooks.mjs', import.meta.url))]
      expect(await delivered(way, { flags })).toHaveLength(1)
    },
  )
})

describe('a process that may not start workers ends as without svc:', () => {
  it.each<[way: string, bodies: string[]]>([
    ['naturally', ['first by flush']],
    ['with process.exit(3)', []],
  ])('%s', async (way, bodies) => {
    expect(await delivered(way, { flags: ['--permission', '--allow-fs-read=*'] })).toEqual(bodies)
  })
})

describe('beside signal-exit, which acts if there are no other listeners', () => {
  const require = createRequire(import.meta.url)
  const three = require.resolve('signal-exit-3')
  const four = require.resolve('signal-exit')

  describe.each([
    ['version 3', [three]],
    ['version 4', [four]],
    ['both', [three, four]],
  ])('%s', (_, paths) => {
    const SIGNAL_EXIT = paths.join(delimiter)

    it.each([
      'by a signal, signal-exit came before',
      'by a signal, signal-exit came after',
      'by a signal, with signal-exit and a listener that exits with 5',
    ])('a process ends %s', async (way) => {
      const options: Case = { signal: 'SIGTERM', env: { SIGNAL_EXIT } }
      expect(await delivered(way, options)).toEqual(['first by last hop'])
    })

    it('a process ends by a signal if only the event loop can deliver its data', async () => {
      const env = { SIGNAL_EXIT, OPTIONS: '{"needsEventLoop":true}' }
      const options: Case = { signal: 'SIGTERM', env }
      expect(await delivered('by a signal, signal-exit came before', options)).toEqual(['first by flush'])
    })

    it.each<[way: string, signal: NodeJS.Signals | undefined]>([
      ['with process.exit(3) and signal-exit that holds more', undefined],
      ['by a signal, with signal-exit that holds more', 'SIGTERM'],
    ])('a process ends %s', async (way, signal) => {
      const more = paths.map(() => 'more by last hop')
      const options: Case = { env: { SIGNAL_EXIT }, ...(signal ? { signal } : {}) }
      expect(await delivered(way, options)).toEqual(['first by last hop', ...more])
    })

    it('a process ends with process.exit(3) and signal-exit', async () => {
      const options: Case = { env: { SIGNAL_EXIT } }
      expect(await delivered('with process.exit(3) and signal-exit', options)).toEqual(['first by last hop'])
    })
  })
})

describe('a second signal', () => {
  const killed = { code: null, signal: 'SIGTERM' }

  it('5 ms after the first changes nothing', async () => {
    await using server = await startServer()
    const program = startEnd('by a signal', server.url)
    await program.wrote('ready')
    program.child.kill('SIGTERM')
    // Not to wait for something: this is what is tested.
    await setTimeout(5)
    program.child.kill('SIGTERM')
    expect(await program.ended).toMatchObject(killed)
    expect(server.bodies).toEqual(['first by last hop'])
  })

  it('does not interrupt the last hop', async () => {
    const answers: (() => void)[] = []
    await using server = await startServer((response) => {
      answers.push(() => response.end())
      // The ninth is sent when the first ones are answered.
      if (answers.length === 9) for (const answer of answers) answer()
    })
    const program = startEnd('by a signal, with nine things to deliver', server.url)
    await program.wrote('ready')
    program.child.kill('SIGTERM')
    await server.arrived(8)
    program.child.kill('SIGTERM')
    answers[0]?.()
    expect(await program.ended).toMatchObject(killed)
    expect(server.bodies).toHaveLength(9)
  })

  it('does not wait for data that only the event loop can deliver', async () => {
    await using server = await startServer(() => {})
    const program = startEnd('by a signal', server.url, { env: { OPTIONS: '{"needsEventLoop":true}' } })
    await program.wrote('ready')
    program.child.kill('SIGTERM')
    await server.arrived(1)
    program.child.kill('SIGTERM')
    expect(await program.ended).toMatchObject(killed)
    expect(server.bodies).toEqual(['first by flush'])
  })

  it('ends a process that handles the first signal', async () => {
    await using server = await startServer()
    const program = startEnd('by a signal, after another one that is handled', server.url)
    await program.wrote('ready')
    program.child.kill('SIGINT')
    await program.wrote('not now')
    expect(server.bodies).toEqual([])
    program.child.kill('SIGTERM')
    expect(await program.ended).toMatchObject(killed)
    expect(server.bodies).toEqual(['first by last hop'])
  })

  it('ends a process in which the system ignored the first one, and its pending data is delivered', async () => {
    await using server = await startServer()
    const program = startEnd('by a signal, after one that the system ignored', server.url)
    await program.wrote('ready')
    program.child.kill('SIGTERM')
    await program.wrote('listens again')
    program.child.kill('SIGTERM')
    expect(await program.ended).toMatchObject(killed)
    expect(server.bodies).toEqual(['first by last hop', 'more by last hop'])
  })
})

describe('a server that never responds', () => {
  it.each<[way: string, options: Case, expected: object]>([
    ['with process.exit(3)', {}, { code: 3, signal: null }],
    ['by a signal', { signal: 'SIGTERM' }, { code: null, signal: 'SIGTERM' }],
  ])("delays a process that ends %s no longer than the handler's timeout", async (way, options, expected) => {
    await using server = await startRawServer(() => {})
    for (const needsEventLoop of [false, true]) {
      const env = { OPTIONS: JSON.stringify({ timeoutMs: 100, needsEventLoop }) }
      expect(await end(way, server.url, { ...options, env })).toMatchObject(expected)
    }
  })
})
