import { hostVariables } from '@svc/core/environment'
import { VERSION } from '@svc/core/version'
import type { RunCommand } from '../command.ts'
import { write, writeJson } from '../output.ts'
import { SVC } from '../own-command.ts'
import { preloadOf } from '../preloaded.ts'
import { type App, appIn } from './app/app.ts'
import { examine, type Section } from './checks.ts'
import type { Finding } from './finding.ts'
import { isAgreed } from './key-source.ts'
import { hasObstacle, reportOf } from './report.ts'
import { findingsOf } from './run/findings.ts'
import { runApp } from './run/run-app.ts'

/** `svc doctor`: finds out why no traces arrive from the app in this folder, or from a command that it runs. */
export const run: RunCommand = async (command, { json, offline, config, yes }) => {
  const host = hostVariables()
  const configFile = typeof config === 'string' ? config : undefined
  const app = appIn({ folder: process.cwd(), host, nodeVersion: process.version, configFile })
  const sections =
    command.length > 0
      ? await tryOut(command, app, { host, output: json ? 'stderr' : 'stdout' })
      : await examine(app, { offline: offline === true, mayConnect: (stray) => isAgreed(stray, yes) })
  if (json) writeJson(process.stdout, asJson(app.folder, sections))
  else write(process.stdout, `${reportOf(sections, page())}\n`)
  return hasObstacle(sections) ? 1 : 0
}

const NOT_INSTALLED: Finding = {
  id: 'run-not-installed',
  severity: 'error',
  seen: '@svc/register is not installed here',
  means: 'Without it the app cannot be run with the preload.',
  remedy: 'npm i @svc/register',
}

/** Runs the app. If svc did not start in it, adds the errors that inspection finds. */
async function tryOut(
  command: readonly string[],
  app: App,
  options: Omit<Parameters<typeof runApp>[2], 'folder'>,
): Promise<Section[]> {
  const preload = preloadOf(app.folder)
  if (preload === undefined) return [{ title: 'Run', findings: [NOT_INSTALLED] }]
  const ran = await runApp(command, preload, { ...options, folder: app.folder })
  const section = { title: 'Run', findings: findingsOf(ran) }
  return ran.processes.some(({ isTraced }) => isTraced) ? [section] : [section, ...(await faultsOf(app))]
}

/** Returns the errors that inspection finds. */
async function faultsOf(app: App): Promise<Section[]> {
  const sections = await examine(app, { offline: true })
  const faults = sections.map(({ title, findings }) => ({
    title,
    findings: findings.filter(({ severity }) => severity === 'error'),
  }))
  return faults.filter(({ findings }) => findings.length > 0)
}

function page() {
  const { columns = 80, isTTY } = process.stdout
  return { columns, hasColours: isTTY === true && process.stdout.hasColors() }
}

function asJson(folder: string, sections: readonly Section[]): object {
  const findings = sections.flatMap(({ title, findings: found }) => found.map((each) => ({ section: title, ...each })))
  // What arrived is another question.
  return { version: VERSION, folder, ok: !hasObstacle(sections), findings, next: `${SVC} traces errors` }
}
