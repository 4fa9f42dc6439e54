import { hostVariables } from '@svc/core/environment'
import { VERSION } from '@svc/core/version'
import type { RunCommand } from '../command.ts'
import { appIn } from './app/app.ts'
import { examine, type Section } from './checks.ts'
import { hasObstacle, reportOf } from './report.ts'

/** `svc doctor`: why no traces arrive from the app in this folder. */
export const run: RunCommand = async (_operands, { json, offline }) => {
  const folder = process.cwd()
  const app = appIn({ folder, host: hostVariables(), nodeVersion: process.version })
  const sections = await examine(app, { offline: offline === true })
  process.stdout.write(`${json ? asJson(folder, sections) : reportOf(sections, terminal())}\n`)
  return hasObstacle(sections) ? 1 : 0
}

function terminal() {
  const { columns = 80, isTTY } = process.stdout
  return { columns, hasColours: isTTY === true && process.stdout.hasColors() }
}

function asJson(folder: string, sections: readonly Section[]): string {
  const findings = sections.flatMap(({ title, findings: found }) => found.map((each) => ({ section: title, ...each })))
  return JSON.stringify({ version: VERSION, folder, ok: !hasObstacle(sections), findings }, undefined, 2)
}
