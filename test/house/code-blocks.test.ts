import { expect, it } from 'vitest'
import { blocksOf, importedBy, installedBy, isThere, PAGES } from './pages.ts'
import { read } from './repository.ts'

it('a page installs what its code imports', () => {
  expect(PAGES.flatMap(notInstalledBy)).toEqual([])
})

it('a block that is not run says why', () => {
  const marks = PAGES.flatMap((path) => read(path).match(/<!-- not run/g) ?? [])
  expect(PAGES.flatMap(blocksOf).filter(({ notRun }) => notRun)).toHaveLength(marks.length)
})

it('no block for a shell sets NODE_OPTIONS to what one folder has and another lacks', () => {
  const shells = PAGES.flatMap(blocksOf).filter(({ language }) => /^(?:sh|bash|shell)$/.test(language))
  expect(shells.length).toBeGreaterThan(0)
  expect(shells.filter(({ code }) => /NODE_OPTIONS=(?!\S*file:)/.test(code)).map(({ name }) => name)).toEqual([])
})

function notInstalledBy(path: string): string[] {
  const programs = blocksOf(path).filter(({ language }) => /^(?:tsx?|[mc]?js)$/.test(language))
  const imported = [...new Set(programs.flatMap(({ code }) => importedBy(code)))]
  const missing = imported.filter((name) => !isThere(name, path) && !installedBy(path).includes(name))
  return missing.map((name) => `${path}: ${name}`)
}
