import { startNode } from '../support/run.ts'
import type { Service } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

/** The spans of a request to a server, which is told to end when so many of them have arrived. */
export async function requestUnder(service: Service, env: Record<string, string>, release: string, arrived = 0) {
  const spans = () => service.local.spans().filter((span) => span.attributes['svc.release'] === release)
  const server = startNode([...PRELOAD, app('server.mjs')], {
    cwd,
    env: { ...service.env, ...env, SVC_RELEASE: release },
  })
  const [, port] = await server.printed(/listening on (\d+)/)
  await fetch(`http://127.0.0.1:${port}/chat`, { method: 'POST', body: 'x' }).then((response) => response.text())
  await service.local.waitFor(() => spans().length >= arrived)
  server.kill('SIGTERM')
  const { stderr } = await server.ended
  return { stderr, ours: spans() }
}
