import { cp, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { runNode, startNode } from '../support/run.ts'
import { startService } from '../support/service.ts'
import { linksOf, treesOf } from '../support/trees.ts'
import { freePort } from './free-port.ts'
import { DEPENDENCIES, FOLDERS, PAIRS, type Pair } from './mcp.ts'
import { stable } from './stable.ts'

let home: string
beforeAll(async () => {
  const workspaces = Object.fromEntries(Object.entries(FOLDERS).map(([name, dependencies]) => [name, { dependencies }]))
  const only = ['@svc/register', '@svc/tracing']
  home = await installPacked({ dependencies: DEPENDENCIES }, { only, workspaces, args: ['--legacy-peer-deps'] })
  const programs = fileURLToPath(new URL('mcp', import.meta.url))
  await Promise.all(Object.keys(FOLDERS).map((name) => cp(programs, join(home, name), { recursive: true })))
}, NPM_TIMEOUT)

const CASES = PAIRS.flatMap((pair) => pair.ways.map((way) => [pair.name, way, pair] as const))

it.each(CASES)('%s by %s: client and server are one trace, and see what they see without us', async (_, way, pair) => {
  const ours = await run(pair, way, { SVC_TRUST_TRACEPARENT: 'true' })
  expect(ours.trees).toEqual([treeOf(pair, way)])
  const { trees: _trees, links: _links, wire, ...seen } = ours
  const { trees, links: _none, wire: bare, ...without } = await run(pair, way)
  expect(trees).toEqual([])
  expect(seen).toEqual(without)
  expect(wire.map(withoutTrace).sort()).toEqual(bare.map(withoutTrace).sort())
  const named = wire.flatMap(traceparentOf)
  // As a server without us reads it.
  expect(named.filter((each) => !/^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-01$/.test(each))).toEqual([])
  expect(named.length).toBeGreaterThan(0)
  expect(bare.flatMap(traceparentOf)).toEqual([])
})

describe('a caller that is not trusted', () => {
  it.each(CASES.filter(([name, way]) => way === 'http' && !name.includes('AI SDK')))(
    'of %s by %s gets traces of its own, with links',
    async (_, way, pair) => {
      const { trees, links } = await run(pair, way, { SVC_TRUST_TRACEPARENT: 'false' })
      const [asking] = treeOf(pair, way).split('\n')
      expect(trees.filter((tree) => tree.startsWith(asking ?? '')).join()).not.toContain('    SPAN tools/call')
      expect(trees).toContain('SPAN POST /mcp\n  SPAN tools/call ask\n    GENERATION chat gpt-test')
      expect(links).toBeGreaterThan(0)
    },
  )
})

/** Runs both programs: without us where there is no variable of ours. */
async function run({ folder, client, server }: Pair, way: string, ours?: Readonly<Record<string, string>>) {
  const service = await startService()
  const wire: Buffer[][] = []
  const cwd = join(home, folder)
  const WIRE = join(cwd, `${server}-${way}-${ours ? 'ours' : 'bare'}.txt`)
  const NODE_OPTIONS = ours ? `--import ${pathToFileURL(join(home, 'node_modules/@svc/register/index.js'))}` : ''
  const PORT = await freePort()
  const env = { ...service.env, NO_COLOR: '1', PORT, SERVER: `${server}.mjs`, WIRE, ...ours, NODE_OPTIONS }
  // Of the preload the published form is installed.
  const options = { cwd, env, asBuilt: true }
  const answering = way === 'stdio' ? undefined : startNode([`${server}.mjs`, way], options)
  const between = createServer()
  try {
    let target = 'through.mjs'
    if (answering) {
      const [, port] = await answering.printed(/^listening on (\d+)$/m)
      between.on('request', (request, response) => pass(request, response, Number(port), wire))
      await new Promise<void>((listening) => between.listen(0, '127.0.0.1', listening))
      target = `http://127.0.0.1:${(between.address() as AddressInfo).port}/mcp`
    }
    const [program, ...args] = client
    const asked = await runNode([`${program}.mjs`, ...args, target, way], options)
    expect(asked.code, asked.stderr).toBe(0)
    answering?.kill('SIGTERM')
    const { stdout: printed = '' } = (await answering?.ended) ?? {}
    const bodies = answering
      ? wire.map((chunks) => Buffer.concat(chunks).toString()).join('\n')
      : await readFile(WIRE, 'utf8')
    return {
      results: JSON.parse(asked.stdout) as unknown,
      printed: stable(printed),
      wire: messagesIn(bodies),
      trees: treesOf(service),
      links: linksOf(service),
    }
  } finally {
    answering?.kill('SIGKILL')
    between.closeAllConnections()
    between.close()
    await service.close()
  }
}

/** Passes a request to the server at a port, and keeps what both say. */
function pass(request: IncomingMessage, response: ServerResponse, port: number, wire: Buffer[][]): void {
  const { method, url, headers } = request
  // Bodies that are under way at once stay apart.
  const keep = (from: IncomingMessage) => {
    const chunks: Buffer[] = []
    wire.push(chunks)
    return from.on('data', (chunk: Buffer) => chunks.push(chunk))
  }
  const sent = send({ host: '127.0.0.1', port, method, path: url, headers: { ...headers, host: `127.0.0.1:${port}` } })
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    keep(answer).pipe(response)
  })
  // A client that leaves ends its stream of events.
  sent.on('error', () => response.destroy())
  response.on('close', () => sent.destroy())
  keep(request).pipe(sent)
}

