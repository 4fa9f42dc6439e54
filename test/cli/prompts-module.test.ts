import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { type Project, pulledProject } from './support/prompt-folder.ts'

const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    ...{ target: 'ES2022', lib: ['ES2023', 'DOM'], module: 'NodeNext', types: [], strict: true, noEmit: true },
    ...{ exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    ...{ isolatedModules: true, erasableSyntaxOnly: true },
  },
})

const APP = `
import { SvcClient } from '@svc/client'
import { prompts } from './prompts/svc-prompts.ts'

const { prompt } = new SvcClient({ prompts })
const started = performance.now()
const critic = await prompt.get('movie-critic')
const guide = await prompt.get('support/guide')
const ms = performance.now() - started
const texts = [critic.compile({ movie: 'Dune' }), ...guide.compile({ city: 'Oslo' }, { history: [] }).map((m) => m.content)]
console.log(JSON.stringify({ texts, ms, isFallback: [critic, guide].map((each) => each.isFallback) }))
`

/** A port that takes connections and never answers. */
async function hangingUrl(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** What the app does where the service is there, and where it hangs. */
async function expectApp(project: Project, file: string) {
  const texts = ['Judge Dune.', 'You know Oslo.']
  const there = await project.node([file])
  expect(JSON.parse(there.stdout)).toMatchObject({ texts, isFallback: [false, false] })
  const away = await project.node([file], {
    ...project.local.env,
    // Whoever waits for an answer, or for the end of a fetch, takes a minute.
    ...{ SVC_BASE_URL: await hangingUrl(), SVC_TIMEOUT: '60' },
  })
  const { ms, ...rest } = JSON.parse(away.stdout)
  expect({ code: away.code, ...rest }).toEqual({ code: 0, texts, isFallback: [true, true] })
  expect(ms).toBeLessThan(5_000)
  expect(away.milliseconds).toBeLessThan(30_000)
  expect(away.stderr.match(/so its file \(version 1\) is used: no answer within 250 ms/g)).toHaveLength(1)
}

it('the TypeScript module of pulled prompts checks names, variables and placeholders, and runs in Node', async () => {
  const project = await pulledProject({ 'tsconfig.json': TSCONFIG, 'app.ts': APP })
  expect(Object.keys(project.files()).filter((path) => path.startsWith('svc-'))).toEqual(['svc-prompts.ts'])
  project.write(
    'wrong.ts',
    APP.replace("'movie-critic'", "'movie-critik'")
      .replace("{ city: 'Oslo' }", '{}')
      .replace('{ history: [] }', '{ histori: [] }'),
  )
  const { stdout } = await project.node([COMPILER, '-p', 'tsconfig.json', '--pretty', 'false'])
  const complaints = stdout.split('\n').filter((line) => /^\S.*error/.test(line))
  expect(complaints).toEqual([
    expect.stringMatching(/^wrong\.ts\(7,.*No overload matches this call/),
    expect.stringMatching(/^wrong\.ts\(10,31\)/),
    expect.stringMatching(/^wrong\.ts\(10,68\).*Property '"city"' is missing/),
  ])
  await expectApp(project, 'app.ts')
})

it('the TypeScript module of pulled prompts works after formatting and with unusual names', async () => {
  const project = await pulledProject({ 'tsconfig.json': TSCONFIG })
  for (const name of ['__proto__', "it's", 'a"b', '\\', 'x\u2028y', '*/']) {
    const config = { ['__proto__']: 1, text: '"__proto__": 1' }
    await project.prompt.create({ name, prompt: `{{v}} ${name}`, labels: ['production'], config })
  }
  expect((await project.svc(['pull', '--all'])).code).toBe(0)
  project.write(
    'app.ts',
    `import { SvcClient } from '@svc/client'
import { prompts } from './prompts/svc-prompts.ts'
const { prompt } = new SvcClient({ prompts, baseUrl: 'http://127.0.0.1:1' })
for (const name of ['__proto__', "it's", 'a"b', '\\\\', 'x\\u2028y', '*/'] as const) {
  console.log((await prompt.get(name)).compile({ v: 1 }) === \`1 \${name}\`)
}
console.log(JSON.stringify(prompts["it's"].config))
`,
  )
  const { stdout: complaints } = await project.node([COMPILER, '-p', 'tsconfig.json'])
  expect(complaints).toBe('')
  const { stdout } = await project.node(['app.ts'])
  expect(stdout).toBe(`${'true\n'.repeat(6)}{"__proto__":1,"text":"\\"__proto__\\": 1"}\n`)
  project.edit('prompts/svc-prompts.ts', (text) => text.replaceAll('"', "'").replaceAll(/\n +/g, '\n\t'))
  expect((await project.lines(['check', '--offline'])).code).toBe(0)
})

it('a bundle contains the prompts, and needs no file', async () => {
  const project = await pulledProject({ 'tsconfig.json': TSCONFIG, 'app.ts': APP })
  await build({
    configFile: false,
    logLevel: 'silent',
    root: project.cwd,
    ssr: { noExternal: true, external: ['@opentelemetry/api'] },
    build: { ssr: 'app.ts', outDir: 'out' },
  })
  for (const path of Object.keys(project.files())) project.remove(`prompts/${path}`)
  await expectApp(project, 'out/app.js')
})

it('the JavaScript module of pulled prompts has the module format of the project, and types', async () => {
  const esm = await pulledProject({ 'app.js': APP.replace('.ts', '.js') })
  await expectApp(esm, 'app.js')
  const required = APP.replace(/import (.*) from (.*)/g, 'const $1 = require($2)').replace('.ts', '.js')
  const cjs = await pulledProject({
    'package.json': '{}',
    'app.js': required.replace('const started', 'void (async () => {\nconst started').concat('})()'),
  })
  await expectApp(cjs, 'app.js')
  const options = ['--module', 'NodeNext', '--strict', '--noEmit', '--types', '', '--lib', 'ES2023,DOM']
  for (const [project, ending] of [
    [esm, 'mts'],
    [cjs, 'cts'],
  ] as const) {
    const wrong = APP.replace('.ts', '.js').replace("{ movie: 'Dune' }", '{}')
    project.write(
      `app.${ending}`,
      ending === 'cts' ? wrong.replace('const critic', 'async function run() {\nconst critic').concat('}') : wrong,
    )
    const { stdout } = await project.node([COMPILER, ...options, `app.${ending}`])
    expect(stdout).toMatch(/^app\.[mc]ts\(\d+,\d+\): error TS2741: Property '"movie"' is missing.*\n$/)
  }
})
