import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { installPacked, NPM_TIMEOUT, run } from './pack.ts'

/** Has the compiler of this repository, and a peer dependency of ours that is a hundred megabytes. */
const INSTALLED = fileURLToPath(new URL('../../node_modules/', import.meta.url))

const COMPILE = fileURLToPath(new URL('compile.mjs', import.meta.url))

/** The oldest compiler that reads our declarations, the last one that is a library, and the newest. */
const COMPILERS = { 5.5: 'typescript-5.5', 5.9: 'typescript-5.9', 7: 'typescript' }
type Compiler = keyof typeof COMPILERS

/** Where the name of a file says whether it is CommonJS, one program has both. */
const APPS = { one: ['app.ts'], both: ['app.mts', 'app.cts'] }

/**
 * How users resolve modules, and the compilers that can: `node18` came with 5.8, `node20` with 5.9, and 7 has no `node10`,
 * but CommonJS beside `bundler` in its place.
 */
const RESOLUTIONS: readonly [resolution: string, module: string, apps: keyof typeof APPS, compilers: Compiler[]][] = [
  ['node10', 'commonjs', 'one', [5.5, 5.9]],
  ['node10', 'esnext', 'one', [5.5, 5.9]],
  ['node16', 'node16', 'both', [5.5, 5.9, 7]],
  ['node16', 'node18', 'both', [5.9, 7]],
  ['node16', 'node20', 'both', [5.9, 7]],
  ['nodenext', 'nodenext', 'both', [5.5, 5.9, 7]],
  ['bundler', 'esnext', 'one', [5.5, 5.9, 7]],
  ['bundler', 'preserve', 'both', [5.5, 5.9, 7]],
  ['bundler', 'commonjs', 'one', [7]],
]

/** An entry that runs inside of another program only, with the names that it exports. */
const ONLY_INSIDE: Readonly<Record<string, readonly string[]>> = { '@svc/client/vitest': ['replay', 'svcExperiment'] }

interface Entry {
  /** The values that it has at run time. */
  readonly names: readonly string[]
  /** The file that `import` loads, and the one that `require` does. */
  readonly files: readonly string[]
}

let home: string
let entries: readonly (readonly [specifier: string, Entry])[]

beforeAll(async () => {
  home = await installPacked({
    dependencies: {
      // Nest 12 has ES modules alone, which nobody can require with node16 and node18.
      '@nestjs/common': '^11.0.0',
      '@nestjs/core': '^11.0.0',
      '@opentelemetry/api': '1.9.0',
      '@types/node': '22.19.1',
      sdk: 'npm:@opentelemetry/sdk-trace-base@^2.12.0',
      'typescript-5.5': 'npm:typescript@~5.5.0',
      'typescript-5.9': 'npm:typescript@~5.9.0',
    },
  })
  for (const name of ['vitest', 'typescript']) {
    await symlink(join(INSTALLED, name), join(home, 'node_modules', name), 'junction')
  }
  entries = await loaded(await published())
  for (const name of ['app.ts', 'app.mts', 'app.cts']) await writeFile(join(home, name), application(name))
}, NPM_TIMEOUT)

/** Each way into each package. */
async function published(): Promise<string[]> {
  const names = await readdir(join(home, 'node_modules/@svc'))
  const specifiers = names.map(async (name) => {
    const manifest = JSON.parse(await readFile(join(home, 'node_modules/@svc', name, 'package.json'), 'utf8'))
    const paths = Object.keys(manifest.exports).filter((path) => path !== './package.json')
    return paths.map((path) => `@svc/${name}${path.slice(1)}`)
  })
  return (await Promise.all(specifiers)).flat()
}

