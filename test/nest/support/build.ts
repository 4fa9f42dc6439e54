import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const [app, adapter] = [at('test/nest/app'), at('packages/nestjs')]

export type NestMajor = 11 | 12

/**
 * Compiles the application against one major of Nest, and returns the folder with the result.
 *
 * `@svc/nestjs` lies in it as npm would have laid it out: as a copy below the application, so that both find the same
 * `@nestjs/*`. A link to the workspace would not do: Node follows it, and the package would take the Nest that it has
 * for its own tests, another copy with other tokens and another module container.
 */
export function buildApp(nest: NestMajor): string {
  const home = at(`test/nest/nest-${nest}/dist`)
  const built = join(home, fingerprint(nest))
  if (existsSync(built)) return built
  // Built apart and moved when it is whole: two files of tests may want the same one at once.
  const apart = join(home, `building-${process.pid}`)
  rmSync(apart, { recursive: true, force: true })
  mkdirSync(apart, { recursive: true })
  cpSync(app, join(apart, 'src'), { recursive: true })
  for (const part of ['package.json', 'dist']) {
    cpSync(join(adapter, part), join(apart, 'node_modules/@svc/nestjs', part), { recursive: true })
  }
  writeFileSync(join(apart, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(apart, 'tsconfig.json'), JSON.stringify(project))
  compile(apart)
  removeOld(home)
  try {
    renameSync(apart, built)
  } catch {
    rmSync(apart, { recursive: true, force: true })
  }
  return built
}

/** What earlier runs left. Nothing runs from it any more. */
function removeOld(home: string): void {
  const HOUR = 3_600_000
  for (const name of readdirSync(home)) {
    const folder = join(home, name)
    const modified = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - modified > HOUR) rmSync(folder, { recursive: true, force: true })
  }
}

const project = {
  extends: at('tsconfig.base.json'),
  compilerOptions: {
    rootDir: 'src',
    outDir: 'app',
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    verbatimModuleSyntax: false,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    typeRoots: [at('node_modules/@types')],
  },
  include: ['src'],
}

function compile(folder: string): void {
  try {
    execFileSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', folder])
  } catch (error) {
    throw new Error(`test/nest/app does not compile:\n${(error as { stdout: Buffer }).stdout}`)
  }
}

/** Of all that goes in: what was built from the same is the same. */
function fingerprint(nest: NestMajor): string {
  const hash = createHash('sha256')
  for (const manifest of [`test/nest/nest-${nest}`, 'packages/nestjs']) {
    hash.update(readFileSync(at(`${manifest}/package.json`)))
  }
  for (const folder of [app, join(adapter, 'dist')]) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => name.endsWith('.ts') || name.endsWith('.js')).sort()) {
      hash.update(file).update(readFileSync(join(folder, file)))
    }
  }
  return hash.digest('hex').slice(0, 12)
}
