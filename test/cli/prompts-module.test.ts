import { build } from 'vite'
import { expect, it } from 'vitest'
import { COMPILER, expectApp, TSCONFIG, TYPESCRIPT } from './support/prompt-app.ts'
import { pulledProject } from './support/prompt-folder.ts'

it('the TypeScript module of pulled prompts checks names, variables and placeholders, and runs in Node', async () => {
  const project = await pulledProject({ 'tsconfig.json': TSCONFIG, 'app.ts': TYPESCRIPT })
  expect(Object.keys(project.files()).filter((path) => path.startsWith('svc-'))).toEqual(['svc-prompts.ts'])
  project.write(
    'wrong.ts',
    TYPESCRIPT.replace("'movie-critic'", "'movie-critik'")
      .replace("{ city: 'Oslo' }", '{}')
      .replace('{ history: [] }', '{ histori: [] }'),
  )
  const { stdout } = await project.node([COMPILER, '-p', 'tsconfig.json', '--pretty', 'false'])
  const complaints = stdout.split('\n').filter((line) => /^\S.*error/.test(line))
  expect(complaints).toEqual([
    expect.stringMatching(/^wrong\.ts\(7,.*No overload matches this call/),
    expect.stringMatching(/^wrong\.ts\(9,31\)/),
    expect.stringMatching(/^wrong\.ts\(9,68\).*Property '"city"' is missing/),
  ])
  await expectApp(project, 'app.ts')
})

it('a bundle contains the prompts, and needs no file', async () => {
  const project = await pulledProject({ 'tsconfig.json': TSCONFIG, 'app.ts': TYPESCRIPT })
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
