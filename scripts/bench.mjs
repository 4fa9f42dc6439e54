// `npm run bench` runs every bench one after the other, `npm run bench -- start-up` only the one that is named.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, root } from './build.mjs'

const BENCHES = ['start-up', 'span', 'observation', 'instrumentation', 'http-root', 'edge-bundle', 'next', 'nest']

const named = process.argv.slice(2)
const unknown = named.filter((name) => !BENCHES.includes(name))
if (unknown.length > 0) {
  console.error(`bench: ${unknown.join(', ')} is not one of ${BENCHES.join(', ')}.`)
  process.exit(1)
}
build()
for (const name of named.length > 0 ? named : BENCHES) {
  const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.mjs`)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
