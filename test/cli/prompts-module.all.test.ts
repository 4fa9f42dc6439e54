import { expect, it } from 'vitest'
import { COMPILER, expectApp, JAVASCRIPT, NODE, TSCONFIG } from './support/prompt-app.ts'
import { pulledProject } from './support/prompt-folder.ts'

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

it('the JavaScript module of pulled prompts has the module format of the project, and types', async () => {
  const esm = await pulledProject({ 'app.js': JAVASCRIPT })
  await expectApp(esm, 'app.js')
  const required = JAVASCRIPT.replace(/import (.*) from (.*)/g, 'const $1 = require($2)')
  const cjs = await pulledProject({
    'package.json': '{}',
    'app.js': required.replace('const fileAfterMs', 'void (async () => {\nconst fileAfterMs').concat('})()'),
  })
  await expectApp(cjs, 'app.js')
  const options = ['--module', 'NodeNext', '--strict', '--noEmit', '--types', '', '--lib', 'ES2023,DOM']
  for (const [project, ending] of [
    [esm, 'mts'],
    [cjs, 'cts'],
  ] as const) {
    const wrong = JAVASCRIPT.replace("{ movie: 'Dune' }", '{}')
    project.write(
      `app.${ending}`,
      (ending === 'cts' ? wrong.replace('const critic', 'async function run() {\nconst critic').concat('}\n') : wrong) +
        NODE,
    )
    const { stdout } = await project.node([COMPILER, ...options, `app.${ending}`])
    expect(stdout).toMatch(/^app\.[mc]ts\(\d+,\d+\): error TS2741: Property '"movie"' is missing.*\n$/)
  }
})
