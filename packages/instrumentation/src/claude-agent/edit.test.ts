import { expect, it } from 'vitest'
import { wrapExports } from './edit.ts'
import { edit } from './instrument.ts'

const added = (source: string) => wrapExports(source)?.slice(source.length)

it('functions of the Claude agent SDK are replaced, whatever their minified names are', () => {
  const minified =
    'function Dot({prompt:e}){}async function Iot(e={}){}export{ur as AbortError,Dot as query,Iot as startup};'
  expect(added(minified)).toBe(
    '\n;Dot = globalThis[Symbol.for("svc.claude-agent.6")]?.query?.(Dot) ?? Dot; Iot = globalThis[Symbol.for("svc.claude-agent.6")]?.startup?.(Iot) ?? Iot;',
  )
  const plain = 'function query({ prompt }) {}\nexport {\n  tool,\n  query\n};\n'
  expect(added(plain)).toContain('query = ')
})

it('edits of the Claude agent SDK keep line numbers', () => {
  const source = 'function a(){}export{a as query}'
  expect(wrapExports(source)?.startsWith(`${source}\n;`)).toBe(true)
})

it.each([
  ['that exports no query', 'function query(){}export{query as ask}'],
  ['that exports something else', "import{a}from'./a.mjs';export{a as query}"],
  ['without exports', 'function query(){}'],
  ['that is empty', ''],
])('a module %s is not edited', (_, source) => {
  expect(wrapExports(source)).toBeUndefined()
  expect(edit(source)).toEqual({ source, missing: ['its queries'] })
})

it('the replacement function has the name of the original', () => {
  edit('function a(){}export{a as query}')
  const slots = globalThis as unknown as Record<symbol, Record<string, (own: unknown) => unknown>>
  const { query } = slots[Symbol.for('svc.claude-agent.6')] ?? {}
  const own = (params: unknown) => params
  const { name, length } = Object(query?.(own))
  expect([name, length]).toEqual(['own', 1])
  expect(query?.(undefined)).toBeUndefined()
})
