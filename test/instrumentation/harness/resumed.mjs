// Runs what pauses for a person, or goes on with it, and prints what another process needs for that.
// node --import @svc/register resumed.mjs <folder> <url of the model> [what was kept]
import { pathToFileURL } from 'node:url'

const [folder, url, kept] = process.argv.slice(2)
const { libraries, run } = await import(pathToFileURL(`${folder}/resumed.mjs`))
const { createRequire } = await import('node:module')
const { resolve } = createRequire(`${folder}/resumed.mjs`)
const exports = await Promise.all(libraries.map((name) => import(pathToFileURL(resolve(name)))))
process.stdout.write((await run(exports, url, kept)) ?? 'done')
