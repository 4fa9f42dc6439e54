import { createRequire } from 'node:module'
import { delimiter } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Case, delivered } from './process-end.ts'

describe('a process ends as without svc, and its pending data is delivered, also', () => {
  it.each<[way: string, bodies: string[]]>([
    ['without settling', ['first by flush']],
    ['naturally, with exit listeners that hold more', ['even more by last hop', 'first by flush', 'more by last hop']],
    // One more turn of the event loop, and it would clean up twice.
    ['with a listener of beforeExit that holds more and goes on', ['first by last hop', 'more by last hop']],
    ['with exitCode 3', ['first by flush']],
    ['with a rejection', ['first by last hop']],
    ['with a listener of beforeExit', ['first by last hop']],
    [
      'with process.exit(3) and exit listeners that hold more',
      ['even more by last hop', 'first by last hop', 'more by last hop'],
    ],
    ['with a throw that the application handles', ['first by last hop']],
    ['with exit listeners that exit with 7', ['first by last hop']],
    ['with an exit listener that is put first and exits with 7', ['first by last hop']],
    ['naturally, after signals that were emitted', ['first by flush']],
    ['after a worker that ends naturally', ['first by flush']],
    ['after a worker that ends with a throw', ['first by last hop']],
    [
      'with process.exit(3) in the tick in which an exit listener was added that holds more',
      ['first by last hop', 'more by last hop'],
    ],
    [
      'with a throw and exit listeners that hold more',
      ['even more by last hop', 'first by last hop', 'more by last hop'],
    ],
  ])('%s', async (way, bodies) => {
    expect((await delivered(way)).toSorted()).toEqual(bodies)
  })

  it.each<[way: string, bodies: string[]]>([
    ['by a signal, after its listener was removed', ['first by last hop']],
    ['by a signal, with a listener that exits with 5, added after', ['first by last hop']],
    ['by a signal, handled and sent again when nothing else is left', ['first by flush']],
    ['by a signal, with a listener that exits with 5, added before', ['first by last hop']],
    ['by a signal, handled once, added before', ['first by flush']],
    ['by a signal, handled once, added after', ['first by flush']],
    ['by a signal, handled once and first in line', ['first by flush']],
    ['by a signal, handled once and sent again', ['first by last hop']],
    ['by a signal, whose handler leaves the end to others', ['first by last hop']],
  ])('%s', async (way, bodies) => {
    expect(await delivered(way, { signal: 'SIGTERM' })).toEqual(bodies)
  })

  it('naturally, where no workers may be started', async () => {
    expect(await delivered('naturally', { flags: ['--permission', '--allow-fs-read=*'] })).toEqual(['first by flush'])
  })

  it.each<NodeJS.Signals>(['SIGINT', 'SIGHUP', 'SIGUSR2'])('by %s', async (signal) => {
    expect(await delivered('by a signal', { signal })).toEqual(['first by last hop'])
  })

  it.each(['naturally', 'with process.exit(3)', 'after a worker that ends with process.exit(3)'])(
    '%s, with loader hooks',
    async (way) => {
      const flags = ['--import', String(new URL('./processes/loader-hooks.mjs', import.meta.url))]
      expect(await delivered(way, { flags })).toHaveLength(1)
    },
  )
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
