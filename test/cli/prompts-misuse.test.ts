import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeProject, type Project, pulledProject } from './support/prompt-folder.ts'

const KEPT = '---\nname: a\n---\nA\n'

/** Every command that speaks to the service ends with this one line, and the files stay as they are. */
async function expectLine(project: Project, line: unknown, env: Readonly<Record<string, string | undefined>>) {
  const files = project.files()
  for (const args of [['pull'], ['push'], ['check']]) {
    const { code, stdout, stderr } = await project.svc(args, env)
    expect({ args, code, stdout, stderr }).toEqual({ args, code: 1, stdout: '', stderr: line })
  }
  expect(project.files()).toEqual(files)
}

async function serverUrl(status: number, body: string): Promise<string> {
  const server = createServer((_, response) =>
    response.writeHead(status, status === 301 ? { location: 'https://eu.example.com/' } : {}).end(body),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('svc prompts with a failing service reports', () => {
  it('no keys', async () => {
    const project = await makeProject({ 'prompts/a.md': KEPT })
    const line = 'no SVC_PUBLIC_KEY and no SVC_SECRET_KEY: set it in the environment or in .env of this folder\n'
    await expectLine(project, line, { SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: '' })
    project.write('.env', `SVC_PUBLIC_KEY=${project.local.publicKey}\nSVC_SECRET_KEY=${project.local.secretKey}\n`)
    expect((await project.svc(['push'], { SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: '' })).code).toBe(0)
  })

  it('wrong keys of another project or region', async () => {
    const project = await makeProject({ 'prompts/a.md': KEPT })
    const env = { SVC_PUBLIC_KEY: 'pk-svc-1234567', SVC_SECRET_KEY: 'sk-svc-of-another' }
    const line =
      /^127\.0\.0\.1:\d+ refuses the keys \(public key …4567\): check SVC_PUBLIC_KEY, SVC_SECRET_KEY, and SVC_BASE_URL: keys belong to one project of one region\n$/
    await expectLine(project, expect.stringMatching(line), env)
  })

  it('a base URL where nothing listens', async () => {
    const project = await makeProject({ 'prompts/a.md': KEPT })
    const line =
      /^GET \/api\/public\/v2\/prompts did not reach 127\.0\.0\.1:1: .*: check SVC_BASE_URL and the network\n$/
    await expectLine(project, expect.stringMatching(line), { SVC_BASE_URL: 'http://127.0.0.1:1' })
  })

  it('an invalid base URL', async () => {
    const project = await makeProject({ 'prompts/a.md': KEPT })
    await expectLine(project, expect.stringMatching(/^SVC_BASE_URL="localhost" .*expected.*\n$/), {
      SVC_BASE_URL: 'localhost',
    })
  })

  it.each([
    [
      'a service that is too old',
      404,
      '{"message":"Not Found"}',
      /has no prompts API: check SVC_BASE_URL; a self-hosted service may be too old \(.*404.*\)\n$/,
    ],
    ['a service that refuses the method', 405, '', /has no prompts API: .*405.*\n$/],
    ['a page of something else', 200, '<html>login</html>', /has no prompts API: .*but not with JSON.*\n$/],
    [
      'a redirect',
      301,
      '',
      /is redirected to https:\/\/eu\.example\.com\/, which is not followed: set SVC_BASE_URL to the final address\.\n$/,
    ],
    ['keys that may not', 403, '{"message":"no"}', /does not allow these keys to access prompts: .*403.*\n$/],
  ])('%s', async (_, status, body, line) => {
    const project = await makeProject({ 'prompts/a.md': KEPT })
    await expectLine(project, expect.stringMatching(line), { SVC_BASE_URL: await serverUrl(status, body) })
  })
})

describe('svc prompts with an address in .env', () => {
  it('sends the keys of the environment there only with --yes', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const thief = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const project = await makeProject({ 'prompts/a.md': KEPT, '.env': `SVC_BASE_URL=${thief}\n` })
    const env = { ...project.local.env, SVC_BASE_URL: '' }
    const line = `SVC_BASE_URL=${thief} (.env) would get SVC_PUBLIC_KEY, SVC_SECRET_KEY (environment), so nothing was sent`
    for (const command of ['pull', 'push', 'check']) {
      const { code, stderr } = await project.svc([command], env)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(line) })
    }
    expect(asked).toEqual([])
    await project.svc(['pull', '--yes'], env)
    expect(asked).toEqual(['GET /api/public/v2/prompts?limit=100'])
  })
})

