import { expect, it } from 'vitest'
import { HOOKED_PACKAGES } from './hooked-packages.ts'
import { LIBRARIES } from './libraries.ts'
import { NATIVE_ENGINES } from './targets.ts'

it('a start awaits the packages of all libraries', () => {
  expect(HOOKED_PACKAGES).toEqual([...new Set([...LIBRARIES, ...NATIVE_ENGINES].map((each) => each.package))])
})
