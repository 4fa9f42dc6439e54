import * as v from 'valibot'
import { type Answer, badRequest, json } from '../../http/answer.ts'
import { anything, name, optional, readFields, text, texts, word } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { WriteService } from '../../service.ts'
import type { StoredPrompt } from '../../store/prompt.ts'
import { jsonBody } from '../body.ts'
import { promptShape } from './prompt-shape.ts'
import { moveLabels, versionsOf } from './versions.ts'

/** `CreatePromptRequest` (appendix A), as it is sent. */
const FIELDS = {
  name,
  type: optional(word(['text', 'chat'])),
  prompt: anything,
  config: anything,
  labels: optional(texts),
  tags: optional(texts),
  commitMessage: optional(text),
}

/** `POST /api/public/v2/prompts`: the next version of a prompt, or the first. */
export async function createPrompt(call: Call, { store }: WriteService): Promise<Answer> {
  const {
    name,
    type = 'text',
    prompt,
    config,
    labels = [],
    tags,
    commitMessage,
  } = readFields(await jsonBody(call), FIELDS)
  readFields({ prompt }, { prompt: type === 'text' ? text : messages })
  const now = Date.now()
  const created = store.write(() => {
    const before = versionsOf(name, store)
    if (before.some((version) => version.type !== type)) {
      const message = `the earlier versions are ${before[0]?.type} prompts: give this one another name`
      throw badRequest([{ path: ['type'], message }])
    }
    const next: StoredPrompt = {
      name,
      version: (before.at(-1)?.version ?? 0) + 1,
      type,
      prompt,
      config: config ?? {},
      labels: [],
      tags: tags ?? before.at(-1)?.tags ?? [],
      commitMessage: commitMessage ?? null,
      createdAt: now,
      updatedAt: now,
    }
    if (tags) for (const version of before) store.prompts.put({ ...version, tags })
    return moveLabels(labels, next, now, store)
  })
  return json(200, promptShape(created, versionsOf(name, store)))
}

/** One of `ChatMessageWithPlaceholders[]` (appendix A). */
function isMessage(item: unknown): boolean {
  const { type = 'chatmessage', role, content, name } = Object(item)
  if (type === 'placeholder') return typeof name === 'string' && name !== ''
  return type === 'chatmessage' && typeof role === 'string' && typeof content === 'string'
}

const messages = v.pipe(
  v.array(v.unknown(), 'expected a list of messages'),
  v.check(
    (list) => list.every(isMessage),
    'a message needs a role and a content, a placeholder needs the type "placeholder" and a name',
  ),
)
