import { afterEach, expect, it, vi } from 'vitest'
import { adoptAiSdk } from './adopt.ts'

const REGISTRY = 'AI_SDK_TELEMETRY_INTEGRATIONS'
const globals = globalThis as unknown as Record<string | symbol, unknown>

afterEach(() => {
  Reflect.deleteProperty(globals, REGISTRY)
  Reflect.deleteProperty(globals, Symbol.for('svc.ai-sdk.6'))
})

const spans = () => ({ onStart() {}, executeTool() {} })

it('the AI SDK 7 integration is loaded once, when the SDK first reads its registry', () => {
  const ours = spans()
  const load = vi.fn(() => ours)
  adoptAiSdk(load)
  adoptAiSdk(load)
  expect(load).not.toHaveBeenCalled()
  expect([globals[REGISTRY], globals[REGISTRY]]).toEqual([[ours], [ours]])
  expect(load).toHaveBeenCalledTimes(1)
})

it('the AI SDK 7 integration is added to earlier ones, and yields to a list that replaces the registry', () => {
  const [ours, listener] = [spans(), { onStart() {} }]
  globals[REGISTRY] = [listener]
  adoptAiSdk(() => ours)
  expect(globals[REGISTRY]).toEqual([listener, ours])
  globals[REGISTRY] = [listener]
  expect(globals[REGISTRY]).toEqual([listener, ours])
})

it('the AI SDK 7 integration is left out while another one makes spans, whenever that is registered', () => {
  const [ours, theirs] = [spans(), spans()]
  adoptAiSdk(() => ours)
  const list = globals[REGISTRY] as object[]
  list.push(theirs)
  expect(globals[REGISTRY]).toEqual([theirs])
})

it('the AI SDK 7 registry is empty if the integration cannot be loaded', () => {
  adoptAiSdk(() => {
    throw new Error('not installed')
  })
  expect(globals[REGISTRY]).toEqual([])
  adoptAiSdk(() => undefined)
  expect(globals[REGISTRY]).toEqual([])
})
