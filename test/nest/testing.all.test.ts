import { expect, it } from 'vitest'
import { launch } from './support/column.ts'

it.each([
  { nest: 12, adapter: 'express' },
  { nest: 12, adapter: 'fastify' },
  { nest: 11, adapter: 'express' },
  { nest: 11, adapter: 'fastify' },
] as const)('a test can read spans in memory, and override the interceptor ($adapter, Nest $nest)', async (column) => {
  // Keys are there, and nothing is sent: nobody listens at that address.
  const env = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1' }
  const { code, stdout, stderr } = await launch({ ...column, node: '24.21.0', preload: false }, 'testing.js', env).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const root = 'PlacesController.guards'
  const { plain, ...rest } = JSON.parse(stdout)
  // A span that ended before the user was known is delivered when it is: later than one that ended after it.
  expect(
    plain.toSorted((one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)),
  ).toEqual([
    { name: 'handler', userId: 'ada', parent: root },
    { name: root, userId: 'ada' },
    { name: 'roles', userId: 'ada', parent: root },
  ])
  expect(rest).toEqual({
    overridden: expect.arrayContaining([{ name: root, userId: 'ada' }]),
    intercepted: ['guards'],
  })
})
