// Looks at a tarball with publint: each message is an error, but for what is meant so. `node scripts/lint-package.mjs FILE`.
import { readFileSync } from 'node:fs'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const MEANT = new Set([
  // The CommonJS face of core requires its own package by name, which Node looks up in the nearest package.json.
  'NESTED_PACKAGE_JSON_FIELD_IGNORED',
  // Some packages have the declarations of such a face alone (docs/decisions/commonjs-face.md). What differs then is what a
  // default import is, and nothing of ours is one.
  'EXPORTS_TYPES_INVALID_FORMAT',
])

const file = readFileSync(process.argv[2])
const tarball = file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
const { messages, pkg } = await publint({ pack: { tarball }, level: 'warning' })
for (const message of messages.filter(({ code }) => !MEANT.has(code))) {
  console.error(formatMessage(message, pkg) ?? message.code)
  process.exitCode = 1
}
