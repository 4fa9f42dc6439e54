import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Observation } from '@svc/local'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Block, blocksOf, importedBy, installedBy, isThere, PAGES } from '../house/pages.ts'
import { read, readJson, root } from '../house/repository.ts'
import { Program } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, NPM_TIMEOUT } from './pack.ts'
import { fillService } from './read-by-pages.ts'
import { startRegistry } from './registry.ts'

// A reader with an empty folder installs what a page says, and runs every block of code and of commands in it.
let service: Service
let env: Readonly<Record<string, string>>
/** Has everything that some page needs: a page gets links to what it names, and resolves nothing else. */
let store: string
let npmrc: string

const isProgram = ({ language }: Block) => /^(?:tsx?|[mc]?js)$/.test(language)
const runs = ({ language, notRun }: Block) => /^(?:sh|ts|[mc]?js)$/.test(language) && notRun === undefined
const pages = PAGES.filter((path) => blocksOf(path).some((block) => runs(block) || isProgram(block)))

beforeAll(async () => {
  service = await startService()
  await fillService(service.local.env)
  const versions = readJson('test/package.json').devDependencies as Readonly<Record<string, string>>
  // Besides, what `nest new` and `create-next-app` bring.
  const foreign = ['@nestjs/platform-express', '@types/react', ...pages.flatMap(packagesOf)].filter(
    (name) => !/^(?:@svc\/.+|vitest)$/.test(name),
  )
  store = await installPacked({
    dependencies: Object.fromEntries(foreign.map((name) => [name, versions[name] ?? '*'])),
  })
  await symlink(join(root, 'node_modules/vitest'), join(store, 'node_modules/vitest'), 'junction')
  // npx keeps packages by name and version; ours change and keep both. What was downloaded for npm stays.
  const cache = await mkdtemp(join(tmpdir(), 'svc-pages-cache-'))
  await symlink(join(homedir(), '.npm/_cacache'), join(cache, '_cacache'), 'junction')
  const { args } = await startRegistry()
  npmrc = [...args.map((arg) => arg.slice('--'.length)), `cache=${cache}`, 'prefer-offline=true', 'yes=true'].join('\n')
  const listening = fileURLToPath(new URL('listening.mjs', import.meta.url))
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  env = { ...service.env, PATH, NODE_OPTIONS: `--import=${pathToFileURL(listening)}`, SVC_TIMEOUT: '60' }
}, NPM_TIMEOUT)
afterAll(() => service?.close())

it.each(pages)(
  'the blocks of %s compile and run where its reader has installed what it says',
  async (path) => {
    const home = await folderFor(path)
    const faults = await compile(home, blocksOf(path).filter(isProgram))
    for (const block of blocksOf(path).filter(runs)) {
      const [command, ...args] = commandFor(path, block)
      const { code, stdout, stderr } = await new Program(command, args, { cwd: home, env }).ended
      // npx and npm tell of their own things.
      const isQuiet = block.language === 'sh' || stderr === ''
      if (code !== 0 || !isQuiet) faults.push(`${block.name} ends with ${code}:\n${stdout}${stderr}`)
    }
    expect(faults).toEqual([])
  },
  NPM_TIMEOUT,
)

it(
  'the trace that docs/next.md draws is the one that its blocks make',
  async () => {
    const path = 'docs/next.md'
    const [instrumentation, route] = blocksOf(path).filter(isProgram) as [Block, Block]
    const [, drawn = ''] = /^```\n(hello .*?)^```$/ms.exec(read(path)) ?? []
    const home = await folderFor(path)
    expect(await compile(home, [instrumentation, route])).toEqual([])
    const ask = `import { register } from './out/${instrumentation.name}.js'
    await register()
    const { POST } = await import('./out/${route.name}.js')
    await (await POST(new Request('http://shop/api/hello', { method: 'POST', body: 'What is tea?' }))).text()`
    await writeFile(join(home, 'ask.js'), ask)
    const { stderr } = await new Program(process.execPath, ['ask.js'], { cwd: home, env }).ended
    expect(stderr).toBe('')
    const isRoot = ({ name, input }: Observation) => name === 'hello' && input === 'What is tea?'
    const names: string[] = []
    let below: Observation | undefined = await service.local.waitFor(() => service.local.observations(isRoot).at(-1))
    while (below) {
      names.push(below.name)
      const { id }: Observation = below
      below = service.local.observations(({ parentId }) => parentId === id)[0]
    }
    // A name ends where the page has a gap, and says more.
    const lines = drawn.trimEnd().split('\n')
    expect(names).toEqual(lines.map((line) => line.replace(/^[ └─]*/, '').split('  ')[0]))
  },
  NPM_TIMEOUT,
)

