import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const BUILT = join(dirname(fileURLToPath(import.meta.resolve('@svc/local/package.json'))), 'dist/page')

it('the page of the local service is small, and lists the licences of its dependencies', () => {
  const files = readdirSync(join(BUILT, 'assets')).map((name) => readFileSync(join(BUILT, 'assets', name)))
  expect(files.length).toBeGreaterThan(1)
  expect(files.reduce((sum, file) => sum + gzipSync(file).length, 0)).toBeLessThan(90_000)
  const licences = readFileSync(join(BUILT, 'licenses.md'), 'utf8')
  for (const name of ['preact', '@tanstack/virtual-core', 'marked', 'dompurify']) expect(licences).toContain(name)
})
