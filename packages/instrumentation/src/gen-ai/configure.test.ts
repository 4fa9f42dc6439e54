import { afterEach, expect, it } from 'vitest'
import { capturesContent, configure, propagatesToVendors } from './configure.ts'

const polluted = Object.prototype as { captureContent?: boolean; propagateToVendors?: boolean }

afterEach(() => {
  delete polluted.captureContent
  delete polluted.propagateToVendors
  configure({})
})

it('what somebody added to Object.prototype is no option', () => {
  configure({})
  Object.assign(polluted, { captureContent: false, propagateToVendors: true })
  expect([capturesContent(), propagatesToVendors()]).toEqual([true, false])
})
