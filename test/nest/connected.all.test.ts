import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { launch, linesOfSvc } from './support/column.ts'
import { askTcp } from './support/tcp.ts'

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

/** Two messages to a microservice that an application connected in that way. */
async function send(nest: 11 | 12, connected: string) {
  const column = { nest, adapter: 'express', node: '24.21.0', preload: true } as const
  const app = launch(column, 'connected.js', { ...service.env, CONNECTED: connected })
  const [, printed = ''] = await app.printed(/listening (.*)/)
  const { tcp } = JSON.parse(printed)
  const answers = [await askTcp(tcp, 'echo', 'one'), await askTcp(tcp, 'echo', 'two')]
  app.kill('SIGTERM')
  const { stdout, stderr } = await app.ended
  const names = service.local.spans().map(({ name }) => name)
  return {
    answers,
    warnings: [...stderr.trim().split('\n').filter(Boolean), ...linesOfSvc(stdout)],
    roots: names.filter((name) => name === 'Echo.echo'),
  }
}

const UNHEARD = /messages of a connected microservice are not recorded.*inheritAppConfig: true/

describe.each([11, 12] as const)('a microservice that an application connects, Nest %i', (nest) => {
  it('is recorded if it inherits the application config', async () => {
    expect(await send(nest, 'inheriting')).toEqual({
      answers: ['one', 'two'],
      warnings: [],
      roots: ['Echo.echo', 'Echo.echo'],
    })
  })

  it('responds without recording if it does not, with one warning at startup', async () => {
    expect(await send(nest, 'alone')).toEqual({
      answers: ['one', 'two'],
      warnings: [expect.stringMatching(UNHEARD)],
      roots: [],
    })
  })
})

describe('the hook before the guards', () => {
  it('works by itself', async () => {
    expect(await send(12, 'hooked')).toMatchObject({ warnings: [], roots: ['Echo.echo', 'Echo.echo'] })
  })

  it('does not end a process without SvcModule', async () => {
    expect(await send(12, 'hook without module')).toEqual({
      answers: ['one', 'two'],
      warnings: [expect.stringMatching(/svcPreRequestHook does nothing, because SvcModule is not imported/)],
      roots: [],
    })
  })
})
