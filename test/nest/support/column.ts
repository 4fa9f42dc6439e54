import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { nodeOf } from '../../support/nodes.ts'
import { type Program, startNode } from '../../support/run.ts'
import { type Service, startService } from '../../support/service.ts'
import { buildApp, type NestMajor } from './build.ts'

/** One column of the matrix: what the application runs on. */
export interface Column {
  readonly nest: NestMajor
  readonly adapter: 'express' | 'fastify'
  readonly node: string
  /** How the application says whose a request is. Default: user and session by a function each. */
  readonly resolvers?: 'apart' | 'together' | 'later'
  /** With `--import @svc/register`. Without it, SvcModule starts the pipeline. */
  readonly preload: boolean
}

export interface RunningApp {
  readonly service: Service
  readonly program: Program
  readonly url: string
  readonly ports: Readonly<Record<'http' | 'inheriting' | 'hooked' | 'alone', number>>
  /** Ends the application, and its service. */
  close(): Promise<void>
}

export interface AppOptions {
  readonly entry?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the application of test/nest/app, and a service for it. */
export async function startApp(column: Column, { entry = 'main.js', env = {} }: AppOptions = {}): Promise<RunningApp> {
  const service = await startService()
  const program = launch(column, entry, { ...service.env, SVC_FLUSH_INTERVAL: '0.05', ...env })
  const [, printed = ''] = await program.printed(/listening (.*)/)
  const ports = JSON.parse(printed)
  const close = async () => {
    program.kill('SIGKILL')
    await Promise.all([program.ended, service.close()])
  }
  return { service, program, url: `http://127.0.0.1:${ports.http}`, ports, close }
}

/** What we said through Nest's logger, which writes warnings to stdout. */
export function linesOfSvc(stdout: string): string[] {
  return stripVTControlCharacters(stdout)
    .split('\n')
    .flatMap((line) => /\[Svc\] (.*)/.exec(line)?.[1] ?? [])
}

/** What an application had to say that nobody expects. Cron jobs say so where the machine is slow. */
export function unexpected(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  { preload }: Pick<Column, 'preload'>,
): string {
  const rest = stderr.replaceAll(/^\[Cron\] Missed execution deadline.*\n/gm, '')
  const lines = linesOfSvc(stdout)
  const others = lines.filter((line) => !line.startsWith('svc was not preloaded, so SvcModule started it'))
  const missing = preload || others.length < lines.length ? '' : 'It does not say that it was not preloaded.\n'
  return [missing + rest, ...others].join('\n')
}

/** Starts an entry of test/nest/app and waits for nothing. */
export function launch(
  { nest, adapter, node, preload, resolvers = 'apart' }: Column,
  entry: string,
  env: Record<string, string>,
): Program {
  const folder = buildApp(nest)
  return startNode([...(preload ? ['--import', '@svc/register'] : []), join('app', entry)], {
    cwd: folder,
    node: nodeOf(node),
    env: { ADAPTER: adapter, RESOLVERS: resolvers, ...env },
  })
}
