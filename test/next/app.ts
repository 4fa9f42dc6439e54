import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeOf } from '../support/nodes.ts'
import { type Ended, runNode, startNode } from '../support/run.ts'
import type { Service } from '../support/service.ts'

/** The applications of this folder. */
export type AppName = 'app' | 'address-app' | 'cache-app' | 'edge-app' | 'any-version' | 'next-15.5' | 'next-16.0'

export interface StartWish {
  readonly app?: AppName
  /** The code that SIGTERM ends it with. Default 143. */
  readonly exits?: number
  /** Default `start`. */
  readonly how?: 'start' | 'dev'
  /** Runs the standalone build in that folder instead. */
  readonly standalone?: string
  /** Whether tests forge headers of it, which a line reports. Default false. */
  readonly isForged?: boolean
  /** `--import @svc/register`. Default false. */
  readonly preload?: boolean
  /** A version of Node. Default: the one that runs the tests. */
  readonly node?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

const QUIET = { NEXT_TELEMETRY_DISABLED: '1', CI: '1' }

/** Milliseconds. After 5 s the server would close connections on which a test on a busy machine sends its next request. */
const KEPT = '600000'

/** The folder of an application, or of what a build made of it. */
export function folderOf(app: AppName, ...below: string[]): string {
  return join(fileURLToPath(new URL(app, import.meta.url)), ...below)
}

/** `next build`, to its end. */
export function build(app: AppName, env: Readonly<Record<string, string>>, ...flags: string[]): Promise<Ended> {
  return runNode([nextOf(app), 'build', ...flags], { cwd: folderOf(app), env: { ...QUIET, ...env } })
}

/** A running application. */
export interface App {
  readonly url: string
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
  /** Resolves with what it says that fits. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Starts a built application on a port of its own, and waits until it listens. */
export async function start(service: Service, wish: StartWish = {}): Promise<App> {
  const { app = 'app', how = 'start', standalone, preload = false, node, env = {} } = wish
  const cwd = standalone === undefined ? folderOf(app) : join(standalone, 'test/next', app)
  const kept = how === 'start' ? ['--keepAliveTimeout', KEPT] : []
  const program = standalone === undefined ? [nextOf(app), how, '-p', '0', '-H', '127.0.0.1', ...kept] : ['server.js']
  const running = startNode([...(preload ? ['--import', '@svc/register'] : []), ...program], {
    cwd,
    ...(node === undefined ? {} : { node: nodeOf(node) }),
    env: { ...QUIET, ...service.env, HOSTNAME: '127.0.0.1', PORT: '0', KEEP_ALIVE_TIMEOUT: KEPT, ...env },
  })
  const [, url = ''] = await running.printed(/Local:\s+(http:\S+)/)
  await running.printed(/Ready in/)
  // Next says so before it has run `register`, for which the first request waits.
  await (await fetch(url)).text()
  return {
    url,
    printed: (pattern) => running.printed(pattern),
    kill: (signal) => running.kill(signal),
    stop: (signal = 'SIGTERM') => {
      running.kill(signal)
      return running.ended
    },
  }
}

function nextOf(app: AppName): string {
  return createRequire(folderOf(app, 'package.json')).resolve('next/dist/bin/next')
}
