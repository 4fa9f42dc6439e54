import { startNode } from '../support/run.ts'
import type { Service } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

interface Node {
  readonly name: string
  readonly children: readonly Node[]
}

/** Sends one request to `program` and returns what was exported, as trees, and the output of the program. */
export async function treesOf(
  service: Service,
  program: string,
  env: Record<string, string>,
): Promise<{ trees: Node[]; printed: string }> {
  const release = `${program} ${JSON.stringify(env)}`
  const server = startNode([...PRELOAD, app(program)], {
    cwd,
    env: { ...service.env, ...env, SVC_RELEASE: release },
  })
  const [, port] = await server.printed(/listening on (\d+)/)
  await fetch(`http://127.0.0.1:${port}/chat`, { method: program === 'server.mjs' ? 'POST' : 'GET' }).then((r) =>
    r.text(),
  )
  server.kill('SIGTERM')
  const { stdout, stderr } = await server.ended
  const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
  const ids = new Set(spans.map((span) => span.spanId))
  for (const { parentSpanId, name } of spans) {
    if (parentSpanId !== null && !ids.has(parentSpanId)) throw new Error(`the parent of ${name} is missing`)
  }
  const below = (parent: string | null): Node[] =>
    spans
      .filter((span) => span.parentSpanId === parent)
      .map((span) => ({ name: span.name, children: below(span.spanId) }))
  return { trees: below(null), printed: stdout + stderr }
}
