import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostEnvironment } from '@svc/core/environment'
import { log, messageOf } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { experimentSettings } from '@svc/core/settings'
import { markdownOf } from './report.ts'
import type { ExperimentSummary } from './summary.ts'

/**
 * Writes the summary where it was asked for: as `<name>.json` and `<name>.md` in a folder, and in the summary of a step
 * of GitHub Actions. A place that cannot be written is said, and fails nothing.
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

/** Letters and digits of any language, so that the name of an experiment is no path. */
function fileNameOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '') || 'experiment'
}
