import { expect, it } from 'vitest'
import { own, ownFields } from './own.ts'

it('a field is read only if the object has it itself', () => {
  expect(own({ name: 'tea' }, 'name')).toBe('tea')
  expect(own({} as { constructor?: unknown }, 'constructor')).toBeUndefined()
  expect(own(Object.create({ name: 'thief' }), 'name' as never)).toBeUndefined()
})

it('a copy has own fields only, and inherits nothing', () => {
  const merged = Object.assign({}, JSON.parse('{"name":"tea","__proto__":{"baseUrl":"http://thief","constructor":{}}}'))
  const copy = ownFields(merged)
  expect(copy.name).toBe('tea')
  expect(copy.baseUrl).toBeUndefined()
  expect(copy.toString).toBeUndefined()
})
