import { isMethod, type Method } from '../gen-ai/read.ts'
import type { EditedSource } from '../hook/edit-source.ts'
import { chat } from '../openai/chat.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { type ClientSpec, createMethodSpec } from '../patch/reader-method.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { SLOT, TASKS, wrapTasks } from './edit.ts'
import { features, text } from './readers.ts'

type TaskWrappers = Readonly<Record<string, (original: unknown) => unknown>>
const slots = globalThis as unknown as Record<symbol, TaskWrappers | undefined>

/**
 * Edits `@huggingface/inference` so that its tasks are recorded: its clients hold them as constants, which cannot be
 * patched.
 *
 * @param source of a file with at least one of the tasks
 */
export function edit(source: string): EditedSource {
  const changed = wrapTasks(source)
  if (changed === undefined) return { source, missing: ['its calls'] }
  slots[Symbol.for(SLOT)] ??= Object.fromEntries(TASKS.map((name) => [name, wrap(name)]))
  return { source: changed, missing: [] }
}

function wrap(name: string) {
  return (original: unknown): unknown => {
    const wrapper = wrappers[name]
    if (!isMethod(original) || !wrapper) return original
    const wrapped = wrapper(original)
    // Tasks are functions, but wrappers expect an owner.
    const task: Method = (...args) => wrapped.apply({}, args)
    return likeOriginal(task, original)
  }
}

const client: ClientSpec = {
  provider: 'huggingface',
  readAddress: (_, { endpointUrl = 'https://router.huggingface.co' }) => endpointUrl,
  readSecrets: (_, { accessToken }) => [accessToken],
  readSignal: ({ signal }) => signal,
}

/** Wraps the tasks of `@huggingface/inference`. */
const wrappers: Wrappers = wrapMethods('@svc/instrumentation-huggingface', [
  createMethodSpec(client, 'chatCompletion', chat, { streams: false }),
  createMethodSpec(client, 'chatCompletionStream', chat, { streams: true, isLazy: true }),
  createMethodSpec(client, 'textGeneration', text, { streams: false }),
  createMethodSpec(client, 'textGenerationStream', text, { streams: true, isLazy: true }),
  createMethodSpec(client, 'featureExtraction', features, { streams: false }),
])
