import { expect, it } from 'vitest'
import { packageOf, pathInside } from './package-url.ts'

const read = (url: string) => {
  const owner = packageOf(url)
  return owner && `${owner.name} ${pathInside(owner, url)}`
}

it.each([
  ['file:///app/node_modules/openai/index.mjs', 'openai index.mjs'],
  ['file:///app/node_modules/@scope/name/dist/index.js', '@scope/name dist/index.js'],
  ['file:///app/node_modules/.pnpm/openai@7.0.0/node_modules/openai/index.js', 'openai index.js'],
  ['file:///app/node_modules/outer/node_modules/openai/index.js', 'openai index.js'],
  ['file:///C:/app/node_modules/openai/index.js?again=1', 'openai index.js'],
  ['file:///app/src/index.js', undefined],
  ['file:///app/node_modules/openai', undefined],
  ['file:///app/node_modules/@scope/name', undefined],
  ['node:fs', undefined],
  ['data:text/javascript,/node_modules/openai/index.js', undefined],
])('%s belongs to %s', (url, expected) => {
  expect(read(url)).toBe(expected)
})
