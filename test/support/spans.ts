import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Fault } from '../faults/fault.ts'
import { type FaultyIntake, startFaultyIntake } from '../faults/intake.ts'
import type { Plan } from '../faults/run.ts'
import { type Program, startNode } from './run.ts'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const app = fileURLToPath(new URL('../faults/apps/app.mjs', import.meta.url))

type Variables = Readonly<Record<string, string | undefined>>

/** An intake for one test: it counts spans by name, and misbehaves as told. */
export async function useIntake(fault?: Fault): Promise<FaultyIntake> {
  const intake = await startFaultyIntake(fault)
  onTestFinished(() => intake.close())
  return intake
}

/** One that nobody can reach until it is opened. */
export function useAbsentIntake(): Promise<FaultyIntake> {
  return useIntake({ downFor: Number.POSITIVE_INFINITY })
}

/** A folder for one test, gone with all that is in it when the test is done. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the application of the faults under the preload: it ends spans named s0, s1, …, and then itself, as planned. */
export function startSpans({ url }: Pick<FaultyIntake, 'url'>, plan: Plan, env: Variables = {}): Program {
  const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: url, SVC_FLUSH_INTERVAL: '0.2' }
  const program = startNode(['--import', '@svc/register', app, JSON.stringify(plan)], { cwd, env: { ...keys, ...env } })
  // It may be alive where a test has failed.
  onTestFinished(() => program.kill('SIGKILL'))
  return program
}

/** How many spans the user was told are lost. */
export function lostIn(text: string): number {
  return [...text.matchAll(/(\d+) spans? (?:is|are) lost/g)].reduce((sum, [, spans]) => sum + Number(spans), 0)
}

/** Names of the spans from one number up to another, which is not among them. */
export function names(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, n) => `s${from + n}`)
}
