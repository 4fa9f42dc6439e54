import * as SLOTS from '@svc/core/slots'

/** The symbol under which edited code finds the replacements. */
export const SLOT = SLOTS.HUGGINGFACE

/** The recorded tasks. */
export const TASKS = [
  'chatCompletion',
  'chatCompletionStream',
  'textGeneration',
  'textGenerationStream',
  'featureExtraction',
] as const

/**
 * Appends one line to a file of `@huggingface/inference` that replaces its tasks, which are plain functions. Returns
 * undefined if there is no task.
 */
export function wrapTasks(source: string): string | undefined {
  const found = TASKS.filter((name) => new RegExp(`^(export )?async function ?\\*? ?${name}\\(`, 'm').test(source))
  if (found.length === 0) return undefined
  const wrappers = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`
  const lines = found.map((name) => {
    // CommonJS has exported the original function by then.
    const exported = source.includes(`exports.${name} = ${name};`) ? `exports.${name} = ` : ''
    return `${exported}${name} = ${wrappers}?.${name}?.(${name}) ?? ${name};`
  })
  return `${source}\n;${lines.join(' ')}`
}
