import { afterEach, expect, it, vi } from 'vitest'
import { patchBaml } from './patch.ts'

const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
afterEach(() => warned.mockClear())

/** As the package exports them, for an engine that asks one address. */
function engineOf(url: string) {
  class Collector {
    readonly logs: unknown[] = []
  }
  const ask = (name: string, collectors: Collector[]) => {
    for (const { logs } of collectors) logs.push({ calls: [{ httpRequest: null }, { httpRequest: { url } }] })
    return `${name} has ${collectors.length}`
  }
  class BamlRuntime {
    callFunction(name: string, ...[, , , , collectors]: unknown[]) {
      const answer = ask(name, collectors as Collector[])
      return name === 'Fail' ? Promise.reject(new Error(name)) : Promise.resolve(answer)
    }
    callFunctionSync(name: string, ...[, , , , collectors]: unknown[]) {
      return { said: ask(name, collectors as Collector[]) }
    }
    streamFunction(name: string, ...[, , , , , collectors]: unknown[]) {
      return { done: async () => ask(name, collectors as Collector[]) }
    }
  }
  const exports = { BamlRuntime, Collector }
  patchBaml(exports)
  return new BamlRuntime()
}
const lines = () => warned.mock.calls.map(([line]) => /BAML asks \S+/.exec(String(line))?.[0])
const four = [{}, {}, null, null] as const

it('a host that native code asks is told once, without its query, whichever way a function is called', async () => {
  const one = engineOf('https://one.test/v1/chat?key=secret')
  expect(await one.callFunction('Say', ...four, [])).toBe('Say has 1')
  expect(await one.callFunction('Say', ...four, [])).toBe('Say has 0')
  await expect(one.callFunction('Fail', ...four, [])).rejects.toThrow('Fail')
  expect(one.callFunctionSync('Now', ...four, [])).toEqual({ said: 'Now has 1' })
  expect(lines()).toEqual(['BAML asks one.test/v1/chat'])
})

it('a stream is told when it is done', async () => {
  const stream = engineOf('https://two.test/v1/chat').streamFunction('Stream', ...four, null, [])
  expect(lines()).toEqual([])
  expect(await stream.done()).toBe('Stream has 1')
  expect(lines()).toEqual(['BAML asks two.test/v1/chat'])
})

it('exports without an engine are left as they are', () => {
  const exports = {}
  patchBaml(exports)
  expect(exports).toEqual({})
})
