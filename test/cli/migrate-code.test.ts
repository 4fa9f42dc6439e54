import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runNode } from '../support/run.ts'
import { runSvc } from './support/svc.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))

const CLIENT = "import { SvcClient } from '@svc/client'\nexport const svc = new SvcClient()\n"
const APP = {
  'package.json': '{\n  "dependencies": { "@svc/client": "^5.2.0" }\n}\n',
  'src/svc.ts': CLIENT,
  'src/app.ts': "import { svc } from './svc.js'\n\nawait svc.getPrompt( 'a' ) // as it is\nawait svc.fetchTraces()\n",
}

type Contents = Readonly<Record<string, string | Buffer>>

function makeApp(contents: Contents, { git = true } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  if (git) {
    execFileSync('git', ['init', '-q'], { cwd: folder })
    commit(folder)
  }
  return folder
}

function commit(folder: string): void {
  execFileSync('git', ['add', '-A'], { cwd: folder })
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'all'], { cwd: folder })
}

const migrate = (folder: string, ...flags: string[]) => runSvc(['migrate', 'code', ...flags], { cwd: folder })
const textIn = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

describe('svc migrate code', () => {
  it('rewrites an app, lists remaining places after the rewrite, and changes nothing the second time', async () => {
    const folder = makeApp(APP)
    const first = await migrate(folder, '--yes')
    const page = readFileSync(new URL('../../docs/migrating-from-v5.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('## Traces, observations, sessions\n\n')
    const passage = section.split('\n\n## ')[0]?.replace(/```ts v5\n.*?```\n\n/s, '')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toBe(`To do by hand:
  src/app.ts:4:11
    fetchTraces is gone. Read api.observations.getMany({ isRootObservation: true, fields }), page by page.

Works, but behaves differently:
  src/svc.ts:1:1
    Trace-level evaluators of the service have to be changed to observations.
  package.json:2:21
    The service has to be the hosted one, or self-hosted from 4.59.0; older ones stay with version 5.

How it is done now:

Traces, observations, sessions

${passage}

2 files changed (3 files read), 1 place is left to do by hand.
Install the new versions: npm install
`)
    expect(textIn(folder, 'src/app.ts')).toBe(
      "import { svc } from './svc.js'\n\nawait svc.prompt.get( 'a' ) // as it is\nawait svc.fetchTraces()\n",
    )
    expect(textIn(folder, 'package.json')).toBe('{\n  "dependencies": { "@svc/client": "^6.0.0" }\n}\n')
    commit(folder)
    const second = await migrate(folder, '--yes')
    expect(second.stdout).toContain('Nothing to change (3 files read), 1 place is left to do by hand.')
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toBe('')
  })

  it('--check writes nothing and exits with 1 while something is left', async () => {
    const folder = makeApp(APP)
    expect(await migrate(folder, '--check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('2 files would change'),
    })
    expect(textIn(folder, 'src/app.ts')).toBe(APP['src/app.ts'])
    await migrate(folder, '--yes')
    expect((await migrate(folder, '--check')).code).toBe(1)
    writeFileSync(join(folder, 'src/app.ts'), "import { svc } from './svc.js'\nawait svc.prompt.get('a')\n")
    expect(await migrate(folder, '--check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to change'),
    })
  })

  it('--dry-run prints a diff that git applies', async () => {
    const folder = makeApp(APP)
    const { code, stdout, stderr } = await migrate(folder, '--dry-run')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('2 files would change') })
    execFileSync('git', ['apply'], { cwd: folder, input: stdout })
    expect(textIn(folder, 'src/app.ts')).toContain("svc.prompt.get( 'a' ) // as it is")
  })

  it('accepts a folder', async () => {
    const folder = makeApp(APP)
    await runNode([SVC, 'migrate', 'code', folder, '--yes'])
    expect(textIn(folder, 'src/app.ts')).toContain('svc.prompt.get')
  })

  it.each([
    [
      { git: false },
      ['--yes'],
      '. is not in a git repository, so the changes could not be undone: add --force to write nevertheless.',
    ],
    [{}, [], 'this is not a terminal, so you cannot be asked: add --yes, or --check or --dry-run to write nothing.'],
    [{}, ['--yes', 'absent'], 'absent is not a folder: expected the folder of an app.'],
  ])('refuses %j with one line: %j', async (options, flags, line) => {
    const folder = makeApp(APP, options)
    const { code, stdout, stderr } = await migrate(folder, ...flags)
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `svc migrate code: ${line}\n` })
    expect(textIn(folder, 'src/app.ts')).toBe(APP['src/app.ts'])
  })

  it('refuses uncommitted changes without --force', async () => {
    const folder = makeApp(APP)
    writeFileSync(join(folder, 'new.txt'), '')
    const { code, stderr } = await migrate(folder, '--yes')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'svc migrate code: . has 1 file that is not committed: commit it first, or add --force.\n',
    })
    expect(await migrate(folder, '--yes', '--force')).toMatchObject({ code: 0 })
  })

  it('skips files that do not parse, are not UTF-8, are links or dependencies, or are ignored by git', async () => {
    const contents = {
      ...APP,
      '.gitignore': 'generated/\n*.gen.ts\n!keep.gen.ts\n',
      'src/broken.ts': "import { svc } from './svc.js'\nconst = svc.getPrompt('a')\n",
      'src/latin.ts': Buffer.from(`${CLIENT}// caf\xe9\nsvc.getPrompt('a')\n`, 'latin1'),
      'node_modules/other/index.js': `${CLIENT}svc.getPrompt('a')\n`,
      'dist/app.js': `${CLIENT}svc.getPrompt('a')\n`,
      'generated/a.ts': `${CLIENT}svc.getPrompt('a')\n`,
      'src/a.gen.ts': `${CLIENT}svc.getPrompt('a')\n`,
      'page.vue': "<script>import { SvcClient } from '@svc/client'</script>\n",
    }
    const folder = makeApp({ ...contents, 'src/keep.gen.ts': `${CLIENT}svc.getPrompt('a')\n` })
    symlinkSync('svc.ts', join(folder, 'src/link.ts'))
    const { code, stdout } = await migrate(folder, '--yes', '--force')
    expect(code).toBe(0)
    expect(stdout).toContain('  src/broken.ts:2:7\n    cannot be parsed and is not changed: Unexpected token\n')
    expect(stdout).toContain('  src/latin.ts\n    is not UTF-8: check it by hand\n')
    expect(stdout).toContain('  page.vue\n    is in a language that is not supported: check it by hand\n')
    const touched = Object.entries(contents).filter(([path]) => !/^(package.json|src.app.ts)$/.test(path))
    for (const [path, content] of touched)
      expect([path, readFileSync(join(folder, path))]).toEqual([path, Buffer.from(content)])
    expect(lstatSync(join(folder, 'src/link.ts')).isSymbolicLink()).toBe(true)
    expect(textIn(folder, 'src/keep.gen.ts')).toContain('svc.prompt.get')
  })

  it('keeps a byte order mark, line ends, and the mode of a file, and leaves nothing beside it', async () => {
    const folder = makeApp({
      ...APP,
      'run.js': `\ufeff#!/usr/bin/env node\r\n${CLIENT.replaceAll('\n', '\r\n')}svc.getPrompt('a')\r\n`,
    })
    chmodSync(join(folder, 'run.js'), 0o755)
    await migrate(folder, '--yes', '--force')
    expect(textIn(folder, 'run.js')).toBe(
      `\ufeff#!/usr/bin/env node\r\n${CLIENT.replaceAll('\n', '\r\n')}svc.prompt.get('a')\r\n`,
    )
    expect(statSync(join(folder, 'run.js')).mode & 0o777).toBe(0o755)
    expect(readdirSync(folder).sort()).toEqual(['.git', 'package.json', 'run.js', 'src'])
  })

  it('writes nothing if one file cannot be written', async () => {
    const folder = makeApp({ ...APP, 'z/app.ts': `${CLIENT}svc.getPrompt('a')\n`, 'z/.app.ts.svc-migrate': '' })
    const { code, stderr } = await migrate(folder, '--yes')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^svc migrate code: EEXIST: .*: nothing was changed\.\n$/)
    expect(textIn(folder, 'src/app.ts')).toBe(APP['src/app.ts'])
  })

  it('follows a client through the paths of tsconfig.json and the packages of a workspace', async () => {
    const use = (name: string) => `import { svc } from '${name}'\nawait svc.getPrompt('a')\n`
    const folder = makeApp({
      ...APP,
      'tsconfig.json': '{ "extends": "./base.json", /* ours */ "include": ["src"], }',
      'base.json': '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }',
      'src/aliased.ts': use('~/svc'),
      'packages/llm/package.json': '{ "name": "@acme/llm" }',
      'packages/llm/src/index.ts': CLIENT,
      'src/shared.ts': use('@acme/llm'),
      'src/other.ts': use('@other/llm'),
    })
    await migrate(folder, '--yes')
    const changed = ['src/aliased.ts', 'src/shared.ts', 'src/other.ts'].map((path) =>
      /prompt\.get/.test(textIn(folder, path)),
    )
    expect(changed).toEqual([true, true, false])
  })

  it('reports that there is nothing to migrate', async () => {
    const folder = makeApp({ 'package.json': '{}', 'a.js': 'client.getPrompt()\n' })
    expect(await migrate(folder, '--check')).toMatchObject({
      code: 0,
      stdout: 'Nothing to change (2 files read), nothing is left to do by hand.\n',
    })
  })
})