function packagesOf(path: string): string[] {
  const imported = blocksOf(path)
    .filter(isProgram)
    .flatMap(({ code }) => importedBy(code))
  // The program that the commands of a page start calls a model, and `svc doctor` is for an application with the preload.
  const given = ['openai', 'vitest', ...(/doctor|from-v5|troubleshooting|cli/.test(path) ? ['@svc/register'] : [])]
  return [...new Set([...given, ...imported.filter((name) => isThere(name, path)), ...installedBy(path)])]
}

async function folderFor(path: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'svc-pages-'))
  for (const name of packagesOf(path)) {
    const link = join(home, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(store, 'node_modules', name), link, 'junction')
  }
  if (installedBy(path).includes('@svc/cli')) {
    await symlink(join(store, 'node_modules/.bin'), join(home, 'node_modules/.bin'), 'junction')
  }
  const program = blocksOf('docs/getting-started.md').find(({ language }) => language === 'js')
  await writeFile(join(home, 'app.js'), program?.code ?? '')
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await writeFile(join(home, '.npmrc'), npmrc)
  await writeFile(join(home, 'cat.png'), 'a cat')
  return home
}

const isTest = (code: string) => /'(?:@svc\/client\/)?vitest'/.test(code)
const nameOf = ({ name, code }: Block) => `${name}${isTest(code) ? '.test' : ''}`

function commandFor(path: string, block: Block): [string, ...string[]] {
  if (block.language === 'sh') return ['sh', '-e', '-c', filledIn(block.code).replaceAll(/^npm (?:i|install) .*/gm, '')]
  const file = `out/${nameOf(block)}.js`
  if (isTest(block.code)) return [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', file]
  const isPreloaded = packagesOf(path).includes('@svc/register') && !block.code.includes("/testing'")
  const preload = isPreloaded ? ['--import', '@svc/register'] : []
  return [process.execPath, ...preload, file]
}

/** What stands for the reader's own: keys, addresses, and ports that another program of this machine may have. */
function filledIn(code: string): string {
  const { SVC_PUBLIC_KEY = '', SVC_SECRET_KEY = '', SVC_BASE_URL = '' } = service.env
  return code
    .replaceAll('pk-…', SVC_PUBLIC_KEY)
    .replaceAll('sk-…', SVC_SECRET_KEY)
    .replaceAll(/https:\/\/svc\.example\.com|http:\/\/127\.0\.0\.1:3939/g, SVC_BASE_URL)
    .replaceAll(/\b[34]000\b/g, '0')
    .replaceAll('npx @svc/local', 'npx @svc/local --port 0')
}

/** As a project of today compiles, with the decorators of Nest. */
async function compile(home: string, blocks: readonly Block[]): Promise<string[]> {
  const names = blocks.map((block) => `${nameOf(block)}.${block.language}`)
  if (names.length === 0) return []
  for (const [at, { code }] of blocks.entries()) await writeFile(join(home, names[at] as string), filledIn(code))
  const compilerOptions = {
    outDir: 'out',
    rootDir: '.',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    jsx: 'react-jsx',
    strict: true,
    skipLibCheck: true,
    allowJs: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    typeRoots: [join(root, 'node_modules/@types'), join(store, 'node_modules/@types')],
    types: ['node', 'react'],
  }
  await writeFile(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { code, stdout } = await new Program(process.execPath, [tsc, '-p', home], { cwd: home }).ended
  return code === 0 ? [] : [stdout]
}
