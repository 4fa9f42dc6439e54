import { expect, it } from 'vitest'
import { packageFolder, packageIn, pathInModules } from './package-url.ts'

it.each([
  ['file:///app/node_modules/openai/index.mjs', 'openai/index.mjs'],
  ['file:///app/node_modules/@scope/name/dist/index.js', '@scope/name/dist/index.js'],
  ['file:///app/node_modules/.pnpm/openai@7.0.0/node_modules/openai/index.js', 'openai/index.js'],
  ['file:///app/node_modules/outer/node_modules/openai/index.js', 'openai/index.js'],
  ['file:///C:/app/node_modules/openai/index.js?again=1', 'openai/index.js'],
  ['file:///app/node_modules/openai/index.js#again?1', 'openai/index.js'],
  ['file:///app/src/index.js', undefined],
  ['node:fs', undefined],
  ['data:text/javascript,/node_modules/openai/index.js', undefined],
])('the package of %s is %s', (url, path) => {
  expect(pathInModules(url)).toBe(path)
})

it.each([
  ['openai', 'file:///app/node_modules/openai/index.mjs', 'file:///app/node_modules/openai'],
  ['@scope/name', 'file:///app/node_modules/@scope/name/dist/index.js', 'file:///app/node_modules/@scope/name'],
  ['b', 'file:///node_modules/b/node_modules/b/index.js?1', 'file:///node_modules/b/node_modules/b'],
])('the package %s at %s is in %s', (name, url, folder) => {
  expect(packageFolder({ package: name, url })).toBe(folder)
})

it.each([
  ['openai/index.mjs', 'openai'],
  ['@scope/name/dist/index.js', '@scope/name'],
  ['lonely.js', 'lonely.js'],
  ['@scope', '@scope'],
])('the package of the path %s is %s', (path, name) => {
  expect(packageIn(path)).toBe(name)
})
