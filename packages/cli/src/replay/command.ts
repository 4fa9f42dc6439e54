import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hostVariables } from '@svc/core/environment'
import { amount } from '../amount.ts'
import type { RunCommand } from '../command.ts'
import { Failure } from '../failure.ts'
import { write } from '../output.ts'
import { SVC } from '../own-command.ts'
import { exitCodeOf, preloadFor, runPreloaded } from '../preloaded.ts'
import { loadTrace } from '../traces/load-trace.ts'
import type { PlaceFlags } from '../traces/place.ts'
import { callsOf, type RecordedTools, toolsOf } from './recording.ts'
import { Replayer } from './replayer.ts'
import { startReplayServer } from './server.ts'

const COMMAND = 'svc replay'

interface ReplayFlags extends PlaceFlags {
  readonly until?: string
  readonly change?: string
  readonly tools?: boolean
  readonly onDivergence?: string
}

/** `svc replay`: runs a command again whose model calls are answered from a trace. */
export const run: RunCommand = async ([id = '', ...command], flags) => {
  const { until, change, tools, onDivergence = 'fail' } = flags as ReplayFlags
  if (command.length === 0) throw new Failure(`${COMMAND}: name a command: ${SVC} replay <trace> -- node app.js`)
  if (onDivergence !== 'live' && onDivergence !== 'fail')
    throw new Failure(`${COMMAND}: --on-divergence ${onDivergence}: expected live or fail`)
  const system = change === undefined ? undefined : readFileSync(change, 'utf8').trimEnd()
  const { observations } = await loadTrace(id, flags as PlaceFlags)
  const end = until === undefined ? undefined : observations.find((each) => each.id.startsWith(until))
  if (until !== undefined && !end) throw new Failure(`${COMMAND}: the trace has no observation ${until}`)
  const folder = process.cwd()
  const preload = preloadFor(folder)
  if (tools && !preload) throw new Failure(`${COMMAND}: --tools needs @svc/register: npm i @svc/register`)
  const calls = callsOf(observations, end)
  const say = (line: string) => write(process.stderr, `${COMMAND}: ${line}\n`)
  const becomes = onDivergence === 'live' ? 'It is sent to the model' : '--on-divergence live sends it to the model'
  const report = (difference: string) => say(`${difference}. ${becomes}`)
  const replayer = new Replayer({ calls, isLiveAfter: end !== undefined, onDivergence, report })
  const server = await startReplayServer(replayer, system === undefined ? undefined : { system, onlyLive: !!end })
  const urlOf = (file: string) => pathToFileURL(join(import.meta.dirname, file)).href
  const toolsFolder = tools && mkdtempSync(join(tmpdir(), 'svc-replay-'))
  const afterPreload = [urlOf('watch.js')]
  if (toolsFolder) {
    const file = join(toolsFolder, 'tools.json')
    const ends = { isLive: onDivergence === 'live', isLiveAfter: end !== undefined }
    writeFileSync(file, JSON.stringify({ tools: toolsOf(observations, end), ...ends } satisfies RecordedTools))
    afterPreload.push(`${urlOf('tools.js')}?${pathToFileURL(file)}`)
  }
  const preloads = [`${urlOf('redirect.js')}?${server.url}`, ...(preload ? [preload, ...afterPreload] : [])]
  const ended = await runPreloaded(command, preloads, { folder, host: hostVariables(), stdio: 'inherit' }).finally(
    () => {
      server.close()
      if (toolsFolder) rmSync(toolsFolder, { recursive: true, force: true })
    },
  )
  if (ended.error) throw new Failure(`${COMMAND}: ${command[0]} cannot be started: ${ended.error.message}`)
  const { left, diverged } = replayer
  const unasked = left.length > 0 ? `; not asked for: ${left.map(({ title }) => title).join(', ')}` : ''
  say(`${calls.length - left.length} of ${amount(calls.length, 'recorded call')} answered${unasked}`)
  return exitCodeOf(ended) || (diverged > 0 && onDivergence === 'fail' ? 1 : 0)
}
