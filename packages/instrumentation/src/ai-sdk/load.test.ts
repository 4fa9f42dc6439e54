import { expect, it, vi } from 'vitest'
import { onceAsked } from './load.ts'

const heard: unknown[] = []
const found = () => ({ onStart: (event: unknown) => heard.push(event), onStepEnd: () => {} })

it('version 6, which asks the same registry, loads nothing of version 7', () => {
  const load = vi.fn(found)
  const { onStart, onStepStart, onFinish } = onceAsked(load) as Record<string, (event: object) => unknown>
  for (const hook of [onStart, onStepStart, onFinish]) {
    expect(hook?.({ model: { provider: 'openai', modelId: 'gpt-test' }, prompt: 'hi' })).toBeUndefined()
  }
  expect(load).not.toHaveBeenCalled()
})

it('version 7 finds the hooks it asks for, and a call holds those it got', () => {
  const load = vi.fn(found)
  const integration = onceAsked(load)
  const start = integration.onStart as (event: object) => unknown
  start({ callId: 'call-1' })
  expect(heard).toEqual([{ callId: 'call-1' }])
  expect(integration.onStepEnd).toBeTypeOf('function')
  expect(integration.onNothing).toBeUndefined()
  expect(integration.onStart).not.toBe(start)
  expect(load).toHaveBeenCalledTimes(1)
})

it('what cannot be loaded with one call is loaded with the next', () => {
  let busy = true
  const integration = onceAsked(() => {
    if (busy) throw new Error('this Node links other modules right now')
    return found()
  })
  expect(integration.onStepEnd).toBeUndefined()
  busy = false
  expect(integration.onStepEnd).toBeTypeOf('function')
})

it('without an integration there are no hooks', () => {
  const integration = onceAsked(() => undefined)
  expect(integration.executeTool).toBeUndefined()
  expect((integration.onStart as (event: object) => unknown)({ callId: 'call-1' })).toBeUndefined()
})
