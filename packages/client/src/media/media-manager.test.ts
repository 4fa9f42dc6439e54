import { afterEach, expect, it, vi } from 'vitest'
import { MediaManager } from './media-manager.ts'

afterEach(() => vi.unstubAllGlobals())

it('a text of any number of references is read once', async () => {
  vi.stubGlobal('fetch', async () => new Response('a'))
  const media = new MediaManager({ api: { media: { get: async () => ({ url: 'http://storage/' }) } } } as never)
  // Once for each of them, it took a quarter of a minute.
  const text = Array.from(
    { length: 5_000 },
    (_, at) => `@@@svcMedia:type=a/b|id=${'x'.repeat(300)}${at}|source=bytes@@@`,
  )
  const resolved = await media.resolveReferences({
    obj: [`${text.join(' ')} @@@svcMedia:none@@@`],
    resolveWith: 'base64DataUri',
  })
  expect(resolved).toEqual([`${'data:a/b;base64,YQ== '.repeat(5_000)}@@@svcMedia:none@@@`])
})
