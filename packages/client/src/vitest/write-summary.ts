import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostEnvironment } from '@svc/core/environment'
import { log, messageOf } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { experimentSettings } from '@svc/core/settings'
import { withoutEnd } from '@svc/core/without-end'
import { markdownOf } from './report.ts'
import type { ExperimentSummary } from './summary.ts'

/**
 * Writes the summary to `<name>.json` and `<name>.md` in the configured folder, and to the step summary of GitHub
 * Actions. A failed write is logged.
 */
export function writeSummary(summary: ExperimentSummary, folder: string | undefined): void {
  const { summaryDir } = readSettings(experimentSettings, { summaryDir: folder }, hostEnvironment, log.warn)
  const step = hostEnvironment('GITHUB_STEP_SUMMARY')
  const markdown = markdownOf(summary)
  if (summaryDir !== undefined) {
    const file = join(summaryDir, fileNameOf(summary.name))
    written(`${file}.json`, () => {
      mkdirSync(summaryDir, { recursive: true })
      writeFileSync(`${file}.json`, `${JSON.stringify(summary, null, 2)}\n`)
      writeFileSync(`${file}.md`, markdown)
    })
  }
  if (step) written('GITHUB_STEP_SUMMARY', () => appendFileSync(step, `${markdown}\n`))
}

function written(place: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    log.warn(`the summary of an experiment cannot be written to ${place}: ${messageOf(error)}`)
  }
}

/** Replaces everything but letters and digits of any language, so that the name of an experiment is not a path. */
function fileNameOf(name: string): string {
  return withoutEnd(name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, ''), '-') || 'experiment'
}
