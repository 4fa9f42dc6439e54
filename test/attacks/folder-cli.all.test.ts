import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runNode } from '../support/run.ts'

/** A folder that means harm, against the commands of svc that are run in it. */

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))
const KEYS = { SVC_PUBLIC_KEY: 'pk-svc-of-the-shell', SVC_SECRET_KEY: 'sk-svc-of-the-shell' }
const IN_FILE = 'SVC_PUBLIC_KEY=pk-svc-of-the-file\nSVC_SECRET_KEY=sk-svc-of-the-file\n'
const USES_SVC =
  "import { SvcClient } from '@svc/client'\nexport const svc = new SvcClient()\nawait svc.getPrompt('a')\n"

function folderWith(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-hostile-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const svc = (cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runNode([SVC, ...args], { cwd, env })

/** Somebody's address, and what it was sent. */
async function useThief() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.authorization} ${request.headers['x-token'] ?? ''}`)
    response.writeHead(404).end('{}')
  })
  // A proxy that is asked for a tunnel has seen no key, but should not be asked either.
  server.on('connect', (_, socket) => {
    asked.push('CONNECT')
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('an address of the folder', () => {
  const PROMPT = { 'prompts/a.md': '---\nname: a\n---\nA\n' }
  const COMMANDS = [['doctor'], ['doctor', '--json'], ['prompts', 'pull'], ['prompts', 'push'], ['prompts', 'check']]

  it.each<[string, (url: string) => Record<string, string | object>, Record<string, string>]>([
    ['SVC_BASE_URL of .env', (url) => ({ '.env': `SVC_BASE_URL=${url}` }), KEYS],
    ['SVC_BASEURL of .env', (url) => ({ '.env': `export SVC_BASEURL="${url}"` }), KEYS],
    [
      'with a public key of its own',
      (url) => ({ '.env': `SVC_PUBLIC_KEY=pk\nSVC_BASE_URL=${url}` }),
      { SVC_SECRET_KEY: 'sk' },
    ],
    [
      'with both keys, and headers of the shell',
      (url) => ({ '.env': `${IN_FILE}SVC_BASE_URL=${url}` }),
      { SVC_ADDITIONAL_HEADERS: 'x-token=t' },
    ],
    [
      'a proxy of .env',
      (url) => ({ '.env': `http_proxy=${url}` }),
      { ...KEYS, SVC_BASE_URL: 'http://svc.example.com' },
    ],
    [
      'a proxy of .env for https',
      (url) => ({ '.env': `HTTPS_PROXY=${url}` }),
      { ...KEYS, SVC_BASE_URL: 'https://svc.example.com' },
    ],
  ])('%s gets no key of the shell', async (_, files, env) => {
    const { asked, url } = await useThief()
    const folder = folderWith({ 'package.json': {}, ...PROMPT, ...files(url) })
    for (const command of COMMANDS) {
      const { stdout, stderr } = await svc(folder, command, env)
      expect(stdout + stderr).toContain('(.env) would get')
    }
    expect(asked).toEqual([])
  })

  it.each([
    ['an --env-file', { scripts: { start: 'node --env-file=conf/env app.js' } }, 'conf/env'],
    ['a file of Next', { dependencies: { next: '16' } }, '.env.local'],
  ])('of %s gets no key of the shell from the doctor', async (_, manifest, path) => {
    const { asked, url } = await useThief()
    const folder = folderWith({ 'package.json': manifest, [path]: `SVC_BASE_URL=${url}` })
    expect((await svc(folder, ['doctor'], KEYS)).stdout.replace(/\s+/g, ' ')).toContain(`(${path}) would get`)
    expect(asked).toEqual([])
  })

  it.each([
    ['a script', { 'package.json': { scripts: { start: 'SVC_BASE_URL=THIEF node app.js' } } }],
    ['an image', { 'package.json': {}, Dockerfile: 'FROM node\nENV SVC_BASE_URL=THIEF\nCMD ["node", "app.js"]\n' }],
  ])('of %s gets no key of the shell from the doctor', async (_, files) => {
    const { asked, url } = await useThief()
    const folder = folderWith(JSON.parse(JSON.stringify(files).replaceAll('THIEF', url)))
    expect((await svc(folder, ['doctor'], KEYS)).stdout).toMatch(/would\s+get/)
    expect(asked).toEqual([])
  })

  it('gets keys of its own file, and with --yes those of the shell', async () => {
    const { asked, url } = await useThief()
    const own = folderWith({ ...PROMPT, 'package.json': {}, '.env': `${IN_FILE}SVC_BASE_URL=${url}` })
    await svc(own, ['prompts', 'pull'])
    await svc(own, ['doctor'])
    const other = folderWith({ ...PROMPT, 'package.json': {}, '.env': `SVC_BASE_URL=${url}` })
    await svc(other, ['prompts', 'pull', '--yes'], KEYS)
    await svc(other, ['doctor', '--yes'], KEYS)
    expect(asked.length).toBeGreaterThanOrEqual(4)
  })
})

describe('code of the folder', () => {
  const evil = (folder: string) => `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '1')\n`

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['SVC_CONFIG_FILE in .env', { '.env': 'SVC_CONFIG_FILE=./evil.cjs' }, {}],
    ['SVC_CONFIG_FILE in the environment', {}, { SVC_CONFIG_FILE: './evil.cjs' }],
    ['NODE_OPTIONS in .env', { '.env': 'NODE_OPTIONS=--require ./evil.cjs' }, {}],
    ['a start script', { 'package.json': '{"scripts":{"start":"node --require ./evil.cjs app.js"}}' }, {}],
    ['imports of package.json', { 'package.json': '{"imports":{"#a":"./evil.cjs"},"main":"./evil.cjs"}' }, {}],
    ['a PM2 file', { 'ecosystem.config.js': '' }, {}],
  ])('that %s names is not run by the doctor', async (_, files, env) => {
    const folder = folderWith({ 'package.json': {}, ...files })
    for (const path of [
      'evil.cjs',
      'ecosystem.config.js',
      'svc.config.cjs',
      'app.js',
      'node_modules/@svc/core/index.js',
    ]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), evil(folder))
    }
    writeFileSync(join(folder, 'node_modules/@svc/core/package.json'), '{"name":"@svc/core","main":"index.js"}')
    const { stdout } = await svc(folder, ['doctor', '--offline'], { ...KEYS, ...env })
    expect(existsSync(join(folder, 'ran'))).toBe(false)
    if (_.startsWith('SVC_CONFIG_FILE')) expect(stdout).toContain('SVC_CONFIG_FILE=./evil.cjs')
  })

  it('is run if the command line names it', async () => {
    const folder = folderWith({ 'package.json': {} })
    writeFileSync(join(folder, 'evil.cjs'), `${evil(folder)}module.exports = {}\n`)
    await svc(folder, ['doctor', '--offline', '--config', 'evil.cjs'], KEYS)
    expect(existsSync(join(folder, 'ran'))).toBe(true)
  })

  it('that the configuration of git names is not run by svc migrate code', async () => {
    const folder = folderWith({
      'a.ts': USES_SVC,
      '.gitattributes': '*.ts filter=evil\n*.txt filter=named=x\n',
      'b.txt': 'b',
    })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
    git('init', '-q')
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a')
    const evilCommand = (name: string) => `touch ${join(folder, `ran-${name}`)}; cat`
    appendFileSync(
      join(folder, '.git/config'),
      `[core]\n\tfsmonitor = "${evilCommand('monitor')}"\n\thooksPath = hooks\n\tpager = "${evilCommand('pager')}"\n` +
        `[pager]\n\tstatus = true\n[filter "evil"]\n\tclean = "${evilCommand('clean')}"\n\trequired = true\n` +
        `[filter "named=x"]\n\tclean = "${evilCommand('named')}"\n\tprocess = "${evilCommand('process')}"\n`,
    )
    mkdirSync(join(folder, 'hooks'))
    writeFileSync(join(folder, 'hooks/post-index-change'), `#!/bin/sh\n${evilCommand('hook')}\n`, { mode: 0o755 })
    // A file whose time differs is compared by its content, which goes through the filters.
    spawnSync('touch', ['-d', '2001-01-01', join(folder, 'a.ts'), join(folder, 'b.txt')])
    writeFileSync(join(folder, '.git/info/exclude'), 'hooks\nran-*\n')
    const { code, stdout, stderr } = await svc(folder, ['migrate', 'code', '--yes'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('1 file changed')
    const ran = ['monitor', 'pager', 'clean', 'named', 'process', 'hook'].filter((name) =>
      existsSync(join(folder, `ran-${name}`)),
    )
    expect(ran).toEqual([])
  })
})

