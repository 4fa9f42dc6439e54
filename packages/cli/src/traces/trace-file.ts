import { readFileSync } from 'node:fs'
import { foreignText } from '@svc/core/foreign-text'
import { isFields } from '@svc/core/json'
import { SVC } from '../own-command.ts'

/** An observation as the API has it, as far as it is read here. `svc traces export` writes a list of them. */
export interface RecordedObservation {
  readonly id: string
  readonly traceId: string | null
  readonly parentObservationId: string | null
  readonly startTime: string
  readonly endTime?: string | null
  readonly type: string
  readonly name?: string | null
  readonly level?: string
  readonly statusMessage?: string | null
  readonly input?: unknown
  readonly output?: unknown
  readonly providedModelName?: string | null
  readonly modelParameters?: unknown
  readonly usageDetails?: Readonly<Record<string, number>>
  readonly metadata?: unknown
}

/** A trace as a file. */
export interface TraceFile {
  readonly traceId: string
  readonly observations: readonly RecordedObservation[]
}

/** Reads a file of `svc traces export`. @throws {TypeError} for what is none; an error of the file system */
export function readTraceFile(path: string | URL): TraceFile {
  const text = readFileSync(path, 'utf8')
  try {
    const value: unknown = JSON.parse(text)
    if (isFields(value) && Array.isArray(value.observations)) return value as unknown as TraceFile
  } catch {
    // It is said below.
  }
  throw new TypeError(`${foreignText(path)} is no trace: ${SVC} traces export <id> writes one`)
}
