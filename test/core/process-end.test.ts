import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startRawServer } from '../../packages/core/test/support/raw-server.ts'
import { startServer } from '../../packages/core/test/support/server.ts'
import { type Case, delivered, end, startEnd } from './process-end.ts'

// Together with exit.ts, and in processes of their own: what is promised is how they end.

describe('a process ends as without svc, and its pending data is delivered:', () => {
  it.each<[way: string, bodies: string[]]>([
    ['naturally', ['first by flush']],
    ['with process.exit(3)', ['first by last hop']],
    ['with a throw', ['first by last hop']],
    ['after a worker that ends with process.exit(3)', ['first by last hop']],
  ])('%s', async (way, bodies) => {
    expect((await delivered(way)).toSorted()).toEqual(bodies.toSorted())
  })

  it.each<[way: string, bodies: string[]]>([
    ['by a signal', ['first by last hop']],
    ['by a signal, with a listener that holds more and exits later', ['first by last hop', 'more by last hop']],
    ['by a signal, busy and with nothing to deliver', []],
  ])('%s', async (way, bodies) => {
    expect((await delivered(way, { signal: 'SIGTERM' })).toSorted()).toEqual(bodies)
  })

  it('by a signal, if only the event loop can deliver it', async () => {
    const env = { OPTIONS: '{"needsEventLoop":true}' }
    expect(await delivered('by a signal', { signal: 'SIGTERM', env })).toEqual(['first by flush'])
  })
})

describe('a process that may not start workers ends as without svc', () => {
  it('with process.exit(3)', async () => {
    expect(await delivered('with process.exit(3)', { flags: ['--permission', '--allow-fs-read=*'] })).toEqual([])
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
