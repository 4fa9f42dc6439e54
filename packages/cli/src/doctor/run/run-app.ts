import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ProcessReport } from './process-report.ts'

/** How the app ended, and the reports of its processes. */
export interface Ran {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Set if it could not be started. */
  readonly error?: Error
  readonly processes: readonly ProcessReport[]
}

interface RunOptions {
  readonly folder: string
  readonly host: Readonly<Record<string, string | undefined>>
  /** Where the output of the app goes. */
  readonly output: 'stdout' | 'stderr'
}

/** Returns the preload of the app as a URL; undefined if it is not installed. */
export function preloadOf(folder: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve('@svc/register')).href
  } catch {
    return undefined
  }
}

/**
 * Runs a command with the preload in each Node process that it starts, followed by a second preload (reporter.ts), which
 * writes a report about the spans. Signals are passed to the app.
 */
export async function runApp(command: readonly string[], preload: string, options: RunOptions): Promise<Ran> {
  const { folder, host, output } = options
  const reports = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
  const reporter = new URL('./reporter.js', import.meta.url)
  reporter.searchParams.set('to', pathToFileURL(reports).href)
  const flags = [host.NODE_OPTIONS, `--import ${preload}`, `--import ${reporter.href}`]
  try {
    const ended = await run(command, {
      cwd: folder,
      env: { ...host, NODE_OPTIONS: flags.filter((each) => each).join(' ') },
      stdio: ['inherit', output === 'stderr' ? 2 : 'inherit', 'inherit'],
    })
    return { ...ended, processes: readReports(reports) }
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

type SpawnOptions = NonNullable<Parameters<typeof spawn>[2]>

function run([program = '', ...args]: readonly string[], options: SpawnOptions): Promise<Omit<Ran, 'processes'>> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, shell: process.platform === 'win32' })
    const pass = (signal: NodeJS.Signals) => void child.kill(signal)
    // A terminal sends Ctrl-C to the app itself, and a second signal would end it at once.
    const interrupt = process.stdin.isTTY ? () => {} : pass
    process.on('SIGINT', interrupt)
    process.on('SIGTERM', pass)
    const end = (ended: Omit<Ran, 'processes'>) => {
      process.removeListener('SIGINT', interrupt)
      process.removeListener('SIGTERM', pass)
      resolve(ended)
    }
    child.once('error', (error) => end({ code: null, signal: null, error }))
    child.once('close', (code, signal) => end({ code, signal }))
  })
}

function readReports(folder: string): ProcessReport[] {
  return readdirSync(folder).flatMap((file) => {
    try {
      return JSON.parse(readFileSync(join(folder, file), 'utf8')) as ProcessReport
    } catch {
      // The process was killed while it wrote.
      return []
    }
  })
}