interface Message {
  readonly method?: string
  readonly params?: { readonly _meta?: Readonly<Record<string, string>> | undefined }
}

/** Messages of a body or of a stream of events. Pings, and questions for a state, come when it is time for them. */
function messagesIn(bodies: string): Message[] {
  const lines = bodies.split('\n').map((line) => line.replace(/^data: ?/, ''))
  const messages = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Message)
  return messages.filter(
    (message) =>
      !/^(ping|tasks\/get|notifications\/cancelled)$/.test(message.method ?? '') &&
      !/"result":\{("taskId"|\})/.test(JSON.stringify(message)),
  )
}

const traceparentOf = ({ params }: Message) => params?._meta?.traceparent ?? []

/** A message as text, without ids, times, and what we write, for which one without parameters gets some. */
function withoutTrace({ params: { _meta, ...given } = {}, ...message }: Message): string {
  const { traceparent: _parent, tracestate: _state, ...meta } = _meta ?? {}
  const params = Object.keys(meta).length > 0 ? { ...given, _meta: meta } : given
  return stable(JSON.stringify(Object.keys(params).length > 0 ? { ...message, params } : message))
}

const TREE = `AGENT agent
  SPAN tools/list
    SPAN tools/list
  TOOL ask
    SPAN tools/call ask
      GENERATION chat gpt-test`
const TASK_RESULT = `
    SPAN tasks/result
      SPAN tasks/result`
/**
 * States are asked for without a span each.
 *
 * @param failed what is asked for of a task that failed
 */
const tasks = (failed: string) => `AGENT agent
  TOOL ask
    SPAN tools/call ask
      GENERATION chat gpt-test${TASK_RESULT}
  TOOL broken
    SPAN tools/call broken${failed}
  TOOL endless
    SPAN tools/call endless
    SPAN tasks/cancel
      SPAN tasks/cancel`
const APP = `
  SPAN resources/read
    SPAN resources/read`
const ASKED_BACK = `
  TOOL have-asked
    SPAN tools/call have-asked
      SPAN sampling/createMessage
        SPAN sampling/createMessage
          GENERATION chat gpt-test
      SPAN elicitation/create
        SPAN elicitation/create`
/** The server ends with its questions, and is called again with the answers. */
const CALLED_AGAIN = `
  TOOL have-asked
    SPAN tools/call have-asked
    SPAN sampling/createMessage
      GENERATION chat gpt-test
    SPAN elicitation/create
    SPAN tools/call have-asked`

function treeOf({ more }: Pair, way: string): string {
  if (more === undefined) return TREE
  if (more === 'has an app') return TREE + APP
  if (more === 'has tasks') return tasks(TASK_RESULT)
  if (more === 'has tasks beside') return tasks('')
  return TREE + (way === 'modern' ? CALLED_AGAIN : ASKED_BACK)
}
