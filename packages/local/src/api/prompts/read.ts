import { groupBy } from '../../group.ts'
import { type Answer, badRequest, json } from '../../http/answer.ts'
import { date, readFields, text } from '../../http/fields.ts'
import { one, readParameters, wholeTo } from '../../http/parameters.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { labelsOf, type StoredPrompt } from '../../store/prompt.ts'
import { isoDate } from '../known.ts'
import { PAGE_PARAMETERS, slicePage } from '../paging.ts'
import { promptShape } from './prompt-shape.ts'
import { type Choice, chosen, versionsOf } from './versions.ts'

/** `GET /api/public/v2/prompts/{promptName}`. References to other prompts stay as they were written. */
export function getPrompt({ params, query }: Call, { store }: ReadService): Answer {
  const choice = readChoice(query)
  const name = params.promptName ?? ''
  const versions = versionsOf(name, store)
  return json(200, { ...promptShape(chosen(name, choice, versions), versions), resolutionGraph: null })
}

const VERSION = wholeTo(Number.MAX_SAFE_INTEGER)

/** A version of a path, where it is always given. @throws Refusal 400 */
export const readVersion = (version = ''): number => readFields({ version }, { version: VERSION }).version

/** `version` or `label` of a query. @throws Refusal 400 */
export function readChoice(query: URLSearchParams): Choice {
  const choice = readParameters(query, { version: one(VERSION), label: one(text) })
  if (choice.version !== undefined && choice.label !== undefined) {
    throw badRequest([{ path: ['label'], message: 'a version and a label cannot be requested together' }])
  }
  return choice
}

const PARAMETERS = {
  fromUpdatedAt: one(date),
  toUpdatedAt: one(date),
  name: one(text),
  label: one(text),
  tag: one(text),
  ...PAGE_PARAMETERS,
}

/** `GET /api/public/v2/prompts`: one row for each name, the one that was changed last first. */
export function listPrompts({ query }: Call, { store }: ReadService): Answer {
  const { fromUpdatedAt: from, toUpdatedAt: to, name, label, tag, ...page } = readParameters(query, PARAMETERS)
  const all = name === undefined ? store.prompts.find() : versionsOf(name, store)
  const wanted = (prompt: StoredPrompt, versions: readonly StoredPrompt[]) =>
    (label === undefined || labelsOf(prompt, versions).includes(label)) &&
    (tag === undefined || prompt.tags.includes(tag)) &&
    (from === undefined || prompt.updatedAt >= from) &&
    (to === undefined || prompt.updatedAt < to)
  const rows = [...groupBy(all, (prompt) => prompt.name).values()]
    .map((versions) =>
      outline(
        versions.filter((prompt) => wanted(prompt, versions)),
        versions,
      ),
    )
    .filter((row) => row !== undefined)
    .sort((a, b) => b.updatedAt - a.updatedAt)
  return slicePage(rows, page, ({ meta }) => meta)
}

/** `PromptMeta` (appendix A) of the versions that fit, when there are some. */
function outline(fitting: readonly StoredPrompt[], versions: readonly StoredPrompt[]) {
  const newest = fitting.reduce((last, prompt) => (last && last.version > prompt.version ? last : prompt), fitting[0])
  if (!newest) return undefined
  const updatedAt = Math.max(...fitting.map((prompt) => prompt.updatedAt))
  const meta = {
    name: newest.name,
    type: newest.type,
    versions: fitting.map(({ version }) => version).sort((a, b) => a - b),
    labels: [...new Set(fitting.flatMap((prompt) => labelsOf(prompt, versions)))],
    tags: newest.tags,
    lastUpdatedAt: isoDate(updatedAt),
    lastConfig: newest.config,
  }
  return { meta, updatedAt }
}
