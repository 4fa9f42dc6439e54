import { createContextKey, ROOT_CONTEXT } from '@opentelemetry/api'
import { FLAT_ROOT_CONTEXT, flatContext } from '@svc/core/flat-context'
import { expect, it } from 'vitest'
import { FlatContextManager } from './flat-context-manager.ts'

const manager = new FlatContextManager().enable()
const KEY = createContextKey('key')

it('what is made from the active context is flat from the beginning', () => {
  const made = manager.active().setValue(KEY, 1)
  expect(flatContext(made)).toBe(made)
  expect(manager.with(made, () => manager.active())).toBe(made)
})

it('without values it is the same one, also where somebody asks for none', () => {
  expect(manager.active()).toBe(FLAT_ROOT_CONTEXT)
  expect(manager.with(ROOT_CONTEXT, () => manager.active())).toBe(FLAT_ROOT_CONTEXT)
})
