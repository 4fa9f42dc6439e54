import * as v from 'valibot'
import { type Answer, json, notFound } from '../../http/answer.ts'
import { readFields, texts } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { WriteService } from '../../service.ts'
import { LATEST, labelsOf } from '../../store/prompt.ts'
import { jsonBody } from '../body.ts'
import { promptShape } from './prompt-shape.ts'
import { readChoice, readVersion } from './read.ts'
import { chosen, moveLabels, versionsOf } from './versions.ts'

const LABEL_FIELDS = {
  newLabels: v.pipe(
    texts,
    v.check((labels) => !labels.includes(LATEST), `the label ${LATEST} always belongs to the newest version`),
  ),
}

/** `PATCH /api/public/v2/prompts/{name}/versions/{version}`: more labels, taken away from the other versions. */
export async function labelPrompt(call: Call, { store }: WriteService): Promise<Answer> {
  const { newLabels } = readFields(await jsonBody(call), LABEL_FIELDS)
  const version = readVersion(call.params.version)
  const name = call.params.name ?? ''
  const changed = store.write(() => {
    const prompt = chosen(name, { version }, versionsOf(name, store))
    return moveLabels(newLabels, prompt, Date.now(), store)
  })
  return json(200, promptShape(changed, versionsOf(name, store)))
}

/** `DELETE /api/public/v2/prompts/{promptName}`: all versions, or those that `version` or `label` means. */
export function deletePrompt({ params, query }: Call, { store }: WriteService): Answer {
  const { version, label } = readChoice(query)
  const name = params.promptName ?? ''
  const versions = versionsOf(name, store)
  const doomed = versions
    .filter((prompt) => version === undefined || prompt.version === version)
    .filter((prompt) => label === undefined || labelsOf(prompt, versions).includes(label))
  if (doomed.length === 0) throw notFound(`Prompt not found: '${name}'`)
  store.write(() => {
    for (const prompt of doomed) {
      store.prompts.remove({ sql: 'WHERE name = ? AND version = ?', values: [name, prompt.version] })
    }
  })
  return { status: 204 }
}
