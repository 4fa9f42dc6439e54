import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type EndedCommand, runPreloaded } from '../../preloaded.ts'
import type { ProcessReport } from './process-report.ts'

/** How the app ended, and the reports of its processes. */
export interface Ran extends EndedCommand {
  readonly processes: readonly ProcessReport[]
}

interface RunOptions {
  readonly folder: string
  readonly host: Readonly<Record<string, string | undefined>>
  /** Where the output of the app goes. */
  readonly output: 'stdout' | 'stderr'
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
  try {
    const ended = await runPreloaded(command, [preload, reporter.href], {
      folder,
      host,
      stdio: ['inherit', output === 'stderr' ? 2 : 'inherit', 'inherit'],
    })
    return { ...ended, processes: readReports(reports) }
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
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
