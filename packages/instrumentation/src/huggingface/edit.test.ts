import { expect, it } from 'vitest'
import { wrapTasks } from './edit.ts'

it('each Hugging Face task of a file is replaced after its last line', () => {
  const source = 'export async function chatCompletion(args) {}\nexport async function* textGenerationStream(args) {}'
  const changed = wrapTasks(source) ?? ''
  expect(changed.startsWith(`${source}\n;`)).toBe(true)
  expect(changed).toContain(
    'chatCompletion = globalThis[Symbol.for("svc.huggingface.6")]?.chatCompletion?.(chatCompletion)',
  )
  expect(changed).toContain('textGenerationStream = globalThis')
  expect(changed).not.toContain('exports.')
})

it('Hugging Face tasks are replaced in CommonJS exports as well', () => {
  const source = 'exports.featureExtraction = featureExtraction;\nasync function featureExtraction(args) {}'
  expect(wrapTasks(source)).toContain('exports.featureExtraction = featureExtraction = globalThis')
})

it('a Hugging Face file without a task is not edited', () => {
  expect(wrapTasks('export const chatCompletion = 1')).toBe(undefined)
})
