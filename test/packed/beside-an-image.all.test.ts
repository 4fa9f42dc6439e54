import { cp, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installChat } from './installed.ts'
import { NPM_TIMEOUT } from './pack.ts'

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly volumeMounts: readonly { readonly mountPath: string }[]
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('an application without the package is traced as examples/kubernetes says', { timeout: NPM_TIMEOUT }, async () => {
  const installed = await installChat()
  const pod = await mkdtemp(join(tmpdir(), 'pod-'))
  const yaml = await readFile(
    fileURLToPath(new URL('../../examples/kubernetes/deployment.yaml', import.meta.url)),
    'utf8',
  )
  const [container] = parse(yaml).spec.template.spec.containers as [Container]
  const [{ mountPath: volume }] = container.volumeMounts as [{ mountPath: string }]
  const options = container.env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? ''
  expect(options).toContain(`file://${volume}/`)

  // What `npm i @svc/register` brings, and an application with its own libraries.
  const copy = (name: string, to: string) => cp(join(installed, name), join(pod, to, name), { recursive: true })
  await copy('node_modules/@svc/register', volume)
  await mkdir(join(pod, 'app'))
  for (const name of ['chat.mjs', 'chat.cjs', 'node_modules/openai']) await copy(name, 'app')

  const NODE_OPTIONS = options.replace('file://', pathToFileURL(pod).href)
  for (const name of ['chat.mjs', 'chat.cjs']) {
    const { code, stdout, stderr } = await runNode([name], {
      cwd: join(pod, 'app'),
      env: { ...service.env, NODE_OPTIONS },
    })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
  }
  expect(service.local.spans().map(({ name }) => name)).toEqual(Array(2).fill('chat gpt-test'))
})
