// One variant of bench/nest.mjs in a process of its own: a Nest application with one trivial route. Another process
// sends the requests; this one prints what a request cost it, and with a number of requests to remember by, what its
// memory became.
import 'reflect-metadata'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Controller, Get, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { onCore } from '../measure.mjs'

const [variant, requests, many] = process.argv.slice(2)
const WARM_UP = 3_000
const parts = await partsOf(variant)

class PingController {
  ping() {
    return 'pong'
  }
}
class AppModule {}

// What the compiler makes of decorators, by hand.
const method = Object.getOwnPropertyDescriptor(PingController.prototype, 'ping')
for (const decorate of [...parts.decorators, Get()]) decorate(PingController.prototype, 'ping', method)
Object.defineProperty(PingController.prototype, 'ping', method)
Controller('ping')(PingController)
Module({ imports: parts.imports, controllers: [PingController] })(AppModule)

const app = await NestFactory.create(AppModule, { logger: false })
await app.listen(0, '127.0.0.1')
const { port } = app.getHttpServer().address()

await load(WARM_UP)
const before = memory()
const cpu = process.cpuUsage()
await load(Number(requests))
const { user, system } = process.cpuUsage(cpu)
if (many) await load(Number(many))
const after = memory()
console.log(
  JSON.stringify({
    microseconds: (user + system) / Number(requests),
    heapBefore: before.heap,
    heapAfter: after.heap,
    rssBefore: before.rss,
    rssAfter: after.rss,
  }),
)
process.exit()

async function load(count) {
  const program = fileURLToPath(new URL('./load.mjs', import.meta.url))
  const [command, args] = onCore(1, [program, `http://127.0.0.1:${port}/ping`, String(count)])
  const sender = spawn(command, args, { stdio: 'inherit' })
  const [code] = await once(sender, 'exit')
  if (code !== 0) throw new Error(`the requests failed: ${code}`)
}

function memory() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  for (let round = 0; round < 3; round++) collect()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20 }
}

async function partsOf(name) {
  switch (name) {
    case 'svc':
    case 'svc-excluded': {
      const { SvcModule } = await import('@svc/nestjs')
      const exclude = name === 'svc' ? [] : ['/ping']
      const user = (request) => request.headers['user-agent'] ?? 'ada'
      return { imports: [SvcModule.forRoot({ user, exclude })], decorators: [] }
    }
    case 'nestjs-otel': {
      const { default: otel } = await import('nestjs-otel')
      return { imports: [otel.OpenTelemetryModule.forRoot()], decorators: [otel.Span('PingController.ping')] }
    }
    default:
      return { imports: [], decorators: [] }
  }
}
