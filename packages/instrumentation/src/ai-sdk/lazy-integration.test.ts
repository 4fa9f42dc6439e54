import { expect, it, vi } from 'vitest'
import { lazyIntegration } from './lazy-integration.ts'

const received: unknown[] = []
const found = () => ({ onStart: (event: unknown) => received.push(event), onStepEnd: () => {} })

it('AI SDK 6, which reads the same registry, does not load the telemetry of version 7', () => {
  const load = vi.fn(found)
  const { onStart, onStepStart, onFinish } = lazyIntegration(load) as Record<string, (event: object) => unknown>
  for (const hook of [onStart, onStepStart, onFinish]) {
    expect(hook?.({ model: { provider: 'openai', modelId: 'gpt-test' }, prompt: 'hi' })).toBeUndefined()
  }
  expect(load).not.toHaveBeenCalled()
})

it('AI SDK 7 finds its hooks in the registry, and a call keeps them', () => {
  const load = vi.fn(found)
  const integration = lazyIntegration(load)
  const start = integration.onStart as (event: object) => unknown
  start({ callId: 'call-1' })
  expect(received).toEqual([{ callId: 'call-1' }])
  expect(integration.onStepEnd).toBeTypeOf('function')
  expect(integration.onNothing).toBeUndefined()
  expect(integration.onStart).not.toBe(start)
  expect(load).toHaveBeenCalledTimes(1)
})

it('a failed load of the AI SDK hooks is repeated at the next call', () => {
  let busy = true
  const integration = lazyIntegration(() => {
    if (busy) throw new Error('this Node links other modules right now')
    return found()
  })
  expect(integration.onStepEnd).toBeUndefined()
  busy = false
  expect(integration.onStepEnd).toBeTypeOf('function')
})

it('without an integration the AI SDK has no hooks', () => {
  const integration = lazyIntegration(() => undefined)
  expect(integration.executeTool).toBeUndefined()
  expect((integration.onStart as (event: object) => unknown)({ callId: 'call-1' })).toBeUndefined()
})
