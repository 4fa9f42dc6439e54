// The program of the thread that sends the last requests of a process, as a text: a file would be lost by bundlers,
// archives (Yarn's, Electron's) and single executables. `pnpm exit-thread` writes it, after a change of
// packages/core/src/exit-thread.ts or of what it imports; test/house/exit-thread.test.ts compares.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const core = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages/core/src')
const FILE = join(core, 'exit-thread-code.ts')

/** Returns the text of exit-thread-code.ts as it should be. */
export async function exitThreadCode() {
  const bundle = await rolldown({
    input: join(core, 'exit-thread.ts'),
    platform: 'node',
    resolve: { conditionNames: ['@svc/source', 'node'] },
  })
  const { output } = await bundle.generate({ format: 'cjs', minify: true })
  const program = JSON.stringify(output[0].code.trim().replaceAll('/* @__PURE__ */ ', ''))
  return `/** Made of exit-thread.ts by \`pnpm exit-thread\`. */\nexport const EXIT_THREAD_CODE =\n  ${program}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, await exitThreadCode())
