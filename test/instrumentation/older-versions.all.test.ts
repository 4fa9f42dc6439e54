import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkLibrary } from './harness/library.ts'

// Each library's own file has its newest version.
const folder = fileURLToPath(new URL('.', import.meta.url))
/** No version of it can be required. */
const ONLY_IMPORTED = ['perplexity']

for (const name of readdirSync(folder)) {
  const hasVersions = ['traces.txt', 'package.json'].every((file) => existsSync(join(folder, name, file)))
  const kinds = ONLY_IMPORTED.includes(name) ? (['import'] as const) : undefined
  if (hasVersions) checkLibrary(name, { older: true, ...(kinds ? { kinds } : {}) })
}
