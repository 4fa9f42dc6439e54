import { describe, expect, it } from 'vitest'
import { idOf, leftBehind, mapRow } from './row.ts'

describe('a dataset row', () => {
  it.each([
    [{ input: 'i', query: 'q', question: '?' }, 'i', { query: 'q', question: '?' }],
    [{ query: 'q', question: '?' }, 'q', { question: '?' }],
    [{ input: null, question: '?' }, '?', { input: null }],
    [{ input: '' }, '', undefined],
    [{ input: { deep: [1] } }, { deep: [1] }, undefined],
  ])('has its input in the first matching column: %j', (row, input, metadata) => {
    expect(mapRow({ id: 'r', ...row })).toEqual({ input, ...(metadata && { metadata }) })
  })

  it.each([
    [{ expected_output: 'e', output: 'o', answer: 'a' }, 'e', { output: 'o', answer: 'a' }],
    [{ output: 'o', answer: 'a' }, 'o', { answer: 'a' }],
    [{ answer: 0 }, 0, undefined],
  ])('has its expected output in the first matching column: %j', (row, expectedOutput, metadata) => {
    expect(mapRow({ input: 1, ...row })).toEqual({ input: 1, expectedOutput, ...(metadata && { metadata }) })
  })

  it('without an input column is the input as a whole, and its columns are metadata as well', () => {
    const row = { id: 'r', prompt: 'p', answer: 'a', topic: 't' }
    expect(mapRow(row)).toEqual({ input: row, expectedOutput: 'a', metadata: { prompt: 'p', topic: 't' } })
  })

  it('keeps all other columns as metadata, without id, times and annotations', () => {
    const times = { created_at: 1, updated_at: 2, createdAt: 3, updatedAt: 4 }
    const row = { id: 'r', input: 1, ...times, annotations: [{ label: 'good' }], topic: 't', tags: ['a'], none: null }
    expect(mapRow(row)).toEqual({ input: 1, metadata: { topic: 't', tags: ['a'], none: null } })
    expect(leftBehind(row)).toEqual({ times: true, annotations: true })
    expect(leftBehind({ id: 'r', annotations: [], created_at: null })).toEqual({ times: false, annotations: false })
  })

  it('has its own id, or else a stable id derived from its content', () => {
    expect(idOf({ id: 'r' }, 'd')).toEqual({ id: 'r', made: false })
    expect(idOf({ id: 7 }, 'd')).toEqual({ id: '7', made: false })
    const made = idOf({ a: 1, b: 2 }, 'd')
    expect(made).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), made: true })
    expect(idOf({ b: 2, a: 1 }, 'd')).toEqual(made)
    expect(idOf({ a: 1, b: 3 }, 'd')).not.toEqual(made)
    expect(idOf({ a: 1, b: 2 }, 'other')).not.toEqual(made)
    expect(idOf({ id: '', a: 1 }, 'd').made).toBe(true)
  })
})