describe('files of the folder', () => {
  it('that are nested too deeply are named and left, and the others are migrated', async () => {
    const deep = `${USES_SVC}const a = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`
    const folder = folderWith({
      'a.ts': USES_SVC,
      'deep.ts': deep,
      'z.ts': USES_SVC,
      'package.json': `{"a":${'['.repeat(20_000)}`,
    })
    const { code, stdout, stderr } = await svc(folder, ['migrate', 'code', '--yes', '--force'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/deep\.ts:1:1\n +cannot be parsed and is not changed: it is nested too deeply/)
    expect(readFileSync(join(folder, 'deep.ts'), 'utf8')).toBe(deep)
    for (const path of ['a.ts', 'z.ts']) expect(readFileSync(join(folder, path), 'utf8')).toContain('prompt.get')
  })

  it('that are pipes, devices, links or huge neither hang nor fill a command', async () => {
    const folder = folderWith({
      'a.ts': USES_SVC,
      'package.json': { dependencies: { openai: '1', pipe: '1' } },
      'prompts/a.md': '---\nname: a\n---\nA\n',
    })
    const pipes = [
      'pipe.ts',
      '.gitignore',
      'tsconfig.json',
      'Dockerfile',
      '.env.local',
      'prompts/pipe.md',
      'node_modules/pipe/package.json',
      'Procfile',
    ]
    for (const path of pipes) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      spawnSync('mkfifo', [join(folder, path)])
    }
    symlinkSync('/dev/zero', join(folder, 'zero.ts'))
    symlinkSync('/dev/zero', join(folder, '.env'))
    symlinkSync('/', join(folder, 'root'))
    symlinkSync('/', join(folder, 'prompts/root'))
    writeFileSync(join(folder, 'huge.ts'), '')
    truncateSync(join(folder, 'huge.ts'), 3_000_000_000)
    writeFileSync(join(folder, 'prompts/huge.md'), '')
    truncateSync(join(folder, 'prompts/huge.md'), 3_000_000_000)
    const commands = [
      ['doctor', '--offline'],
      ['migrate', 'code', '--check'],
      ['migrate', 'env'],
      ['prompts', 'check', '--offline'],
      ['prompts', 'types'],
    ]
    const ends = await Promise.all(commands.map((command) => svc(folder, command, KEYS)))
    expect(ends.map(({ stderr }) => stderr.replace(/^prompts\/huge\.md:1:1: it is larger than 4 MB\n$/, ''))).toEqual(
      commands.map(() => ''),
    )
    expect(ends[1]?.stdout).toMatch(/huge\.ts\n +is larger than 64 MB: check it by hand/)
  })

  it('that are links lead svc prompts out of the folder only by --dir', async () => {
    const elsewhere = folderWith({ 'a.md': '---\nname: a\n---\nA\n' })
    const folder = folderWith({ 'package.json': {}, 'inside/a.md': '---\nname: a\n---\nA\n' })
    symlinkSync(elsewhere, join(folder, 'prompts'))
    symlinkSync(elsewhere, join(folder, 'inside/out'))
    const { code, stderr } = await svc(folder, ['prompts', 'types'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'prompts is a link to another folder, where nothing is written: --dir names it\n',
    })
    expect(existsSync(join(elsewhere, 'svc-prompts.js'))).toBe(false)
    expect(await svc(folder, ['prompts', 'types', '--dir', elsewhere])).toMatchObject({ code: 0 })
    expect(await svc(folder, ['prompts', 'types', '--dir', 'inside'])).toMatchObject({ code: 0 })
  })

  it('that are links lead svc skill and svc init-evals nowhere, and a device is not read', async () => {
    const elsewhere = folderWith({ 'a.md': '' })
    const folder = folderWith({ 'package.json': {}, 'task.js': '', '.claude/skills/svc/a.md': '' })
    const skill = join(folder, '.claude/skills/svc/SKILL.md')
    symlinkSync(join(elsewhere, 'made'), skill)
    expect(await svc(folder, ['skill'])).toMatchObject({ code: 0 })
    expect([existsSync(join(elsewhere, 'made')), lstatSync(skill).isFile()]).toEqual([false, true])
    rmSync(skill)
    symlinkSync('/dev/zero', skill)
    expect(await svc(folder, ['skill'])).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') })
    rmSync(join(folder, '.claude'), { recursive: true })
    for (const name of ['.claude', 'evals']) symlinkSync(elsewhere, join(folder, name))
    for (const command of [['skill'], ['init-evals', 'd', '--task', 'task.js', '--yes']])
      expect(await svc(folder, command)).toMatchObject({ code: 1, stderr: expect.stringContaining('is a link to') })
    expect(readdirSync(elsewhere)).toEqual(['a.md'])
  })

  it('that name a device as a certificate do not hold up the doctor', async () => {
    const folder = folderWith({ 'package.json': {}, '.env': 'OTEL_EXPORTER_OTLP_CERTIFICATE=/dev/zero\n' })
    const { stdout } = await svc(folder, ['doctor', '--offline'], KEYS)
    expect(stdout).toContain('it is no regular file')
  })

  it('that are made for the patterns of the doctor do not hold it up', async () => {
    const folder = folderWith({
      'package.json': { scripts: { build: 'esbuild '.repeat(400_000) }, dependencies: { openai: '1' } },
      Dockerfile: `FROM node\n${'\n'.repeat(250_000)}`,
      'ecosystem.config.js': 'script:['.repeat(32_000),
      Procfile: 'web:\n'.repeat(50_000),
      '.nvmrc': '2'.repeat(250_000),
      'nest-cli.json': '"webpack" '.repeat(25_000),
      '.env': `A="${'\\'.repeat(125_000)}\nSVC_${'X'.repeat(120_000)}=1`,
    })
    expect((await svc(folder, ['doctor', '--offline'], KEYS)).stdout).toContain('Variables')
  })

  it('a lock file that is a pipe is named', async () => {
    const folder = folderWith({ 'package.json': {}, 'prompts/a.md': '---\nname: a\n---\nA\n' })
    spawnSync('mkfifo', [join(folder, 'prompts/prompts.lock.json')])
    const { code, stderr } = await svc(folder, ['prompts', 'check', '--offline'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^prompts\/prompts\.lock\.json is no file, .*\n$/),
    })
  })

  it.each<[string, string, string]>([
    [
      'an alias bomb',
      'yaml',
      `name: a\nconfig:\n  a: &a [x]\n${[...'bcdefghij'].map((name, at) => `  ${name}: &${name} [${`*${'abcdefghij'[at]},`.repeat(9)}]\n`).join('')}messages: []\n`,
    ],
    ['many levels', 'yaml', `name: a\nmessages: []\nconfig: ${'['.repeat(50_000)}`],
    ['many levels in front matter', 'md', `---\nname: a\nconfig: ${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}\n---\n`],
    [
      'many keys',
      'yaml',
      `name: a\nmessages: []\nconfig:\n${Array.from({ length: 40_000 }, (_, at) => `  k${at}:`).join('\n')}\n  k1:\n`,
    ],
    ['bytes that are no text', 'yaml', '\u0000\u0001\ufffd'],
  ])('with %s is named in a line by svc prompts check', async (_, ending, text) => {
    const folder = folderWith({ 'package.json': {}, [`prompts/bad.${ending}`]: text })
    const { code, stdout, stderr } = await svc(folder, ['prompts', 'check', '--offline'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^prompts/bad\\.${ending}:\\d+:\\d+: [^\\n]*\\n$`))
  })

  it.each([
    ['a package.json that is a list', { 'package.json': '[1]' }],
    [
      'a package.json of wrong types',
      { 'package.json': '{"name":{},"version":5,"scripts":{"start":5},"dependencies":"x","engines":{"node":[]}}' },
    ],
    [
      'a package.json with names of prototypes',
      {
        'package.json':
          '{"scripts":{"__proto__":"node a","constructor":"x","start":"npm run constructor"},"dependencies":{"__proto__":"1","../..":"1"}}',
      },
    ],
    ['a lock file that is a list', { 'package.json': '{}', 'prompts/prompts.lock.json': '[]' }],
    [
      'a lock file of wrong types',
      { 'package.json': '{}', 'prompts/prompts.lock.json': '{"lockVersion":1,"prompts":{"__proto__":{"file":1}}}' },
    ],
    [
      'a .env of nothing that makes sense',
      { 'package.json': '{}', '.env': '__proto__=1\n=\n\u0000=\u0001\nSVC_BASE_URL=\\\nconstructor=2' },
    ],
    [
      'a tsconfig.json of wrong types',
      {
        'package.json': '{}',
        'a.ts': USES_SVC.replace('@svc/client', '#x'),
        'tsconfig.json': '{"extends":5,"compilerOptions":{"paths":{"#x":"y"}}}',
        'b.ts': USES_SVC,
      },
    ],
  ])('%s ends no command with a stack', async (_, files) => {
    const folder = folderWith({ 'prompts/a.md': '---\nname: a\n---\nA\n', ...files })
    for (const command of [
      ['doctor', '--offline'],
      ['migrate', 'code', '--check'],
      ['migrate', 'env'],
      ['prompts', 'types'],
    ]) {
      const { stdout, stderr } = await svc(folder, command, KEYS)
      expect(stdout + stderr).not.toMatch(/^ +at .*:\d+:\d+\)?$/m)
      expect(stderr).not.toMatch(/TypeError|RangeError/)
    }
  })
})
