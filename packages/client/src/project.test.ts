import { expect, it } from 'vitest'
import { SvcAPITimeoutError } from './api/errors.ts'
import { ConnectedProject } from './project.ts'

/** A service whose answers are in hand. */
function service() {
  const asked: PromiseWithResolvers<unknown>[] = []
  const get = () => {
    asked.push(Promise.withResolvers())
    return asked.at(-1)?.promise
  }
  return { asked, api: { projects: { get } } as never }
}

it('is waited for once while the service does not respond, and asked for in the background until it does', async () => {
  const [front, back] = [service(), service()]
  const project = new ConnectedProject(front.api, back.api, 'https://svc.example.com')
  const timeout = new SvcAPITimeoutError('Timeout exceeded')
  const first = project.id()
  front.asked[0]?.reject(timeout)
  await expect(first).rejects.toBe(timeout)
  // Nobody answers any of these.
  await expect(project.id()).rejects.toBe(timeout)
  await expect(project.url('traces/t')).rejects.toBe(timeout)
  expect([front.asked.length, back.asked.length]).toEqual([1, 1])
  back.asked[0]?.resolve({ data: [{ id: 'p' }] })
  await expect.poll(() => project.id().catch(() => 'unknown')).toBe('p')
  expect(await project.url('traces/t')).toBe('https://svc.example.com/project/p/traces/t')
  expect([front.asked.length, back.asked.length]).toEqual([1, 1])
})

it('is asked for again, and waited for, after an answer that is an error', async () => {
  const { asked, api } = service()
  const project = new ConnectedProject(api, service().api, undefined)
  const first = project.id()
  asked[0]?.reject(new Error('403'))
  await expect(first).rejects.toThrow('403')
  const second = project.id()
  asked[1]?.resolve({ data: [{ id: 'p' }] })
  expect(await second).toBe('p')
})
