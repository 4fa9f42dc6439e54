import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf } from '../../support/debian.ts'
import { Program } from '../../support/run.ts'

export interface Redis {
  readonly socket: string
  close(): Promise<void>
}

/** A Redis of our own, in memory only. It listens to a file: its port 0 means none. */
export async function startRedis(): Promise<Redis> {
  const program = await programOf('redis-server', 'redis-server')
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  const socket = join(folder, 'redis.sock')
  const options = { port: 0, unixsocket: socket, save: '', appendonly: 'no', dir: folder, daemonize: 'no' }
  const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, String(value)])
  const redis = new Program(program, args, { cwd: folder })
  await redis.printed(/ready to accept connections/i)
  return {
    socket,
    close: async () => {
      redis.kill('SIGKILL')
      await redis.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
