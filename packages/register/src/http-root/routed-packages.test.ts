import { expect, it } from 'vitest'
import { followRoutes } from './route-hooks.ts'
import { ROUTED_PACKAGES } from './routed-packages.ts'

it('every package whose routes are followed lets a process hook its libraries', () => {
  expect(followRoutes(() => {}).map((target) => target.package)).toEqual(ROUTED_PACKAGES)
})
