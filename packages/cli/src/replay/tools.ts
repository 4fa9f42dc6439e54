// Answers tools from a trace. Loaded by `svc replay --tools` after the preload, as `--import tools.js?file:///tmp/…`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { trace } from '@svc/core/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { foreignText } from '@svc/core/foreign-text'
import { isFields, parsedJson, toText } from '@svc/core/json'
import { answerTools } from '@svc/core/replayed-tool'
import { editModules } from '@svc/instrumentation/hook'
import { write } from '../output.ts'
import type { RecordedTool, RecordedTools } from './recording.ts'
import { TOOL_EDITS } from './tool-edits.ts'
import { activePlace, type NamedSpan, nearness, readPlace, recordedName } from './tree-place.ts'

const file = fileURLToPath(import.meta.url.slice(import.meta.url.indexOf('?') + 1))
const { tools, isLive, isLiveAfter } = JSON.parse(readFileSync(file, 'utf8')) as RecordedTools
const left = new Set(tools.map((tool) => ({ ...tool, place: new Set(tool.place) })))

/**
 * Each call answers once. It has the name and the input of the active span, which is that of the tool, unless the name is
 * given.
 */
function find(given: unknown, tool?: string) {
  const active: NamedSpan | undefined = tool === undefined ? trace.getActiveSpan() : undefined
  const name = tool ?? (active && recordedName(active)) ?? 'a tool'
  const input = parsed(active?.attributes?.[ATTRIBUTE.OBSERVATION_INPUT] ?? given)
  const place = readPlace(activePlace())
  const named = [...left]
    .filter((each) => each.name === name)
    .toSorted((one, other) => nearness(other.place, place) - nearness(one.place, place))
  const found = named.find((each) => isDeepStrictEqual(parsed(each.input), input))
  if (found) left.delete(found)
  else if (named[0] || !isLiveAfter) diverge(name, named[0], input)
  return found
}

function diverge(name: string, nearest: Pick<RecordedTool, 'title' | 'input'> | undefined, input: unknown): void {
  const shown = (value: unknown) => foreignText(toText(value) ?? '', 160)
  const difference = nearest
    ? `a tool differs from ${nearest.title}: its input was ${shown(nearest.input)}, is ${shown(input)}`
    : `${foreignText(name, 60)} was called, which the trace has not, or not so often`
  if (!isLive) throw new Error(`svc replay: ${difference}`)
  write(process.stderr, `svc replay: ${difference}. It is run\n`)
}

/** Inputs and outputs are texts in the API, also where they are JSON. */
function parsed(value: unknown): unknown {
  const text = toText(value)
  return parsedJson(text) ?? text
}

answerTools({
  find(input, name) {
    const found = find(input, name)
    if (found?.failure !== undefined) throw new Error(found.failure)
    return found && { output: parsed(found.output), text: toText(found.output) ?? '' }
  },
  findResult(input) {
    const found = find(input)
    if (!found) return undefined
    const { failure } = found
    const output = parsed(found.output)
    const text = (value: unknown) => [{ type: 'text', text: toText(value) ?? '' }]
    if (failure !== undefined) return { output: { content: text(failure), isError: true } }
    if (Array.isArray(output)) return { output: { content: output } }
    return { output: { content: text(output), ...(isFields(output) && { structuredContent: output }) } }
  },
})
editModules(TOOL_EDITS)
