import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSvc } from '../cli/support/svc.ts'

/** Names and texts that tell a terminal what to do, on everything that the commands of svc print. */

/** Clears, colours and titles by escape and by C1; moves back; runs backwards; hides; ends the line. */
const EVIL = '\u001b[2J\u001b]0;title\u0007\u009b31m\u0085\b\b\u202Eevil\u2066\u200B\u2028\r\u007f\u{E0041}'
/** What no line may have. */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** Of a file name, without what file systems refuse. */
const FILE = EVIL

const STORED = {
  name: `evil ${EVIL}`,
  version: 1,
  type: 'text',
  prompt: `text ${EVIL}`,
  config: { [EVIL]: EVIL },
  labels: ['production', EVIL],
  tags: [],
}

let url = ''
let folder = ''
const server = createServer((request, response) => {
  request.resume()
  const { url: path = '', method } = request
  const json = (status: number, body: unknown) =>
    response
      .writeHead(status, { 'content-type': 'application/json', location: `http://x/${encodeURI(EVIL)}` })
      .end(JSON.stringify(body))
  if (path.endsWith('/health')) return json(200, { status: 'OK', version: `5.0.0${EVIL}` })
  if (path.endsWith('/projects')) return json(200, { data: [{ id: 'p', name: EVIL }] })
  if (path.includes('/otel/')) return json(418, { message: EVIL })
  if (path.includes('/v2/prompts?')) {
    return json(200, {
      data: [{ name: STORED.name, versions: [1], labels: STORED.labels }],
      meta: { page: 1, totalPages: 1 },
    })
  }
  if (path.includes('/v2/prompts/')) return json(200, STORED)
  if (path.includes('/v2/datasets')) {
    const rows = path.includes('/examples') ? [{ id: EVIL, question: EVIL }] : undefined
    return json(200, rows ? { examples: rows } : { datasets: [{ id: EVIL, name: EVIL }] })
  }
  json(method === 'POST' ? 422 : 404, { message: EVIL, error: EVIL })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = mkdtempSync(join(tmpdir(), 'svc-terminal-'))
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const manifest = {
    scripts: { start: `node ${EVIL}.js`, build: `esbuild --bundle ${EVIL}` },
    dependencies: { openai: '1', '@svc/register': '1' },
  }
  write('package.json', JSON.stringify(manifest))
  write('node_modules/openai/package.json', JSON.stringify({ name: 'openai', version: EVIL }))
  write('node_modules/@svc/register/package.json', JSON.stringify({ name: '@svc/register', version: `1.0.0${EVIL}` }))
  write(
    '.env',
    `SVC_${EVIL}=1\nSVC_RELEASE="${EVIL}"\nSVC_LOG_LEVEL="${EVIL}"\nLANGSMITH_API_KEY="${EVIL}"\nSVC_HOST=${EVIL}\n`,
  )
  write(`${FILE}.ts`, `import { SvcClient } from '@svc/client'\nawait new SvcClient().fetchTraces()\n`)
  write(`broken ${FILE}.ts`, "import '@svc/client'\nconst = getPrompt\n")
  write(`${FILE}.vue`, '@svc/client')
  write(`sub${FILE}/.env`, 'SVC_HOST=1\n')
  write(`sub${FILE}/Dockerfile`, `FROM node\nENV SVC_HOST=1 ${EVIL}\n`)
  symlinkSync('nowhere', join(folder, `link${FILE}.ts`))
  write(
    `prompts/${FILE}.yaml`,
    `name: a\nmessages:\n  - role: user\n    content: "{{#${EVIL.replaceAll(/\p{Cc}/gu, '')}}}"\n`,
  )
  write(`broken/${FILE}.md`, `---\nname: a\n"${EVIL.slice(0, 1)}x": 1\n---\n`)
  write(`local/${FILE}.md`, '---\nname: a\n---\nnew\n')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const COMMANDS: readonly (readonly string[])[] = [
  ['doctor'],
  ['doctor', '--offline'],
  ['doctor', '--json'],
  ['migrate', 'code', '--check'],
  ['migrate', 'code', '--yes'],
  ['migrate', 'env'],
  ['migrate', 'env', '--check'],
  ['prompts', 'check', '--offline'],
  ['prompts', 'check'],
  ['prompts', 'types', '--dir', 'broken'],
  ['prompts', 'push', '--dir', 'local'],
  ['prompts', 'pull', '--dir', 'pulled'],
  ['prompts', 'pull', '--dir', 'pulled'],
  ['prompts', 'pull', '--dir', 'pulled', 'nothing'],
  ['prompts', 'pull', '--dir', 'pulled', '--label', 'none'],
  ['prompts', 'check', '--dir', 'pulled'],
  ['traces', 'list'],
  ['traces', 'errors'],
  ['traces', 'stats', '--by', 'user'],
]

describe('what a terminal obeys is not printed by', () => {
  it.each(COMMANDS.map((command) => [command.join(' '), command]))('svc %s', async (_, command) => {
    const env = {
      SVC_PUBLIC_KEY: 'pk-svc-1234',
      SVC_SECRET_KEY: 'sk-svc-12345678',
      SVC_BASE_URL: url,
      SVC_TIMEOUT: '60',
    }
    const { stdout, stderr } = await runSvc(command as string[], { cwd: folder, env })
    expect(`${stdout}${stderr}`).not.toBe('')
    expect(stdout).not.toMatch(OBEYED)
    expect(stderr).not.toMatch(OBEYED)
    if (command.includes('--json')) expect(JSON.parse(stdout)).toMatchObject({ ok: false })
  })

  it.each([[['--all']], [['--all', '--dry-run']], [['--dataset', 'a']]])('svc migrate datasets %j', async (flags) => {
    const env = {
      SVC_PUBLIC_KEY: 'pk-svc-1234',
      SVC_SECRET_KEY: 'sk-svc-12345678',
      SVC_BASE_URL: url,
      SOURCE_API_KEY: 'k',
    }
    const { stdout, stderr } = await runSvc(['migrate', 'datasets', '--from', url, ...flags], { cwd: folder, env })
    expect(`${stdout}${stderr}`).not.toBe('')
    expect(stdout + stderr).not.toMatch(OBEYED)
  })
})
