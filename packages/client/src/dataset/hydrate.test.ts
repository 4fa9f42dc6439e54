import { describe, expect, it, vi } from 'vitest'
import type { DatasetItem, DatasetItemMediaReference } from '../api/types/dataset-items.ts'
import { SvcMediaReference } from '../media/svc-media-reference.ts'
import { hydrated } from './hydrate.ts'

const referenceString = '@@@svcMedia:type=image/png|id=m|source=bytes@@@'
const media = {
  mediaId: 'm',
  contentType: 'image/png',
  contentLength: 3,
  url: 'https://media.example.com/m',
  urlExpiry: '2026-01-01T00:00:00.000Z',
}

function item(...mediaReferences: Pick<DatasetItemMediaReference, 'field' | 'jsonPath'>[]): DatasetItem {
  return {
    id: 'i',
    input: { pictures: [referenceString] },
    expectedOutput: referenceString,
    metadata: null,
    mediaReferences: mediaReferences.map((each) => ({ ...each, referenceString, media })),
  } as unknown as DatasetItem
}

describe('media references of a dataset item', () => {
  it('replace their texts', () => {
    const { input, expectedOutput } = hydrated(
      item({ field: 'input', jsonPath: "$['pictures'][0]" }, { field: 'expectedOutput', jsonPath: '$' }),
    )
    const reference = new SvcMediaReference({ ...media, referenceString })
    expect(input).toEqual({ pictures: [reference] })
    expect(expectedOutput).toEqual(reference)
    expect(expectedOutput).toBeInstanceOf(SvcMediaReference)
    expect(JSON.stringify(input)).toBe(JSON.stringify({ pictures: [referenceString] }))
  })

  it.each([
    { field: 'input', jsonPath: '$.pictures' },
    { field: 'input', jsonPath: "$['pictures'][7]" },
    { field: 'metadata', jsonPath: "$['a']" },
    { field: 'output', jsonPath: '$' },
  ])('that lead nowhere stay text, with a warning: %j', (reference) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const before = item(reference as never)
    expect(hydrated(before)).toEqual(before)
    expect(warned.mock.calls[0]?.[0]).toContain('a media reference of dataset item "i" is left as text: ')
    warned.mockRestore()
  })

  it('may be absent', () => {
    const { mediaReferences: _, ...old } = item()
    expect(hydrated(old as DatasetItem)).toEqual(old)
  })
})
