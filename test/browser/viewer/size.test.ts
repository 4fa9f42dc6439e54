import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const BUILT = join(dirname(fileURLToPath(import.meta.resolve('@svc/local/package.json'))), 'dist/page')

it('the page of the local service is small, and lists the licences of its dependencies', () => {
  const names = readdirSync(join(BUILT, 'assets'))
  const compressed = (name: string) => gzipSync(readFileSync(join(BUILT, 'assets', name))).length
  const page = readFileSync(join(BUILT, 'index.html'), 'utf8')
  const loaded = names.filter((name) => page.includes(name))
  expect(loaded.length).toBeGreaterThan(1)
  expect(loaded.reduce((sum, name) => sum + compressed(name), 0)).toBeLessThan(90_000)
  // Loaded with the first formula.
  const later = names.filter((name) => !loaded.includes(name))
  expect([later.length, later[0]]).toEqual([1, expect.stringMatching(/^math-/)])
  expect(compressed(String(later[0]))).toBeLessThan(65_000)
  const licences = readFileSync(join(BUILT, 'licenses.md'), 'utf8')
  for (const name of ['preact', '@tanstack/virtual-core', 'marked', 'dompurify', 'temml'])
    expect(licences).toContain(name)
})
