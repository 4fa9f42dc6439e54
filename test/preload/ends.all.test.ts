import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { end, expectedEnd, WAYS } from './ways.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each(Object.keys(WAYS))('without svc a process ends so, too: %s', async (way) => {
  expect(await end([], way, service)).toEqual(expectedEnd(way))
})
