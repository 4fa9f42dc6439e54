import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'

const PROGRAM = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

let local: LocalService
/** Adds the keys, which the program cannot send, and changes nothing else: the service sees its Host and Origin. */
const proxy = createServer((incoming, response) => {
  const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
  const { hostname, port } = new URL(local.url)
  const headers = { ...incoming.headers, authorization }
  const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  incoming.pipe(outgoing)
})

beforeAll(async () => {
  local = await startLocal()
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  proxy.close()
  await local.close()
})

// The others of the program call tools and resources of its own, by name, or ask for prompts, completion, levels of logs
// and subscriptions, which this server does not have.
it.each(['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'])(
  'the endpoint conforms to the protocol: %s',
  async (scenario) => {
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/api/public/mcp`
    const { code, stdout, stderr } = await runNode([PROGRAM, 'server', '--url', url, '--scenario', scenario])
    expect(code, `${stdout}\n${stderr}`).toBe(0)
    expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
  },
)
