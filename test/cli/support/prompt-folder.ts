import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SvcClient } from '@svc/client'
import { type LocalService, startLocal } from '@svc/local'
import { onTestFinished } from 'vitest'
import { runNode } from '../../support/run.ts'
import { runSvc } from './svc.ts'

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** A service of its own, and a project in a folder of its own, until the test ends. */
export async function makeProject(files: Readonly<Record<string, string>> = {}) {
  const local: LocalService = await startLocal()
  const cwd = mkdtempSync(join(tmpdir(), 'svc-prompts-'))
  onTestFinished(async () => {
    await local.close()
    rmSync(cwd, { recursive: true, force: true })
  })
  symlinkSync(PACKAGES, join(cwd, 'node_modules'), 'junction')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) write(path, text)
  const svc = (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
    runSvc(['prompts', ...args], { cwd, env: { ...local.env, ...env } })
  const { publicKey, secretKey, url: baseUrl } = local
  const client = new SvcClient({ publicKey, secretKey, baseUrl, timeout: 60 })
  return {
    local,
    cwd,
    prompt: client.prompt,
    write,
    read,
    edit: (path: string, change: (text: string) => string) => write(path, change(read(path))),
    remove: (path: string) => rmSync(join(cwd, path)),
    lock: () => JSON.parse(read('prompts/prompts.lock.json')).prompts,
    /** Every file below `prompts`, with its text. */
    files: () => {
      const root = join(cwd, 'prompts')
      const paths = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : []
      const found = paths.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
      return Object.fromEntries(found.sort().map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]))
    },
    /** Runs `svc prompts …args`. */
    svc,
    /** The same, with what it says on either stream, in lines. */
    lines: async (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) => {
      const { code, stdout, stderr } = await svc(args, env)
      return { code, lines: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') }
    },
    node: (args: readonly string[], env: Readonly<Record<string, string | undefined>> = local.env) =>
      runNode(args, { cwd, env }),
  }
}

export type Project = Awaited<ReturnType<typeof makeProject>>

/** A project with two prompts of its service pulled: a text and a chat. */
export async function pulledProject(files?: Readonly<Record<string, string>>): Promise<Project> {
  const project = await makeProject(files)
  await project.prompt.create({
    name: 'movie-critic',
    prompt: 'Judge {{movie}}.',
    labels: ['production'],
    config: { m: 1 },
  })
  await project.prompt.create({
    name: 'support/guide',
    type: 'chat',
    prompt: [
      { role: 'system', content: 'You know {{city}}.' },
      { type: 'placeholder', name: 'history' },
    ],
    labels: ['production'],
  })
  const { code, stderr } = await project.svc(['pull'])
  if (code !== 0) throw new Error(stderr)
  return project
}
