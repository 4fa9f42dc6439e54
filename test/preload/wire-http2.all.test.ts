import { once } from 'node:events'
import { request } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServiceCertificate } from '../support/network.ts'
import { nodeOf, OTHER_NODES, THIS_NODE } from '../support/nodes.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

const { key, cert, certFile } = makeServiceCertificate()
let service: Service
const server = createSecureServer({ key, cert, allowHTTP1: true }, ({ url, method }, response) => {
  const passed = request(`${service.models.url}${url}`, { method }, (answer) => pipeline(answer, response, () => {}))
  pipeline(response.req, passed, () => {})
})
beforeAll(async () => {
  service = await startService()
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  server.close()
  await service.close()
})

it.each([THIS_NODE, ...OTHER_NODES])(
  'a request over HTTP/2 is recorded once, and reads as without us, on Node %s',
  async (version) => {
    const { port } = server.address() as AddressInfo
    const env = { ...service.env, NODE_EXTRA_CA_CERTS: certFile, SVC_RELEASE: version }
    const args = [...PRELOAD, app('wire-http2.mjs'), `https://127.0.0.1:${port}`]
    const { code, stdout, stderr } = await runNode(args, { node: nodeOf(version), cwd, env })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'same bytes\n', stderr: '' })
    const spans = service.local.spans().filter(({ attributes }) => attributes['svc.release'] === version)
    // Node 22 publishes streams of HTTP/2 from 22.17 on.
    const published = version.startsWith('22.15') ? 1 : 2
    expect(spans.map(({ name }) => name)).toEqual(Array(published).fill('chat gpt-4o-mini'))
  },
)
