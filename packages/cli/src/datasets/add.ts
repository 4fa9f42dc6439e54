import { SvcAPIError, type SvcApi } from '@svc/client/api'
import { inPool } from '@svc/core/pool'
import { ANSWERS, shownName } from '@svc/local/questions'
import { agreed } from '../agreed.ts'
import { amount } from '../amount.ts'
import type { RunCommand } from '../command.ts'
import { Failure } from '../failure.ts'
import { write } from '../output.ts'
import { rejectMisuse } from '../traces/command.ts'
import { withApi } from '../traces/open.ts'
import type { PlaceFlags } from '../traces/place.ts'
import { type Recorded, resolved } from './field.ts'
import { readWhere } from './where.ts'

const COMMAND = 'svc datasets add'
const AT_ONCE = 6

interface AddFlags extends PlaceFlags {
  readonly where?: string
  readonly input?: string
  readonly expected?: string
}

/** An item to be created. */
interface NewItem {
  readonly input: unknown
  readonly expectedOutput?: unknown
  readonly sourceTraceId: string
}

/** `svc datasets add`: makes items of traces, each of which is added once. */
export const run: RunCommand = async ([name = ''], flags) => {
  const { where, yes } = flags as AddFlags
  if (where === undefined) throw new Failure(`${COMMAND}: which traces? For example --where 'level=ERROR since=1d'`)
  const conditions = readWhere(where)
  await withApi(flags as PlaceFlags, async ({ api }) => {
    const { rows, more } = await ANSWERS.list(api, conditions).catch(rejectMisuse)
    if (rows.length === 0) throw new Failure(`${COMMAND}: no trace fits ${shownName(where)}`)
    const exists = await isDataset(api, name)
    const listed = await inPool(rows, AT_ONCE, async ({ text, data }) => {
      const traceId = String(data?.traceId)
      const [root, isThere] = await Promise.all([rootOf(api, traceId), exists && hasTrace(api, name, traceId)])
      return { text, ...(isThere ? { reason: 'it is in the dataset' } : itemOf(root, traceId, flags as AddFlags)) }
    })
    const items = listed.flatMap(({ item }) => item ?? [])
    const lines = listed.map(({ text, item, reason }) => [text, ...(item ? shown(item) : [`  left out: ${reason}`])])
    if (more) lines.push([`there are ${more.what}: --where '… limit=${rows.length * 2}'`])
    write(process.stdout, `${lines.flat().join('\n')}\n`)
    const target = `dataset ${shownName(name)}${exists ? '' : ', which is created'}`
    if (items.length > 0) {
      await agreed(COMMAND, `Add ${amount(items.length, 'item')} to ${target}?`, yes)
      if (!exists) await api.datasets.create({ name })
      await inPool(items, AT_ONCE, (item) => api.datasetItems.create({ datasetName: name, ...item }))
    }
    write(process.stdout, `${amount(items.length, 'item')} added to ${target}\n`)
  })
  return 0
}

async function isDataset(api: SvcApi, name: string): Promise<boolean> {
  try {
    await api.datasets.get(name)
    return true
  } catch (error) {
    if (error instanceof SvcAPIError && error.statusCode === 404) return false
    throw error
  }
}

/** Whether the trace as a whole is in the dataset. One of its observations may be an item of its own. */
async function hasTrace(api: SvcApi, datasetName: string, sourceTraceId: string): Promise<boolean> {
  for await (const { sourceObservationId } of api.datasetItems.list({ datasetName, sourceTraceId }))
    if (!sourceObservationId) return true
  return false
}

async function rootOf(api: SvcApi, traceId: string): Promise<Recorded | undefined> {
  const filter = JSON.stringify([
    { type: 'string', column: 'traceId', operator: '=', value: traceId },
    { type: 'boolean', column: 'isRootObservation', operator: '=', value: true },
  ])
  const { data } = await api.observations.getMany({ filter, fields: 'core,io,metadata', limit: 1 })
  const [root] = data
  return root && { input: root.input, output: root.output, metadata: root.metadata }
}

function itemOf(
  root: Recorded | undefined,
  sourceTraceId: string,
  { input: inputFlag = '.input', expected }: AddFlags,
): { readonly item?: NewItem; readonly reason?: string } {
  if (!root) return { reason: 'its root has not arrived' }
  const input = resolved(inputFlag, root)
  const expectedOutput = expected === undefined ? undefined : resolved(expected, root)
  if (input === undefined || input === null) return { reason: `it has no ${inputFlag}` }
  if (expected !== undefined && expectedOutput === undefined) return { reason: `it has no ${expected}` }
  return { item: { input, sourceTraceId, ...(expected !== undefined && { expectedOutput }) } }
}

const SHOWN = 120

const shown = ({ input, expectedOutput }: NewItem): string[] => [
  `  input: ${shownName(textOf(input), SHOWN)}`,
  ...(expectedOutput === undefined ? [] : [`  expected: ${shownName(textOf(expectedOutput), SHOWN)}`]),
]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
