import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf } from '../../support/debian.ts'
import { Program } from '../../support/run.ts'

export interface Redis {
  readonly port: number
  close(): Promise<void>
}

/** A Redis of our own on a free port, in memory only. */
export async function startRedis(): Promise<Redis> {
  const program = await programOf('redis-server', 'redis-server')
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  const port = await freePort()
  const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder, daemonize: 'no' }
  const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, String(value)])
  const redis = new Program(program, args, { cwd: folder })
  await redis.printed(/Ready to accept connections/)
  return {
    port,
    close: async () => {
      redis.kill('SIGKILL')
      await redis.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Redis cannot be asked to take any: its port 0 means none. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}