/** Loads entries in one process, as ES modules and as CommonJS. */
async function loaded(specifiers: readonly string[]): Promise<[string, Entry][]> {
  const code = `
    import { createRequire } from 'node:module'
    import { fileURLToPath } from 'node:url'
    const require = createRequire(process.cwd() + '/app.js')
    const entries = []
    for (const each of ${JSON.stringify(specifiers)}) {
      const files = [fileURLToPath(import.meta.resolve(each)), require.resolve(each)]
      const known = ${JSON.stringify(ONLY_INSIDE)}[each]
      const [imported, required] = known ? [{}, {}] : [await import(each), require(each)]
      const names = known ?? Object.keys(imported).filter((name) => !/^(?:default|module\\.exports)$/.test(name))
      for (const name of names) if (imported[name] !== required[name]) throw new Error(each + ' has two of ' + name)
      entries.push([each, { names, files }])
    }
    console.log(JSON.stringify(entries))
    process.exit()`
  const env = { SVC_TRACING_ENABLED: 'false' }
  const { code: exit, stdout, stderr } = await runNode(['--input-type=module', '-e', code], { cwd: home, env })
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** A program that imports every entry, and expects just the values that are there at run time. */
function application(name: string): string {
  const requires = name.endsWith('.cts')
  const imports = entries.map(([specifier, { names }], at) => {
    const statement = requires ? `import e${at} = require('${specifier}')` : `import * as e${at} from '${specifier}'`
    const values = names.map((each) => `${each}: 1`).join(', ')
    const type = `Record<Exclude<keyof typeof e${at}, 'default' | 'module.exports'>, 1>`
    return `${statement}\nexport const n${at}: ${type} = { ${values} }`
  })
  const otel = entries.findIndex(([specifier]) => specifier === '@svc/otel')
  return [
    ...imports,
    "import type { SpanProcessor } from 'sdk'",
    `export const processor: SpanProcessor = new e${otel}.SvcSpanProcessor()`,
  ].join('\n')
}

const STRICTEST = '--strict --exactOptionalPropertyTypes'
const cells = RESOLUTIONS.flatMap(([resolution, module, apps, compilers]) =>
  compilers.map((compiler) => ({ compiler, resolution, module, apps, flags: STRICTEST })),
)
// What the strictest flags allow, others may refuse: one compiler has them all.
for (const flags of ['--strict', '--strict false']) {
  cells.push({ compiler: 7, resolution: 'nodenext', module: 'nodenext', apps: 'both', flags })
}

const argsOf = ({ resolution, module, apps, flags }: (typeof cells)[number]): string[] => [
  ...'--noEmit --skipLibCheck false --target es2022 --lib es2023,dom --types node'.split(' '),
  ...`${flags} --module ${module} --moduleResolution ${resolution}`.split(' '),
  ...APPS[apps],
]

/** What a compiler that is a library says of each of its cells: one process has them all. */
const diagnostics = new Map<Compiler, Promise<string[][]>>()
async function diagnosticsOf(compiler: Compiler): Promise<string[][]> {
  const all = JSON.stringify(cells.filter((cell) => cell.compiler === compiler).map(argsOf))
  const { stdout } = await run(process.execPath, [COMPILE, COMPILERS[compiler], all], { cwd: home, maxBuffer: 1e9 })
  return JSON.parse(stdout)
}

/** What TypeScript 7, which is a program, says of ours in a cell. Of the declarations of others it cannot say nothing. */
async function printed(cell: (typeof cells)[number]): Promise<string[]> {
  const args = [join(home, 'node_modules/typescript/bin/tsc'), ...argsOf(cell)]
  const { stdout } = await run(process.execPath, args, { cwd: home, maxBuffer: 1e9 }).catch((error) => error)
  const ours = (line: string) => /\berror TS/.test(line) && !/^(?:\.\.\/)*(?:.*\/)?node_modules\/(?!@svc\/)/.test(line)
  return String(stdout).split('\n').filter(ours)
}

it.each(cells)(
  'TypeScript $compiler compiles every entry with --module $module --moduleResolution $resolution $flags',
  async (cell) => {
    const { compiler } = cell
    if (compiler === 7) return expect(await printed(cell)).toEqual([])
    diagnostics.set(compiler, diagnostics.get(compiler) ?? diagnosticsOf(compiler))
    const at = cells.filter((each) => each.compiler === compiler).indexOf(cell)
    expect((await diagnostics.get(compiler))?.[at]).toEqual([])
  },
  NPM_TIMEOUT,
)

it('an entry is the same file for the compiler and for Node, as ES module and as CommonJS', () => {
  const ts = createRequire(join(home, 'app.js'))('typescript-5.9')
  const stem = (file: string) =>
    /@svc\/(.*?)(?:\.d)?\.[cm]?[jt]s$/.exec(file)?.[1]?.replace(/\/(?:dist|cjs|types)\//, '/')
  for (const [specifier, { files }] of entries) {
    const found = ['Node10', 'Node16', 'NodeNext', 'Bundler'].flatMap((resolution) => {
      // Bundlers have no condition of Node by themselves.
      const customConditions = resolution === 'Bundler' ? ['node'] : []
      const kind = ts.ModuleResolutionKind[resolution]
      const options = { moduleResolution: kind, module: ts.ModuleKind.ESNext, customConditions }
      const host = [join(home, 'app.ts'), options, ts.sys, undefined, undefined]
      return [ts.ModuleKind.ESNext, ts.ModuleKind.CommonJS].map(
        (mode) => ts.resolveModuleName(specifier, ...host, mode).resolvedModule?.resolvedFileName ?? resolution,
      )
    })
    expect(new Set([...files, ...found].map(stem)), specifier).toHaveProperty('size', 1)
  }
})

it('no package is without an entry', () => {
  const names = new Set(entries.map(([specifier]) => specifier.split('/')[1]))
  expect(names.size).toBe(12)
  expect(entries.length).toBeGreaterThan(100)
})
