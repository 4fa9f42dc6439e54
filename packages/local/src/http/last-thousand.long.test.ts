import { afterEach, beforeEach, expect, it } from 'vitest'
import { post } from '../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../index.ts'

let local: LocalService
beforeEach(async () => {
  local = await startLocal()
})
afterEach(() => local.close())

it('of requests at the intake the last 1,000 are kept', async () => {
  for (let at = 0; at < 1_002; at += 1) await post(local, '', { 'x-at': String(at) })
  const kept = local.requests()
  expect([kept.length, kept[0]?.headers['x-at'], kept.at(-1)?.headers['x-at']]).toEqual([1_000, '2', '1001'])
})

it('of recorded API calls the last 1,000 are kept', async () => {
  for (let at = 0; at < 1_005; at += 1) await fetch(`${local.url}/api/public/${at}`)
  expect(local.calls()).toHaveLength(1_000)
  expect(local.calls()[0]).toMatchObject({ path: '/api/public/5' })
})
