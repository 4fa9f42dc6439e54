import type { RunCommand } from '../../command.ts'
import { Failure } from '../../failure.ts'
import { write } from '../../output.ts'
import { type DatasetsOptions, migrateDatasets } from './migrate-datasets.ts'

const CONCURRENCY = 8
/** Exit code for invalid arguments. */
const MISUSED = 2
/** The exit code of a process that is ended by Ctrl-C. */
const INTERRUPTED = 130

/** `svc migrate datasets`: imports datasets of another platform. */
export const run: RunCommand = async (_, flags) => {
  const options = optionsOf(flags)
  if (typeof options === 'string') {
    write(process.stderr, `svc: ${options} See svc migrate datasets --help.\n`)
    return MISUSED
  }
  const controller = new AbortController()
  // `once`, so that the second Ctrl-C ends the process.
  process.once('SIGINT', () => {
    write(process.stderr, '\nsvc: stopping after the current items. Press Ctrl-C again to stop at once.\n')
    controller.abort(new Error('stopped by Ctrl-C'))
  })
  try {
    return (await migrateDatasets(options, controller.signal)) ? 0 : 1
  } catch (error) {
    if (controller.signal.aborted) {
      write(process.stderr, 'svc: stopped. Written items are kept; run the same command again to continue.\n')
      return INTERRUPTED
    }
    if (!(error instanceof Failure)) throw error
    write(process.stderr, `svc: ${error.message}\n`)
    return 1
  }
}

/** Returns the options, or a message about invalid flags. */
function optionsOf(flags: Readonly<Record<string, unknown>>): DatasetsOptions | string {
  const { from, map, all = false, dryRun = false, restart = false, concurrency = CONCURRENCY } = flags
  const [ids, names] = [toTexts(flags.dataset), toTexts(flags.as)]
  const url = typeof from === 'string' && URL.canParse(from) ? new URL(from) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || `${url.username}${url.password}${url.search}${url.hash}` !== '')
    return '--from needs the URL of the API to import from, without user name, password, query and fragment.'
  if (all === ids.length > 0) return 'name datasets with --dataset, or import --all.'
  if (names.length > 0 && names.length !== ids.length) return '--as needs one name for each --dataset, in their order.'
  const atOnce = Number(concurrency)
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > 100)
    return '--concurrency needs a whole number from 1 to 100.'
  return {
    from: url,
    datasets: all ? undefined : ids.map((id, at) => ({ id, name: names[at] ?? id })),
    map: typeof map === 'string' ? map : undefined,
    dryRun: dryRun === true,
    restart: restart === true,
    concurrency: atOnce,
  }
}

const toTexts = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : [])
