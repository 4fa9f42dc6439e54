import { expect, it } from 'vitest'
import type { Method } from '../gen-ai/read.ts'
import { patchMethods } from './patch-methods.ts'

it('a recorder module that cannot be loaded is retried with the next call, and calls work as before', () => {
  class Client {
    ask(question: string) {
      return `${question}?`
    }
  }
  const calls: unknown[] = []
  let busy = true
  const load = () => {
    if (busy) throw new Error('this Node links other modules right now')
    const ask = (own: Method): Method =>
      function (...args) {
        calls.push(...args)
        return Reflect.apply(own, this, args)
      }
    return { ask }
  }
  patchMethods(Client, ['ask'], load)
  const client = new Client()
  expect(client.ask('one')).toBe('one?')
  busy = false
  expect(client.ask('two')).toBe('two?')
  expect(calls).toEqual(['two'])
})
