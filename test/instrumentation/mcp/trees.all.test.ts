import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PRELOAD } from '../../preload/apps.ts'
import { type Program, runNode, startNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'
import { linksOf, treesOf } from '../../support/trees.ts'

const cwd = fileURLToPath(new URL('.', import.meta.url))

interface Asked {
  readonly name: string
  readonly way: 'stdio' | 'memory' | 'http'
  /** Under the preload: both sides. Default: yes. */
  readonly seen?: { readonly client: boolean; readonly server: boolean }
  /** Of the server. */
  readonly env?: Readonly<Record<string, string>>
}

/** What the client printed, and the traces of both processes. */
async function ask({ name, way, seen = { client: true, server: true }, env = {} }: Asked) {
  const service = await startService()
  let server: Program | undefined
  try {
    const options = { cwd, env: { ...service.env, ...env, NO_COLOR: '1' } }
    if (way === 'http') server = startNode([...(seen.server ? PRELOAD : []), 'answering.mjs', name, 'http'], options)
    const target = server ? `http://127.0.0.1:${(await server.printed(/^(\d+)$/m))[1]}` : way
    const { stdout, stderr, code } = await runNode(
      [...(seen.client ? PRELOAD : []), 'asking.mjs', name, target],
      options,
    )
    server?.kill('SIGTERM')
    await server?.ended
    if (code !== 0) throw new Error(`${code}: ${stderr}`)
    return { printed: JSON.parse(stdout) as unknown, said: stderr, trees: treesOf(service), links: linksOf(service) }
  } finally {
    server?.kill('SIGKILL')
    await service.close()
  }
}

const TREE = `AGENT agent
  TOOL ask
    SPAN tools/call ask
      GENERATION chat gpt-test
  TOOL have asked
    SPAN tools/call have asked
      SPAN sampling/createMessage
        SPAN sampling/createMessage
          GENERATION chat gpt-test
  SPAN resources/read
    SPAN resources/read
  SPAN prompts/get greet
    SPAN prompts/get greet
  SPAN tools/list
    SPAN tools/list`

describe.each(['mcp-1.32', 'mcp-2'])('%s, client and server under the preload', (name) => {
  it.each(['memory', 'stdio'] as const)('are one trace by %s', async (way) => {
    const { trees, printed } = await ask({ name, way })
    expect(trees).toEqual([TREE])
    expect(printed).toEqual((await ask({ name, way, seen: { client: false, server: false } })).printed)
  })
})

const OF_CLIENT = `AGENT agent
  TOOL ask
  TOOL have asked
  SPAN resources/read
  SPAN prompts/get greet
  SPAN tools/list`

/** The server was refused, and so is the trace that it names when it asks its client. */
const OF_SERVER = [
  `SPAN POST /
  SPAN tools/call ask
    GENERATION chat gpt-test`,
  `SPAN POST /
  SPAN tools/call have asked
    SPAN sampling/createMessage`,
  `SPAN POST /
  SPAN resources/read`,
  `SPAN POST /
  SPAN prompts/get greet`,
]
const ASKED_BY_SERVER = `SPAN sampling/createMessage
  GENERATION chat gpt-test`

describe('over HTTP client and server are what SVC_TRUST_TRACEPARENT says', () => {
  it.each(['true', '127.0.0.0/8'])('one trace with %s', async (SVC_TRUST_TRACEPARENT) => {
    const { trees } = await ask({ name: 'mcp-1.32', way: 'http', env: { SVC_TRUST_TRACEPARENT } })
    expect(trees).toEqual([TREE])
  })

  it.each(['false', '192.0.2.0/24'])('traces of their own, with links, with %s', async (SVC_TRUST_TRACEPARENT) => {
    const { trees, links } = await ask({ name: 'mcp-1.32', way: 'http', env: { SVC_TRUST_TRACEPARENT } })
    expect([...trees].sort()).toEqual([OF_CLIENT, ...OF_SERVER, ASKED_BY_SERVER].sort())
    // One of each trace that begins where another one is named.
    expect(links).toBe(OF_SERVER.length + 1)
  })
})
