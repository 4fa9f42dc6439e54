import { expect, it } from 'vitest'
import { meantBy } from './names.ts'

it.each([
  ['SVC_RELEAS', 'SVC_RELEASE'],
  ['SVC_BASEURLX', 'SVC_BASE_URL'],
  ['svc_release', 'SVC_RELEASE'],
  ['SVC_KEY', 'SVC_SECRET_KEY'],
  ['SVC_CONSTRUCTOR', undefined],
  ['OTEL_BLRP_DELAY', undefined],
])('%s means %s', (name, meant) => {
  expect(meantBy(name)).toBe(meant)
})

it('a name of any length is compared at once', () => {
  // Letter by letter with each of ours it took minutes.
  expect(meantBy(`SVC_${'X'.repeat(1_000_000)}`)).toBeUndefined()
})
