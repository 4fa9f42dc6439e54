import { describe, expect, it } from 'vitest'
import { Recent } from './recent.ts'

function filled(count: number): Recent<number> {
  const recent = new Recent<number>(100)
  for (let at = 0; at < count; at++) recent.set(String(at), at)
  return recent
}
const held = (recent: Recent<number>, count: number) =>
  Array.from({ length: count }, (_, at) => recent.get(String(at))).filter((value) => value !== undefined)

describe('a map of the newest entries', () => {
  it.each([1, 100, 101, 199, 200, 201, 1_000])('has the last 100 after %d, and at most 200', (count) => {
    const values = held(filled(count), count)
    expect(values.length).toBeGreaterThanOrEqual(Math.min(count, 100))
    expect(values.length).toBeLessThanOrEqual(200)
    expect(values.at(-1)).toBe(count - 1)
    expect(values).toEqual(Array.from({ length: values.length }, (_, at) => count - values.length + at))
  })

  it('can delete entries of both generations', () => {
    const recent = filled(150)
    recent.delete('10')
    recent.delete('149')
    expect([recent.get('10'), recent.get('149'), recent.get('11'), recent.get('148')]).toEqual([
      undefined,
      undefined,
      11,
      148,
    ])
  })
})