describe('svc prompts with unknown names reports', () => {
  it.each([
    [['pull', 'guide'], 'there is no prompt "guide" in this project: it has support/guide, movie-critic'],
    [
      ['pull', '--label', 'beta', 'movie-critic'],
      'prompt "movie-critic" has no version with the label beta: it has production, latest (--label)',
    ],
    [['pull', '--label', 'beta'], 'has no version with the label beta: it has production, latest (--label)'],
    [['push', 'guide'], 'no file in prompts has the name "guide"'],
    [
      ['push', '--dir', 'prompt'],
      'the folder prompt does not exist: svc prompts pull creates it, --dir sets another one',
    ],
    [
      ['check', '--dir', 'prompt'],
      'the folder prompt does not exist: svc prompts pull creates it, --dir sets another one',
    ],
  ])('%j', async (args, line) => {
    const project = await pulledProject()
    const files = project.files()
    const { code, stdout, stderr } = await project.svc(args)
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`${line}\n`) })
    expect(project.files()).toEqual(files)
  })

  it('a label without prompts, and a project without prompts', async () => {
    const project = await makeProject()
    const lines = ['this project has no prompts: svc prompts push creates them from files']
    expect(await project.lines(['pull'])).toEqual({ code: 1, lines })
    await project.prompt.create({ name: 'a', prompt: 'A', labels: ['production'] })
    expect(await project.lines(['pull', '--label', 'beta'])).toEqual({
      code: 1,
      lines: ['no prompt of this project has the label beta: it has production, latest (--label)'],
    })
    expect(project.files()).toEqual({})
  })

  it.each([[['pull', '--labels', 'x']], [['types', 'a']], [['pusch']]])('%j with exit code 2', async (args) => {
    const project = await makeProject()
    expect((await project.svc(args)).code).toBe(2)
  })
})

describe('svc prompts with invalid files reports', () => {
  const COMMANDS = [['pull', '--force'], ['push'], ['check', '--offline']]

  it.each([
    [
      'a field that is not known',
      { 'prompts/b.md': '---\nname: b\nlables: [x]\n---\n' },
      'prompts/b.md:3:1: unknown field lables: expected name, type, labels, config, prompt',
    ],
    ['what is no YAML', { 'prompts/b.yaml': 'name: b\nmessages: [\n' }, /^prompts\/b\.yaml:3:1: /],
    [
      'two files of one name',
      { 'prompts/b.md': '---\nname: movie-critic\n---\n' },
      'prompts/b.md and prompts/movie-critic.md both have the name "movie-critic": rename one of them',
    ],
    [
      'a lock file with a merge in it',
      { 'prompts/prompts.lock.json': '{\n<<<<<<< HEAD\n  "lockVersion": 1\n}\n' },
      /^prompts\/prompts\.lock\.json:\d+:\d+: .*: restore it from version control, or delete it and pull again with --force$/,
    ],
    [
      'a lock file of a later svc',
      { 'prompts/prompts.lock.json': '{"lockVersion":2}' },
      'prompts/prompts.lock.json has lockVersion 2, expected 1: update @svc/cli',
    ],
    [
      'a lock file with an entry that is none',
      { 'prompts/prompts.lock.json': '{"lockVersion":1,"prompts":{"a":{}}}' },
      /^prompts\/prompts\.lock\.json: the entry "a" is invalid/,
    ],
  ])('%s', async (_, files, line) => {
    const project = await pulledProject()
    for (const [path, text] of Object.entries(files)) project.write(path, text)
    const before = project.files()
    const expected = typeof line === 'string' ? line : expect.stringMatching(line)
    for (const args of COMMANDS) {
      const { code, lines } = await project.lines(args)
      expect({ args, code, lines }).toEqual({ args, code: 1, lines: [expected] })
    }
    expect(project.files()).toEqual(before)
  })

  it('and pull --force repairs a known file', async () => {
    const project = await pulledProject()
    const before = project.files()
    project.write('prompts/movie-critic.md', 'no front matter\n')
    expect((await project.lines(['pull'])).code).toBe(1)
    expect((await project.lines(['pull', '--force'])).code).toBe(0)
    expect(project.files()).toEqual(before)
  })

  it('a folder in place of a file', async () => {
    const project = await makeProject({ 'prompts/a.md/kept.txt': 'kept' })
    await project.prompt.create({ name: 'a', prompt: 'A', labels: ['production'] })
    const { code, lines } = await project.lines(['pull'])
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/^\S+: E[A-Z]+: /)] })
    expect(project.files()).toEqual({ 'a.md/kept.txt': 'kept' })
  })

  it('a file in place of the folder', async () => {
    const project = await makeProject({ prompts: 'a file' })
    const { code, lines } = await project.lines(['pull'])
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/^\S*prompts\S*: ENOTDIR/)] })
  })
})
